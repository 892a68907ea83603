import type { Decoded, Dialect, HookDefinition, HookEvent, Selection, Stage } from '@tenterhook/protocol';
import type { RegisteredHook, Warn } from '../calling/handler.js';
import type { AttemptsEnd } from '../calling/run-attempts.js';
import type { DetachedCalls } from '../calling/run-detached.js';
import { canonicalNames, type HookEventType } from '../definition/hook-event-type.js';
import type { MatchSubject } from '../matching/compile-matcher.js';
import { toHandlerEvent } from './handler-event.js';
import { toHookOutput } from './handler-output.js';
import type { SessionTally } from './session-tally.js';

export const handlersDialectName = 'handlers';
export const handlerSourceName = 'handler';

/** The kind of the executor that calls handlers. It is not `call`, because a host may have its own executor of that kind. */
export const handlerExecutorKind = 'handler';

/** The data of a definition: everything that is needed to select, call and decode a handler. So one dialect serves all engines. */
export interface HandlerData {
  readonly registered: RegisteredHook;
  readonly tally: SessionTally;
  readonly warn: Warn;
  readonly detached: DetachedCalls;
}

export function getHandlerData(hook: HookDefinition): HandlerData {
  return hook.dialectData as HandlerData;
}

function getType(hook: HookDefinition): HookEventType {
  return getHandlerData(hook).registered.hook.event_type;
}

/**
 * The dialect of handlers, for all engines. Each handler is a stage of its own. The stages run in order of priority, before the
 * hooks of other dialects.
 */
export const handlersDialect: Dialect = Object.freeze({
  name: handlersDialectName,
  events: canonicalNames,
  readsEnvironment: false,
  // Programs register handlers, so there are no files.
  locations: () => [],
  parse: () => ({ hooks: [], diagnostics: [] }),

  /** `hooks` are in the order of the engines. The sort is stable, so hooks of equal priority keep this order (decision 46). */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[] {
    const priority = (hook: HookDefinition) => getHandlerData(hook).registered.hook.config.priority;
    return [...hooks].sort((a, b) => priority(a) - priority(b)).map((hook) => ({ hooks: [hook] }));
  },

  select(hook: HookDefinition, event: HookEvent): Selection {
    const { matcher, standing } = getHandlerData(hook).registered;
    const mismatch = matcher.mismatch(toMatchSubject(event));
    if (mismatch === undefined) return { run: true, reason: [matcher.matched, standing?.()].filter(Boolean).join(', ') };
    const { reason, isByArgs } = mismatch;
    return { run: false, skipReason: 'matcher', reason, ...(isByArgs ? { reconsider: true } : {}) };
  },

  invocation(event: HookEvent, hook: HookDefinition) {
    const { registered, tally } = getHandlerData(hook);
    const counts = tally.countsOf(event.input.session_id);
    return { kind: 'call' as const, handlerId: registered.hook.id, argument: toHandlerEvent(registered.hook.event_type, event, counts) };
  },

  decode(exit, event: HookEvent, hook: HookDefinition): Decoded {
    if (exit.kind !== 'answered') throw new TypeError(`a handler cannot end as "${exit.kind}"`);
    const end = exit.answer as AttemptsEnd;
    if (end.kind === 'failed')
      return { failure: { code: end.code, message: `${end.message}${describePolicy(hook)}` }, warnings: end.warnings };
    const output =
      end.kind === 'answered' ? toHookOutput(end.answer, getType(hook), event, getHandlerData(hook).registered.hook.id) : undefined;
    return { ...(output === undefined ? {} : { output }), warnings: end.warnings };
  },
} satisfies Dialect);

/**
 * The fields are getters, so that only the fields that a matcher needs are read. The planner caches plans by the fields that were
 * read.
 */
function toMatchSubject({ input }: HookEvent): MatchSubject {
  const fields = input as Partial<Record<string, unknown>>;
  return {
    get tool() {
      const { tool_name: tool } = fields;
      return typeof tool === 'string' ? tool : undefined;
    },
    get args() {
      const { tool_input: args } = fields;
      return typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
    },
    get sessionId() {
      const { session_id = '' } = fields;
      return String(session_id);
    },
    get workingDirectory() {
      const { cwd = '' } = fields;
      return String(cwd);
    },
  };
}

function describePolicy(hook: HookDefinition): string {
  const { remedy } = getHandlerData(hook).registered;
  if (remedy !== undefined) return ` ${remedy}`;
  return hook.onError === 'block' ? '' : ' The failure is ignored (onError: continue). To block instead, set onError to "block".';
}
