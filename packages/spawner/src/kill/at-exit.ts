import { onExit, signals } from 'signal-exit';

// Node ignores this signal, so that a write beyond the largest file size (`ulimit -f`) is an error and not the end. signal-exit would end the agent.
for (const [index, signal] of signals.entries()) if (signal === 'SIGXFSZ') signals.splice(index, 1);

/**
 * Calls the action synchronously when our process exits, except after SIGKILL or a crash of Node itself. The returned function removes it. The
 * only module that imports signal-exit. A signal without a handler would end us without an 'exit' event, and the jobs would live on: they are in
 * their own groups and do not receive a Ctrl-C. Signals that the agent handles are left to the agent. Own listeners do not work: every copy of
 * signal-exit in the agent (terminal libraries depend on it) would take them for listeners of the agent and leave the exit to us.
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
  // signal-exit acts after the listeners of 'exit', and if one throws, the following are not called. A second call of the action does nothing.
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
 * signal-exit counts the other listeners when it is called. An agent's `process.once('SIGTERM', …)` that was called before is gone by then, and
 * signal-exit would end the agent in the middle of its own shutdown. So signal-exit must be called first.
 */
function putFirst(signal: NodeJS.Signals, known: ReadonlySet<NodeJS.SignalsListener>): void {
  for (const listener of process.listeners(signal)) {
    if (known.has(listener)) continue;
    process.off(signal, listener);
    process.prependListener(signal, listener);
  }
}
