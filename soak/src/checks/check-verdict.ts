import type { AggregatedHookResult, HookOutcome } from 'tenterhook';
import { type Fault, fault, isObeyed, meaningOf } from './fault.js';

type Verdict = AggregatedHookResult['verdict'];

/** The verdict follows from the outcomes: no deny, ask or stop is lost, and none comes from nowhere. */
export function checkVerdict(outcomes: readonly HookOutcome[], verdict: Verdict): Fault[] {
  const faults: Fault[] = [];
  const deniers = outcomes.filter((outcome) => outcome.status === 'blocked' || outcome.failedClosed);
  for (const outcome of deniers) {
    if (verdict.kind !== 'deny') faults.push(fault(`a deny was lost: the verdict is "${verdict.kind}"`, outcome));
    else if (!verdict.by.includes(outcome.hookId)) faults.push(fault('it denied, and the verdict does not name it', outcome));
  }
  if (verdict.kind === 'deny' && deniers.length === 0) faults.push(fault('the verdict is "deny", and no hook denied'));
  if (verdict.kind === 'deny' && !verdict.reason) faults.push(fault('a deny without a reason'));

  const obeyed = outcomes.filter(isObeyed);
  if (obeyed.some((outcome) => meaningOf(outcome) === 'ask') && !['ask', 'deny'].includes(verdict.kind)) {
    faults.push(fault(`an ask was lost: the verdict is "${verdict.kind}"`));
  }
  if (verdict.kind === 'allow' && !obeyed.some((outcome) => meaningOf(outcome) === 'allow')) {
    faults.push(fault('the verdict is "allow", and no hook said so'));
  }
  // A failure that was closed has no say, except that its stop counts: closing must not weaken what was said.
  const stops = outcomes.some((outcome) => (isObeyed(outcome) || outcome.failedClosed) && outcome.output?.continue === false);
  if (stops !== verdict.stop) faults.push(fault(stops ? 'a stop was lost' : 'the verdict stops, and no hook said so'));
  return faults;
}
