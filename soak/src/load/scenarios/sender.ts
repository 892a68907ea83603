import type { AggregatedHookResult, Hooks } from 'tenterhook';
import { checkVerdict } from '../../checks/check-response.js';
import type { RequestLog } from '../../checks/request-log.js';
import type { Intent } from '../../checks/sent-request.js';

/** What a scenario uses to send events. */
export interface Sender {
  readonly hooks: Hooks;
  readonly requestLog: RequestLog;
}

/** Checks the result for the caller of fire(). It follows the same rules as the response on the bus, and never rejects. */
export async function checkResult(requestLog: RequestLog, intent: Intent, firing: Promise<AggregatedHookResult>): Promise<void> {
  try {
    const { outcomes, verdict } = await firing;
    for (const { what, hook } of checkVerdict(outcomes, verdict)) requestLog.report(intent, `what the caller got: ${what}`, hook);
  } catch (error) {
    requestLog.report(intent, `firing rejected: ${String(error)}`);
  }
}
