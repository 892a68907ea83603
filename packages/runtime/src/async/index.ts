export { Cancellation } from './cancellation.js';
export { DeadlineTimer } from './deadline-timer.js';
export type { Abortable } from './signal.js';
export { abortableOf, LinkedSignal, onAbort, signalOf } from './signal.js';
export { longestTimerMs, untilAbort, wait } from './wait.js';
