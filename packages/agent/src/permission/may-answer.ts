import { type AggregatedHookResult, type HookLevel, isBelow, levelOf } from '@tenterhook/protocol';

/**
 * Whether the hooks that allow may answer for the user what other hooks ask: a hook of a lower level never answers one of a higher level
 * (decision 84). Otherwise a repository could confirm what the guard of its user wants to have confirmed. A question of the agent itself may be
 * answered by hooks of every level.
 */
export function mayAnswer(allowing: AggregatedHookResult, asking: AggregatedHookResult | undefined): boolean {
  if (asking === undefined) return true;
  const questions = levelsOfDeciders(asking);
  // A verdict whose outcomes are missing comes from a service that is not ours. Then only the user may answer.
  if (questions.length < asking.verdict.by.length || questions.length === 0) return false;
  return levelsOfDeciders(allowing).some((answer) => questions.every((question) => !isBelow(answer, question)));
}

function levelsOfDeciders({ verdict, outcomes }: AggregatedHookResult): HookLevel[] {
  return outcomes.filter(({ hookId }) => verdict.by.includes(hookId)).map(levelOf);
}
