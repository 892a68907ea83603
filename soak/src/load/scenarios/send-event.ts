import type { Hooks } from 'tenterhook';
import type { Ledger } from '../../checks/request-log.js';
import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import { sendCut } from './send-cut.js';
import { sendMany } from './send-many.js';
import { sendPlainly } from './send-plainly.js';
import { sendWrong } from './send-wrong.js';

/** What a way of sending needs. */
export interface Sender {
  readonly hooks: Hooks;
  readonly ledger: Ledger;
}

/** Sends an event the way it is planned; resolves when it was answered and its caller has been told. */
export function sendEvent(sender: Sender, plan: EventPlan): Promise<void> {
  const intent: Intent = { number: plan.number, eventName: plan.eventName, how: plan.way, codes: [] };
  switch (plan.way) {
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
      // One more than a service takes, and some.
      return sendMany(sender, plan, { ...intent, codes: ['overloaded'] }, 1100);
  }
}
