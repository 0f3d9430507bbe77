/** A signal that aborts on Ctrl-C and SIGTERM. The second one ends the process as usual. */
export function interruptSignal(): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const dispose = () => {
    for (const name of names) process.off(name, onInterrupt);
  };
  const onInterrupt = () => {
    dispose();
    controller.abort();
  };
  for (const name of names) process.on(name, onInterrupt);
  return { signal: controller.signal, dispose };
}
