import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** How a signal to the command, such as Ctrl-C, affects the event in progress. */
export interface Interruption {
  /** Aborts at the first signal, so that hooks are stopped and everything is cleaned up. */
  readonly signal: AbortSignal;
  /** 128 + the number of the signal. Undefined as long as there was no signal. */
  readonly status: number | undefined;
  forget(): void;
}

/**
 * Handles signals to the command. The first signal cancels the event. The second signal ends the command with process.exit(), whose exit
 * handlers kill the hooks. The default action of a signal is replaced, because it would leave the hooks running.
 */
export function onInterrupt(): Interruption {
  const control = new AbortController();
  let status: number | undefined;
  const interrupt = (name: NodeJS.Signals) => {
    if (status !== undefined) process.exit(status);
    status = 128 + (constants.signals[name] ?? 2);
    control.abort();
  };
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: control.signal,
    get status() {
      return status;
    },
    // After a signal the listeners are kept. If they were removed, a second signal would end the process during its cleanup.
    forget: () => {
      if (status === undefined) for (const name of signals) process.removeListener(name, interrupt);
    },
  };
}

/** Resolves when a signal aborts, or at once if it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
