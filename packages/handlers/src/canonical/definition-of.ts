import { type HookDefinition, hookIdOf } from '@tenterhook/protocol';
import { maxDelayMs } from '../calling/read-answer.js';
import type { Hook } from '../definition/hook.js';
import { canonicalNames } from '../definition/hook-event-type.js';
import type { RegisteredHook } from '../registered-hook.js';
import { handlersDialectName } from './handlers-dialect.js';
import type { SessionTally } from './session-tally.js';

const source = 'handler';
const maxTimerMs = 2_147_483_647;

/** A registered hook as one of the definitions that are planned and run. */
export function definitionOf(registered: RegisteredHook, tally: SessionTally): HookDefinition {
  const { hook, matcher, handler } = registered;
  const eventName = canonicalNames[hook.event_type];
  return {
    id: hookIdOf(handlersDialectName, source, eventName, hook.id),
    dialect: handlersDialectName,
    source,
    eventName,
    dialectEvent: hook.event_type,
    name: hook.id,
    ...(hook.matcher === undefined || Object.keys(hook.matcher).length === 0 ? {} : { matcher: JSON.stringify(hook.matcher) }),
    timeoutMs: longestMs(hook),
    onError: hook.config.onError,
    ...(hook.config.async_execution ? { async: true } : {}),
    action: { kind: 'call', handlerId: hook.id },
    ...(handler === undefined ? { skip: skipOf(hook) } : {}),
    ...(matcher.impossible === undefined ? {} : { skip: { skipReason: 'matcher' as const, reason: matcher.impossible } }),
    dialectData: { registered, tally },
  };
}

/** The most one event can wait for it: every call until its deadline, and every delay in between. A call has its own deadline. */
function longestMs({ config }: Hook): number {
  return Math.min((config.max_retries + 1) * config.timeout_ms + config.max_retries * maxDelayMs, maxTimerMs);
}

function skipOf({ id }: Hook) {
  return {
    skipReason: 'no-handler' as const,
    reason: `No handler is registered for "${id}". Call register_handler("${id}", …), or unregister the hook.`,
  };
}
