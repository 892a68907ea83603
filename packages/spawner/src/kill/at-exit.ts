import { onExit, signals } from 'signal-exit';

// SIGXFSZ is sent when a file exceeds the largest permitted size (`ulimit -f`). Node ignores it, so that the write fails with an error. It
// is removed from the list of signal-exit, which would end the agent.
for (const [index, signal] of signals.entries()) if (signal === 'SIGXFSZ') signals.splice(index, 1);

/**
 * Calls the action synchronously when our process exits, except after SIGKILL or a crash of Node itself. The returned function cancels
 * this. No other module imports signal-exit. It is needed because a signal without a listener ends our process without an 'exit' event. The
 * jobs would then continue, because they are in their own process groups and do not receive Ctrl-C. Signals that the agent listens to are
 * left to the agent. Listeners of our own were rejected: other copies of signal-exit in the agent (terminal libraries depend on it) would
 * take them for listeners of the agent, and would not end the process.
 */
export function atExit(action: () => void): () => void {
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const act = () => {
    // If one action throws, the others must still kill their processes.
    try {
      action();
    } catch {}
  };
  const stop = onExit(act);
  for (const [signal, known] of before) putFirst(signal, known);
  // The actions also run in a listener of 'exit', before all other listeners. signal-exit alone would not be enough: it acts after them,
  // and not at all if one of them throws. Calling an action twice has no effect.
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
 * Moves the listener of signal-exit before all others. When it is called, signal-exit counts the other listeners, and ends the process if
 * there are none. A listener that the agent added with `process.once` is removed as soon as it is called. If that happened before,
 * signal-exit would count none and end the agent in the middle of its own shutdown.
 */
function putFirst(signal: NodeJS.Signals, known: ReadonlySet<NodeJS.SignalsListener>): void {
  for (const listener of process.listeners(signal)) {
    if (known.has(listener)) continue;
    process.off(signal, listener);
    process.prependListener(signal, listener);
  }
}
