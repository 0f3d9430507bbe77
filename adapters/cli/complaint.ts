/** Something that the person at the terminal can put right: told in one line, with exit code 2. */
export class Complaint extends Error {
  override readonly name = 'Complaint';

  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' ').trim());
  }
}
