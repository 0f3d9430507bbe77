/** Something that the person at the terminal can put right: told in one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' ').trim());
  }
}
