import type { AggregatedHookResult, HookOutcome } from 'tenterhook';

/** Returns what the hooks of an event did, in a word or two for each action, e.g. `denied`, `rewrote`, `added context`. */
export function hookDeeds({ outcomes, changes }: AggregatedHookResult): string[] {
  return outcomes.flatMap((outcome) => deedsOf(outcome, changes));
}

export function hasRun({ status }: HookOutcome): boolean {
  return status !== 'skipped';
}

function deedsOf({ hookId, status, output }: HookOutcome, changes: AggregatedHookResult['changes']): string[] {
  if (status === 'failed') return ['failed'];
  if (status === 'timed-out') return ['timed out'];
  const own = changes.filter((change) => change.hookId === hookId);
  const deeds = {
    denied: output?.decision === 'deny' || output?.decision === 'block',
    asked: output?.decision === 'ask',
    stopped: output?.continue === false,
    'chose tools': own.some(({ path }) => path.startsWith('toolConfig')),
    rewrote: own.some(({ path }) => !path.startsWith('toolConfig')),
    'answered itself': own.length === 0 && output?.hookSpecificOutput?.['llm_response'] !== undefined,
    'added context': output?.hookSpecificOutput?.['additionalContext'] !== undefined,
    spoke: output?.systemMessage !== undefined,
  };
  return Object.entries(deeds).flatMap(([deed, isDone]) => (isDone ? [deed] : []));
}
