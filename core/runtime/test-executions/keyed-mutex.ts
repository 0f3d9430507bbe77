/** Runs calls with the same key one after another, in the order of the calls. */
export function makeKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(run);
    const settled = result.catch(() => undefined);
    last.set(key, settled);
    try {
      return await result;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
