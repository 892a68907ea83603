export { LinkedSignal } from './linked-signal.js';
export { onAbort } from './on-abort.js';
export { longestTimerMs } from './timer.js';
export { wait } from './wait.js';
