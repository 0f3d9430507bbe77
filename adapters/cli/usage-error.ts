/** An error that the user of the command can correct. It is printed in one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' ').trim());
  }
}
