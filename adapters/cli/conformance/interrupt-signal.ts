/** A signal that aborts on Ctrl-C and SIGTERM; a second one ends the process as ever. */
export function interruptSignal(): { readonly signal: AbortSignal; over(): void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const over = () => {
    for (const name of names) process.off(name, onInterrupt);
  };
  const onInterrupt = () => {
    over();
    controller.abort();
  };
  for (const name of names) process.on(name, onInterrupt);
  return { signal: controller.signal, over };
}
