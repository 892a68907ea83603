import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What a signal to the command does to the event it is carrying out. */
export interface Interruption {
  /** Aborts at the first signal, so that the hooks are ended and everything is cleaned up. */
  readonly signal: AbortSignal;
  /** 128 + the number of the signal, once there was one. */
  readonly status: number | undefined;
  forget(): void;
}

/**
 * The first signal cancels; the second one ends the command at once, by process.exit(), which still takes the hooks with it: the
 * default of a signal would leave them behind.
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
    // Not while it is being interrupted: what is cleaned up after the answer must not be cut short by a second signal's default.
    forget: () => {
      if (status === undefined) for (const name of signals) process.removeListener(name, interrupt);
    },
  };
}
