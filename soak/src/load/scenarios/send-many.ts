import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './send-event.js';

/** Many requests in one turn of the loop, more than can run or wait. */
export async function sendMany({ hooks, ledger }: Sender, plan: EventPlan, intent: Intent, count: number): Promise<void> {
  const { eventName } = plan;
  // The same small input for all: what is asked for is many requests, and not much memory.
  const input = Object.fromEntries(Object.entries(plan.input.fields).map(([key, value]) => [key, shortened(value)]));
  const { ids } = ledger.send(intent, () => {
    for (let index = 0; index < count; index += 1) {
      hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { eventName, input } });
    }
  });
  await ledger.whenAnswered(ids);
}

function shortened(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item) => (typeof item === 'string' ? item.slice(0, 100) : item));
}
