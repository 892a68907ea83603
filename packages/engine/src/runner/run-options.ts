import { setMaxListeners } from 'node:events';
import type { OwnRunOptions } from '@tenterhook/protocol/internal';
import { type Abortable, type DeadlineTimer, signalOf } from '@tenterhook/runtime/async';

/** The options of one run. The signal is created when it is first read. */
export class RunOptions implements OwnRunOptions {
  readonly abortable: Abortable;
  readonly onStart: () => void;
  readonly timer: DeadlineTimer | undefined;
  readonly mayStart?: () => boolean;
  readonly isTouched?: () => boolean;

  constructor(
    { signal, timer }: { readonly signal: Abortable; readonly timer?: DeadlineTimer | undefined },
    onStart: () => void,
    checks?: { readonly mayStart: () => boolean; readonly isTouched: () => boolean },
  ) {
    this.abortable = signal;
    this.onStart = onStart;
    this.timer = timer;
    if (checks === undefined) return;
    this.mayStart = checks.mayStart;
    this.isTouched = checks.isTouched;
  }

  get signal(): AbortSignal {
    const signal = signalOf(this.abortable);
    // Every hook of an event may listen to its signal. Without this call, Node would report so many listeners as a leak.
    setMaxListeners(0, signal);
    return signal;
  }
}
