/** Caches the results of `load` for one second, by key. All peers cache the same: callers, pipelines with their counters, totals. */
export function cachedForOneSecond<T>(load: (key: string) => T): (key: string) => T {
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return (key) => {
    const now = performance.now();
    const entry = entries.get(key);
    if (entry !== undefined && entry.until > now) return entry.value;
    const value = load(key);
    entries.set(key, { value, until: now + 1_000 });
    return value;
  };
}
