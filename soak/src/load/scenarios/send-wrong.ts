import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './sender.js';
import { checkResult } from './sender.js';

const channel = 'HOOK_EXECUTION_REQUEST';

type Message = Parameters<Sender['hooks']['bus']['publish']>[0];

/** Sends an invalid request, which must have exactly one answer. */
export async function sendWrong(sender: Sender, plan: EventPlan, intent: Intent): Promise<void> {
  const { hooks, requestLog } = sender;
  const { eventName, input, random, number } = plan;
  switch (plan.scenario) {
    case 'invalid input': {
      const wrong = { ...intent, codes: ['validation_failed'], mustFail: true } as const;
      const { result, ids } = requestLog.send(wrong, () => hooks.getEventHandler().fire(eventName, invalidated(plan)));
      await checkResult(requestLog, wrong, result);
      return requestLog.whenAnswered(ids);
    }
    case 'unknown event': {
      const wrong = { ...intent, codes: ['unsupported_event'], mustFail: true } as const;
      const { ids } = requestLog.send(wrong, () => hooks.bus.request(channel, { eventName: `${eventName}s` as string, input: {} }));
      return requestLog.whenAnswered(ids);
    }
    case 'malformed': {
      // The first kind has its own id. The ids of the others cannot be used.
      const named = { ...intent, codes: ['invalid_request'], mustFail: true } as const;
      const refused = { ...intent, isRefused: true } as const;
      const [expected, payload] = random.pick<[Intent, unknown]>([
        [named, { correlationId: `soak-${number}`, eventName, input: 'no object' }],
        [named, { eventName: 7, input: {} }],
        [refused, null],
        [refused, 'text'],
        [refused, { correlationId: 12, eventName, input: input.fields }],
        [refused, { correlationId: '', eventName, input: input.fields }],
      ]);
      const { ids } = requestLog.send(expected, () => hooks.bus.publish({ type: channel, payload } as Message));
      return requestLog.whenAnswered(ids);
    }
    case 'twice under one id': {
      const message = () => ({ type: channel, payload: { correlationId: `soak-${number}`, eventName, input: input.fields } }) as const;
      const { ids } = requestLog.send(intent, () => hooks.bus.publish(message()));
      // Sent at once, so that the first request is still being handled.
      requestLog.send({ ...intent, isRefused: true }, () => hooks.bus.publish(message()));
      return requestLog.whenAnswered(ids);
    }
    default:
      for (const correlationId of ['unknown', `soak-${number}`]) {
        hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });
      }
  }
}

function invalidated({ input, random }: EventPlan): Record<string, unknown> {
  const circular: Record<string, unknown> = { ...input.fields };
  circular['self'] = circular;
  const [field = 'nothing'] = Object.keys(input.fields);
  return random.pick([
    { ...input.fields, [field]: 12 },
    { ...input.fields, [field]: undefined },
    { ...input.fields, extra: 12n },
    circular,
  ]);
}
