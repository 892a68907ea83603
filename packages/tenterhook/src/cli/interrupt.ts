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
 * The first signal cancels the event. The second ends the command at once with process.exit(), whose exit handlers still kill the hooks.
 * The default action of a signal would leave them running.
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
    // After a signal the listeners stay. Without them, a second signal would end the process while it still cleans up.
    forget: () => {
      if (status === undefined) for (const name of signals) process.removeListener(name, interrupt);
    },
  };
}
