const actions = new Set<() => void>();

function runAll(): void {
  for (const action of actions) {
    // One that fails must not keep the others from killing their processes.
    try {
      action();
    } catch {}
  }
}

/**
 * Calls the action, synchronously, when our process exits; the returned function takes it back. One listener serves all spawners,
 * because from the eleventh on Node would warn of a leak. Signals are the agent's own to handle: of them only those that end in process.exit() get here.
 */
export function onProcessExit(action: () => void): () => void {
  if (actions.size === 0) process.on('exit', runAll);
  actions.add(action);
  return () => {
    actions.delete(action);
    if (actions.size === 0) process.off('exit', runAll);
  };
}
