export { LinkedSignal, onAbort } from './signal.js';
export { untilAbort } from './until-abort.js';
export { longestTimerMs, wait } from './wait.js';
