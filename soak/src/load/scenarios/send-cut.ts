import { setTimeout as wait } from 'node:timers/promises';
import type { Intent } from '../../checks/sent-request.js';
import type { EventPlan } from '../event-plan.js';
import type { Sender } from './sender.js';
import { checkResult } from './sender.js';

const channel = 'HOOK_EXECUTION_REQUEST';

/** Sends an event and ends it early. */
export function sendCut(sender: Sender, plan: EventPlan, intent: Intent): Promise<void> {
  switch (plan.scenario) {
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

async function fire({ hooks, requestLog }: Sender, { input, scenario, cutMs }: EventPlan, intent: Intent): Promise<void> {
  const control = new AbortController();
  if (scenario === 'fire, aborted before') control.abort();
  const options = scenario === 'fire, timed out' ? { timeoutMs: cutMs } : { signal: control.signal };
  const { result, ids } = requestLog.send(intent, () => input.fire(hooks.getEventHandler(), options));
  const timer = setTimeout(() => control.abort(), cutMs);
  await checkResult(requestLog, intent, result);
  await requestLog.whenAnswered(ids);
  clearTimeout(timer);
}

async function request(
  { hooks, requestLog }: Sender,
  { number, eventName, input, scenario, cutMs }: EventPlan,
  intent: Intent,
): Promise<void> {
  const control = new AbortController();
  const correlationId = `soak-${number}`;
  const options = scenario === 'request, timed out' ? { timeoutMs: cutMs } : { signal: control.signal };
  const { result, ids } = requestLog.send(intent, () =>
    hooks.bus.request(channel, { correlationId, eventName: eventName as string, input: input.fields }, options),
  );
  const timer = setTimeout(() => {
    if (scenario === 'request, cancelled by message') {
      hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'the soak' } });
    } else control.abort();
  }, cutMs);
  const { error } = await result;
  const legal = scenario === 'request, timed out' ? ['timeout'] : ['cancelled'];
  if (error !== undefined && !legal.includes(error.code) && !requestLog.isEnding)
    requestLog.report(intent, `the caller got "${error.code}"`);
  await requestLog.whenAnswered(ids);
  clearTimeout(timer);
}

async function unsubscribe({ hooks, requestLog }: Sender, { eventName, input, scenario, cutMs }: EventPlan, intent: Intent): Promise<void> {
  const { result, ids } = requestLog.send(intent, () => {
    const subscription = hooks.bus.requestStream(channel, { eventName: eventName as string, input: input.fields }).subscribe((message) => {
      if (scenario !== 'stream, unsubscribed at the first start' || message.type !== 'HOOK_EXECUTION_PROGRESS') return;
      if (message.payload.kind === 'hook-started') subscription.unsubscribe();
    });
    return subscription;
  });
  if (scenario === 'stream, unsubscribed') {
    await wait(cutMs);
    result.unsubscribe();
  }
  await requestLog.whenAnswered(ids);
}
