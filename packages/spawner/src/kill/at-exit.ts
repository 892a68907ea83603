import { onExit, signals } from 'signal-exit';

// The system sends SIGXFSZ when a file exceeds the largest permitted size (`ulimit -f`). Node ignores the signal, and the write fails
// with an error. signal-exit would end the agent instead. Therefore the signal is removed from the list of signal-exit.
for (const [index, signal] of signals.entries()) if (signal === 'SIGXFSZ') signals.splice(index, 1);

/**
 * Calls the action synchronously when our process exits, except after SIGKILL or a crash of Node itself. Call the returned function to
 * cancel. This is the only module that imports signal-exit.
 *
 * A signal without a listener ends our process without an 'exit' event. Jobs would then continue to run, because Ctrl-C does not reach
 * their process groups. signal-exit adds listeners for these signals. If the agent listens to a signal itself, the agent handles it.
 *
 * Listeners of our own were rejected. Terminal libraries bring other copies of signal-exit into the agent. Another copy would take our
 * listeners for listeners of the agent, and would not end the process.
 */
export function atExit(action: () => void): () => void {
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const act = () => {
    // If one action throws, the remaining actions must still kill their processes.
    try {
      action();
    } catch {}
  };
  const stop = onExit(act);
  for (const [signal, known] of before) putFirst(signal, known);
  // The actions also run before all other listeners of 'exit'. signal-exit itself would run them after those listeners, and not at all if
  // one of the listeners throws. Calling an action twice has no effect.
  exits.add(act);
  if (exits.size === 1) process.prependListener('exit', actAll);
  return () => {
    stop();
    exits.delete(act);
    if (exits.size === 0) process.off('exit', actAll);
  };
}

/** All actions share one listener, because Node warns of a leak from eleven listeners on. */
const exits = new Set<() => void>();

function actAll(): void {
  for (const act of exits) act();
}

/**
 * Moves the listener of signal-exit before all others. signal-exit ends the process if it finds no other listener. A `process.once`
 * listener of the agent is removed when it is called. If that listener were called first, signal-exit would find no other listener, and
 * would end the agent in the middle of its shutdown.
 */
function putFirst(signal: NodeJS.Signals, known: ReadonlySet<NodeJS.SignalsListener>): void {
  for (const listener of process.listeners(signal)) {
    if (known.has(listener)) continue;
    process.off(signal, listener);
    process.prependListener(signal, listener);
  }
}
