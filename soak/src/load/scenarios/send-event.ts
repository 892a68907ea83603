import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import { sendCut } from './send-cut.js';
import { sendMany, sendPlainly } from './send-plainly.js';
import { sendWrong } from './send-wrong.js';
import type { Sender } from './sender.js';

/** Sends an event by its scenario. Resolves when it was answered and its caller has the result. */
export function sendEvent(sender: Sender, plan: EventPlan): Promise<void> {
  const intent: Intent = { number: plan.number, eventName: plan.eventName, how: plan.scenario, codes: [] };
  switch (plan.scenario) {
    case 'fire':
    case 'request':
    case 'stream':
    case 'published':
    case 'in a directory that is not there':
      return sendPlainly(sender, plan, intent);
    case 'fire, aborted':
    case 'fire, timed out':
    case 'fire, aborted before':
    case 'request, aborted':
    case 'request, timed out':
    case 'request, cancelled by message':
    case 'stream, unsubscribed':
    case 'stream, unsubscribed at the first start':
      return sendCut(sender, plan, { ...intent, codes: ['cancelled'], mayBeCut: true });
    case 'invalid input':
    case 'unknown event':
    case 'malformed':
    case 'twice under one id':
    case 'cancel of nothing':
      return sendWrong(sender, plan, intent);
    case 'many at once':
      return sendMany(sender, plan, intent, 40);
    case 'too many at once':
      // The number is slightly more than a service accepts.
      return sendMany(sender, plan, { ...intent, codes: ['overloaded'] }, 1100);
  }
}
