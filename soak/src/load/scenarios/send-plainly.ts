import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './sender.js';
import { checkResult } from './sender.js';

const channel = 'HOOK_EXECUTION_REQUEST';

/** Sends a valid event, and does not end it early. */
export async function sendPlainly({ hooks, requestLog }: Sender, plan: EventPlan, intent: Intent): Promise<void> {
  const { eventName, input } = plan;
  switch (plan.scenario) {
    case 'fire': {
      const { result, ids } = requestLog.send(intent, () => input.fire(hooks.getEventHandler(), {}));
      await checkResult(requestLog, intent, result);
      await requestLog.whenAnswered(ids);
      return;
    }
    case 'stream': {
      let emitted = 0;
      const { result, ids } = requestLog.send(
        intent,
        () =>
          new Promise<void>((resolve) => {
            hooks.bus.requestStream(channel, { eventName: eventName as string, input: input.fields }).subscribe({
              next: ({ type }) => {
                if (type === 'HOOK_EXECUTION_RESPONSE') emitted += 1;
              },
              error: (error) => requestLog.report(intent, `the stream failed: ${String(error)}`),
              complete: resolve,
            });
          }),
      );
      await result;
      if (emitted !== 1) requestLog.report(intent, `the stream gave ${emitted} responses`);
      await requestLog.whenAnswered(ids);
      return;
    }
    case 'published': {
      const { ids } = requestLog.send(intent, () => hooks.bus.publish({ type: channel, payload: { eventName, input: input.fields } }));
      await requestLog.whenAnswered(ids);
      return;
    }
    default: {
      const isUnrunnable = plan.scenario === 'in a directory that is not there';
      const fields = isUnrunnable ? { ...input.fields, cwd: '/nowhere/to/be/found' } : input.fields;
      const { result, ids } = requestLog.send({ ...intent, ...(isUnrunnable ? { isUnrunnable } : {}) }, () =>
        hooks.bus.request(channel, { eventName: eventName as string, input: fields }),
      );
      await result;
      await requestLog.whenAnswered(ids);
    }
  }
}

/** Sends many requests in one turn of the event loop, more than can run or wait. */
export async function sendMany({ hooks, requestLog }: Sender, plan: EventPlan, intent: Intent, count: number): Promise<void> {
  const { eventName } = plan;
  // All have the same small input, so that many requests need little memory.
  const input = Object.fromEntries(Object.entries(plan.input.fields).map(([key, value]) => [key, shortened(value)]));
  const { ids } = requestLog.send(intent, () => {
    for (let index = 0; index < count; index += 1) {
      hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { eventName, input } });
    }
  });
  await requestLog.whenAnswered(ids);
}

function shortened(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item) => (typeof item === 'string' ? item.slice(0, 100) : item));
}
