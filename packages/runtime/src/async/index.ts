export { LinkedSignal, onAbort } from './signal.js';
export { longestTimerMs, untilAbort, wait } from './wait.js';
