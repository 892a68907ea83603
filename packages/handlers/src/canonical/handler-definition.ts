import { type Diagnostic, type DiagnosticCode, type HookDefinition, hookIdOf } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import type { RegisteredHook } from '../calling/handler.js';
import { maxDelayMs } from '../calling/read-answer.js';
import { isDetached } from '../calling/run-detached.js';
import type { Hook } from '../definition/hook.js';
import { canonicalNames } from '../definition/hook-event-type.js';
import { type HandlerData, handlerExecutorKind, handlerSourceName, handlersDialectName } from './handlers-dialect.js';

export function toDefinition(data: HandlerData): HookDefinition {
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
    ...(isDetached(hook) ? { async: true } : {}),
    ...(hook.config.recheck === false ? { recheck: false as const } : {}),
    action: { kind: 'call', handlerId: hook.id },
    executor: handlerExecutorKind,
    ...(data.registered.engine === undefined ? {} : { engine: data.registered.engine }),
    ...(data.registered.remedy === undefined ? {} : { remedy: data.registered.remedy }),
    ...(handler === undefined ? { skip: createSkip(hook) } : {}),
    ...(matcher.impossible === undefined ? {} : { skip: { skipReason: 'matcher' as const, reason: matcher.impossible } }),
    dialectData: data,
  };
}

/** Returns the maximum time in milliseconds that an event waits for the hook, for all calls and all delays between them. */
function longestMs({ config }: Hook): number {
  return Math.min((config.max_retries + 1) * config.timeout_ms + config.max_retries * maxDelayMs, longestTimerMs);
}

function createSkip({ id }: Hook) {
  return {
    skipReason: 'no-handler' as const,
    reason: `No handler is registered for "${id}". Call register_handler("${id}", …), or unregister the hook.`,
  };
}

/** Returns warnings for the author of a hook, about parts of its definition that have no effect or a surprising effect. */
export function findDiagnostics({ hook, matcher, handler }: RegisteredHook): Diagnostic[] {
  const found: Diagnostic[] = [];
  const { tool, command_pattern: command } = hook.matcher ?? {};
  if (matcher.impossible !== undefined) {
    const remedy = 'Take tool, path_pattern and command_pattern out of its matcher, or register it for pre_tool_use or post_tool_use.';
    found.push(warning('unmatched_matcher', `Hook "${hook.id}": ${matcher.impossible}.`, remedy));
  }
  if (typeof tool === 'string' && /[*?|^$()[\]]/.test(tool)) {
    const message = `Hook "${hook.id}" is for the tool ${JSON.stringify(tool)}; "tool" must be one exact name, and is a pattern or a list.`;
    found.push(warning('unmatched_matcher', message, 'Register one hook for each tool; they may share a handler.'));
  }
  if (typeof command === 'string' && /^\/.*\/[a-z]*$/.test(command)) {
    const message = `Hook "${hook.id}" has the command_pattern ${JSON.stringify(command)}. The slashes around it are part of the expression, and match only slashes in the command.`;
    found.push(warning('unmatched_matcher', message, 'Remove the two slashes. To ignore case, begin it with (?i).'));
  }
  if (hook.config.async_execution && hook.config.onError === 'block') {
    const message = `Hook "${hook.id}" has async_execution and the onError "block". async_execution is ignored: a guard for which the event does not wait cannot block.`;
    found.push(warning('invalid_hook', message, 'Remove one of the two.'));
  }
  if (handler === undefined)
    found.push(createMissingHandler(`No handler is registered for the hook "${hook.id}": it does nothing.`, hook.id));
  return found;
}

export function createMissingHandler(message: string, id: string): Diagnostic {
  return warning('missing_handler', message, `Call register_handler("${id}", …) with the id of the hook, or unregister it.`);
}

function warning(code: DiagnosticCode, message: string, remedy: string): Diagnostic {
  return { code, severity: 'warning', message, remedy, dialect: handlersDialectName, source: handlerSourceName };
}
