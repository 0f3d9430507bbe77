/** A signal that aborts on Ctrl-C and SIGTERM; a second one ends the process as ever. */
export function interruptible(): { readonly signal: AbortSignal; over(): void } {
  const stop = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const over = () => {
    for (const name of names) process.off(name, interrupt);
  };
  const interrupt = () => {
    over();
    stop.abort();
  };
  for (const name of names) process.on(name, interrupt);
  return { signal: stop.signal, over };
}
