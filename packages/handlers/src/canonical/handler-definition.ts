import { type HookDefinition, hookIdOf } from '@tenterhook/protocol';
import { maxDelayMs } from '../calling/read-answer.js';
import type { Hook } from '../definition/hook.js';
import { canonicalNames } from '../definition/hook-event-type.js';
import { longestTimerMs } from '../longest-timer.js';
import { type HandlerData, handlerExecutorKind, handlerSourceName, handlersDialectName } from './handlers-dialect.js';

/** A registered hook as one of the definitions that are planned and run. */
export function definitionOf(data: HandlerData): HookDefinition {
  const { hook, matcher, handler } = data.registered;
  const eventName = canonicalNames[hook.event_type];
  return {
    id: hookIdOf(handlersDialectName, handlerSourceName, eventName, hook.id),
    dialect: handlersDialectName,
    source: handlerSourceName,
    eventName,
    dialectEvent: hook.event_type,
    name: hook.id,
    ...(hook.matcher === undefined || Object.keys(hook.matcher).length === 0 ? {} : { matcher: JSON.stringify(hook.matcher) }),
    timeoutMs: hook.config.timeout_ms,
    longestMs: longestMs(hook),
    onError: hook.config.onError,
    ...(hook.config.async_execution ? { async: true } : {}),
    action: { kind: 'call', handlerId: hook.id },
    executor: handlerExecutorKind,
    ...(handler === undefined ? { skip: skipOf(hook) } : {}),
    ...(matcher.impossible === undefined ? {} : { skip: { skipReason: 'matcher' as const, reason: matcher.impossible } }),
    dialectData: data,
  };
}

/** The most one event can wait for it: every call until its deadline, and every delay in between. A call has its own deadline. */
function longestMs({ config }: Hook): number {
  return Math.min((config.max_retries + 1) * config.timeout_ms + config.max_retries * maxDelayMs, longestTimerMs);
}

function skipOf({ id }: Hook) {
  return {
    skipReason: 'no-handler' as const,
    reason: `No handler is registered for "${id}". Call register_handler("${id}", …), or unregister the hook.`,
  };
}
