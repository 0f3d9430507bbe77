import { setImmediate } from 'node:timers';

/** Questions of one kind, and what becomes of them. */
interface Group {
  readonly questions: unknown[];
  readonly answers: Promise<readonly unknown[]>;
}

/**
 * What is asked in one turn of the event loop, asked at its end. A server under load takes several requests off its sockets
 * in each turn, and most of what a small question costs is the trip: so questions that one statement can answer become one,
 * and the same question is asked once. No answer is older than its question, since nothing is sent before the turn ends.
 */
export class Gathering {
  #turn: { readonly end: Promise<void>; readonly groups: Map<string, Group> } | undefined;

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
    const turn = this.#thisTurn();
    let group = turn.groups.get(kind);
    if (group === undefined) {
      const questions: unknown[] = [];
      group = { questions, answers: turn.end.then(() => answer(questions)) };
      turn.groups.set(kind, group);
    }
    return group;
  }

  #thisTurn() {
    this.#turn ??= {
      groups: new Map(),
      end: new Promise((resolve) => {
        // Taken from the module: a test that stops the global timers does not stop its database.
        setImmediate(() => {
          this.#turn = undefined;
          resolve();
        });
      }),
    };
    return this.#turn;
  }
}
