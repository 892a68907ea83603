import type { AggregatedHookResult } from 'tenterhook';
import { checkVerdict } from '../../checks/check-verdict.js';
import type { Ledger } from '../../checks/request-log.js';
import type { Intent } from '../../checks/sent-request.js';

/** What whoever fired an event was told: it holds to the same rules as the response on the bus, and never rejects. */
export async function checkResult(ledger: Ledger, intent: Intent, firing: Promise<AggregatedHookResult>): Promise<void> {
  try {
    const { outcomes, verdict } = await firing;
    for (const { what, hook } of checkVerdict(outcomes, verdict)) ledger.report(intent, `what the caller got: ${what}`, hook);
  } catch (error) {
    ledger.report(intent, `firing rejected: ${String(error)}`);
  }
}
