import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './send-event.js';
import { checkResult } from './sender.js';

const channel = 'HOOK_EXECUTION_REQUEST';

/** Sent as it should be, and left to its end. */
export async function sendPlainly({ hooks, ledger }: Sender, plan: EventPlan, intent: Intent): Promise<void> {
  const { eventName, input } = plan;
  switch (plan.way) {
    case 'fire': {
      const { result, ids } = ledger.send(intent, () => input.fire(hooks.getEventHandler(), {}));
      await checkResult(ledger, intent, result);
      await ledger.whenAnswered(ids);
      return;
    }
    case 'stream': {
      let emitted = 0;
      const { result, ids } = ledger.send(
        intent,
        () =>
          new Promise<void>((resolve) => {
            hooks.bus.requestStream(channel, { eventName, input: input.fields }).subscribe({
              next: ({ type }) => {
                if (type === 'HOOK_EXECUTION_RESPONSE') emitted += 1;
              },
              error: (error) => ledger.report(intent, `the stream failed: ${String(error)}`),
              complete: resolve,
            });
          }),
      );
      await result;
      if (emitted !== 1) ledger.report(intent, `the stream gave ${emitted} responses`);
      await ledger.whenAnswered(ids);
      return;
    }
    case 'published': {
      const { ids } = ledger.send(intent, () => hooks.bus.publish({ type: channel, payload: { eventName, input: input.fields } }));
      await ledger.whenAnswered(ids);
      return;
    }
    default: {
      const isUnrunnable = plan.way === 'in a directory that is not there';
      const fields = isUnrunnable ? { ...input.fields, cwd: '/nowhere/to/be/found' } : input.fields;
      const { result, ids } = ledger.send({ ...intent, ...(isUnrunnable ? { isUnrunnable } : {}) }, () =>
        hooks.bus.request(channel, { eventName, input: fields }),
      );
      await result;
      await ledger.whenAnswered(ids);
    }
  }
}
