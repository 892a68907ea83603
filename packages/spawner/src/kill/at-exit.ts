import { onExit, signals } from 'signal-exit';

// SIGXFSZ is removed from the list: Node ignores it, so that writing a file beyond the largest size (`ulimit -f`) is only an error.
// signal-exit would end the agent.
for (const [index, signal] of signals.entries()) if (signal === 'SIGXFSZ') signals.splice(index, 1);

/**
 * Calls the action synchronously when our process exits, except after SIGKILL or a crash of Node itself. The returned function removes it.
 * This is the only module that imports signal-exit. It is needed because a signal without a handler ends our process without an 'exit'
 * event. The jobs would continue: they are in their own groups and do not receive Ctrl-C. Signals that the agent handles are left to the
 * agent. Own signal listeners were rejected: every copy of signal-exit in the agent (terminal libraries depend on it) would take them for
 * listeners of the agent, and would not end the process.
 */
export function atExit(action: () => void): () => void {
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const act = () => {
    // An action that throws must not keep other actions from killing their processes.
    try {
      action();
    } catch {}
  };
  const stop = onExit(act);
  for (const [signal, known] of before) putFirst(signal, known);
  // The actions also run as a listener of 'exit', before the others. signal-exit acts after those listeners, and is not reached if one of
  // them throws. A second call of the action has no effect.
  exits.add(act);
  if (exits.size === 1) process.prependListener('exit', actAll);
  return () => {
    stop();
    exits.delete(act);
    if (exits.size === 0) process.off('exit', actAll);
  };
}

/** All actions share one listener: from eleven listeners on, Node would warn of a leak. */
const exits = new Set<() => void>();

function actAll(): void {
  for (const act of exits) act();
}

/**
 * Moves the listener of signal-exit to the front. signal-exit counts the other listeners when it is called. If an agent's
 * `process.once('SIGTERM', …)` was called before, it is no longer counted, and signal-exit would end the agent in the middle of its own
 * shutdown.
 */
function putFirst(signal: NodeJS.Signals, known: ReadonlySet<NodeJS.SignalsListener>): void {
  for (const listener of process.listeners(signal)) {
    if (known.has(listener)) continue;
    process.off(signal, listener);
    process.prependListener(signal, listener);
  }
}
