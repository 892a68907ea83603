const signals = ['SIGINT', 'SIGTERM'] as const;

/** Aborts at the first signal, so that everything is ended and counted; the second one ends the process at once. */
export function onInterruption(): { readonly signal: AbortSignal; forget(): void } {
  const control = new AbortController();
  const interrupt = () => {
    if (control.signal.aborted) process.exit(130);
    control.abort();
  };
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: control.signal,
    forget: () => {
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
