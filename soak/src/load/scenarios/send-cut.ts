import { setTimeout as wait } from 'node:timers/promises';
import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './send-event.js';
import { checkResult } from './sender.js';

const channel = 'HOOK_EXECUTION_REQUEST';

/** Sent, and ended before it is done, in one of the ways there are. */
export function sendCut(sender: Sender, plan: EventPlan, intent: Intent): Promise<void> {
  switch (plan.way) {
    case 'fire, aborted':
    case 'fire, timed out':
    case 'fire, aborted before':
      return fire(sender, plan, intent);
    case 'stream, unsubscribed':
    case 'stream, unsubscribed at the first start':
      return unsubscribe(sender, plan, intent);
    default:
      return request(sender, plan, intent);
  }
}

async function fire({ hooks, ledger }: Sender, { input, way, cutMs }: EventPlan, intent: Intent): Promise<void> {
  const control = new AbortController();
  if (way === 'fire, aborted before') control.abort();
  const options = way === 'fire, timed out' ? { timeoutMs: cutMs } : { signal: control.signal };
  const { result, ids } = ledger.send(intent, () => input.fire(hooks.getEventHandler(), options));
  const timer = setTimeout(() => control.abort(), cutMs);
  await checkResult(ledger, intent, result);
  await ledger.whenAnswered(ids);
  clearTimeout(timer);
}

async function request({ hooks, ledger }: Sender, { number, eventName, input, way, cutMs }: EventPlan, intent: Intent): Promise<void> {
  const control = new AbortController();
  const correlationId = `soak-${number}`;
  const options = way === 'request, timed out' ? { timeoutMs: cutMs } : { signal: control.signal };
  const { result, ids } = ledger.send(intent, () => hooks.bus.request(channel, { correlationId, eventName, input: input.fields }, options));
  const timer = setTimeout(() => {
    if (way === 'request, cancelled by message') {
      hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'the soak' } });
    } else control.abort();
  }, cutMs);
  const { error } = await result;
  const legal = way === 'request, timed out' ? ['timeout'] : ['cancelled'];
  if (error !== undefined && !legal.includes(error.code) && !ledger.isEnding) ledger.report(intent, `the caller got "${error.code}"`);
  await ledger.whenAnswered(ids);
  clearTimeout(timer);
}

async function unsubscribe({ hooks, ledger }: Sender, { eventName, input, way, cutMs }: EventPlan, intent: Intent): Promise<void> {
  const { result, ids } = ledger.send(intent, () => {
    const subscription = hooks.bus.requestStream(channel, { eventName, input: input.fields }).subscribe((message) => {
      if (way !== 'stream, unsubscribed at the first start' || message.type !== 'HOOK_EXECUTION_PROGRESS') return;
      if (message.payload.kind === 'hook-started') subscription.unsubscribe();
    });
    return subscription;
  });
  if (way === 'stream, unsubscribed') {
    await wait(cutMs);
    result.unsubscribe();
  }
  await ledger.whenAnswered(ids);
}
