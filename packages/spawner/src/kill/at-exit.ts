import { onExit, signals } from 'signal-exit';

/**
 * Calls the action, synchronously, when our process exits, for every reason but SIGKILL and a crash of Node itself; the returned function
 * takes it back. The only door to signal-exit. A signal without a handler would end us without an 'exit' event, and the jobs, which are in groups
 * of their own and do not receive a Ctrl-C, would live on. A signal that the agent handles is the agent's. Listeners of our own would not do: every
 * copy of signal-exit in the agent (terminal libraries bring it) would take them for the agent's and leave the exit to us.
 */
export function atExit(action: () => void): () => void {
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const act = () => {
    // An action that fails must not keep the others from killing their processes.
    try {
      action();
    } catch {}
  };
  const stop = onExit(act);
  for (const [signal, known] of before) putFirst(signal, known);
  // signal-exit comes after the listeners of 'exit', and one that throws is the last to be called. A second call of the action finds nothing to do.
  exits.add(act);
  if (exits.size === 1) process.prependListener('exit', actAll);
  return () => {
    stop();
    exits.delete(act);
    if (exits.size === 0) process.off('exit', actAll);
  };
}

/** One listener for all: from the eleventh on, Node would warn of a leak. */
const exits = new Set<() => void>();

function actAll(): void {
  for (const act of exits) act();
}

/**
 * signal-exit counts the other listeners when it is called. An agent's `process.once('SIGTERM', …)` that comes before it is gone by then, and
 * signal-exit would end the agent in the middle of its own shutdown. So signal-exit has to be called first.
 */
function putFirst(signal: NodeJS.Signals, known: ReadonlySet<NodeJS.SignalsListener>): void {
  for (const listener of process.listeners(signal)) {
    if (known.has(listener)) continue;
    process.off(signal, listener);
    process.prependListener(signal, listener);
  }
}
