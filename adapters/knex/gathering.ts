import { setImmediate } from 'node:timers';

/** Questions of one kind that have not been sent yet, and what becomes of them. */
interface Group {
  readonly questions: unknown[];
  readonly answers: Promise<readonly unknown[]>;
  send(): void;
}

/**
 * What is asked in one turn of the event loop, asked at its end. A server under load takes several requests off its sockets
 * in each turn, and most of what a small question costs is the trip: so questions that one statement can answer become one,
 * and the same question is asked once. No answer is older than its question, since nothing joins what has been sent.
 */
export class Gathering {
  readonly #waiting = new Map<string, Group>();
  readonly #underWay = new Set<string>();
  readonly #inTurn: boolean;

  /**
   * With `inTurn`, what is asked while others of its kind are under way waits for them to come back: where a trip is short,
   * that makes fewer and fuller ones.
   */
  constructor(inTurn: boolean) {
    this.#inTurn = inTurn;
  }

  /** Asks what others may be asking as well; `key` is the same for the same question only. */
  async once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    return (await this.#group(key, async () => [await ask()]).answers)[0] as T;
  }

  /** Asks along with others of this kind, that `answer` can answer at once: an answer for each, in their order. */
  async together<Question, Answer>(
    kind: string,
    question: Question,
    answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  ): Promise<Answer> {
    const group = this.#group(kind, (questions) => answer(questions as Question[]));
    const place = group.questions.push(question) - 1;
    return (await group.answers)[place] as Answer;
  }

  #group(kind: string, answer: (questions: readonly unknown[]) => Promise<readonly unknown[]>): Group {
    const waiting = this.#waiting.get(kind);
    if (waiting) return waiting;
    const questions: unknown[] = [];
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const answers = sent.then(() => answer(questions)).finally(() => this.#isBack(kind));
    const group = { questions, answers, send };
    this.#waiting.set(kind, group);
    // Taken from the module: a test that stops the global timers does not stop its database.
    if (!this.#inTurn || !this.#underWay.has(kind)) setImmediate(() => this.#send(kind));
    return group;
  }

  #send(kind: string): void {
    const group = this.#waiting.get(kind);
    this.#waiting.delete(kind);
    this.#underWay.add(kind);
    group?.send();
  }

  #isBack(kind: string): void {
    this.#underWay.delete(kind);
    if (this.#inTurn && this.#waiting.has(kind)) this.#send(kind);
  }
}
