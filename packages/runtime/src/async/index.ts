export { LinkedSignal, onAbort } from './signal.js';
export { longestTimerMs, wait } from './wait.js';
