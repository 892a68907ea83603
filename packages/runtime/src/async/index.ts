export { LinkedSignal } from './linked-signal.js';
export { onAbort } from './on-abort.js';
export { longestTimerMs, wait } from './wait.js';
