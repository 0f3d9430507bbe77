/** Lets calls about the same thing wait for each other, in the order in which they came. */
export function makeTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(about: string, run: () => Promise<T>): Promise<T> => {
    const turn = (last.get(about) ?? Promise.resolve()).then(run);
    const over = turn.catch(() => undefined);
    last.set(about, over);
    try {
      return await turn;
    } finally {
      if (last.get(about) === over) last.delete(about);
    }
  };
}
