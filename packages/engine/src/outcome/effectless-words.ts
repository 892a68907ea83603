import { eventEntry, type HookEventName, type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';

/** What was said and can have no effect on this event is said to have none (field failure 12, decision 67). */
export function effectlessWords(output: HookOutput, eventName: HookEventName): HookWarning[] {
  const { may, rewrites } = eventEntry(eventName);
  // A deny that takes something away as well has done what it could: in some formats the one is how the other is said.
  const hasRewritten = rewrites.some(({ field }) => output.hookSpecificOutput?.[field] !== undefined);
  const warnings: HookWarning[] = [];
  if (verdictOf(output.decision) === 'deny' && may.block === false && !hasRewritten) {
    warnings.push({ code: 'no_effect', message: `${eventName} cannot be blocked: the deny stands in the verdict and undoes nothing.` });
  }
  if (verdictOf(output.decision) === 'ask' && may.block !== true) {
    warnings.push({ code: 'no_effect', message: `${eventName} asks nobody: the ask stands in the verdict and holds nothing up.` });
  }
  if (output.continue === false && !may.stop) {
    warnings.push({ code: 'no_effect', message: `${eventName} cannot stop the agent: the stop stands in the verdict and ends nothing.` });
  }
  return warnings;
}
