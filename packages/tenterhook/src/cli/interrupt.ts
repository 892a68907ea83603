import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What a signal to the command does to the event that is being handled. */
export interface Interruption {
  /** Aborts at the first signal, so that hooks are stopped and everything is cleaned up. */
  readonly signal: AbortSignal;
  /** 128 + the number of the signal; undefined while there was none. */
  readonly status: number | undefined;
  forget(): void;
}

/**
 * Handles signals to the command. The first signal cancels the event. The second ends the command with process.exit(), whose exit handlers
 * kill the hooks. The default action of a signal would leave the hooks running.
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
    // After a signal the listeners are kept. Without them, a second signal would end the process during its cleanup.
    forget: () => {
      if (status === undefined) for (const name of signals) process.removeListener(name, interrupt);
    },
  };
}
