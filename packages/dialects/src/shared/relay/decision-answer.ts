import { omitUndefined } from '@tenterhook/runtime/json';
import type { Saying } from './create-relay-format.js';
import { joined } from './intent.js';
import { textOfNewResult } from './result.js';

/**
 * Writes an answer in the way of Gemini CLI and LLxprt Code, which have `decision` on every event. After a tool, a deny replaces the result
 * by its reason. So a deny that keeps the result becomes context, and a new result becomes a deny.
 */
export function decisionAnswer({ event, eventName, intent }: Saying): Readonly<Record<string, unknown>> {
  const { kind, reason, stop, stopReason, result } = intent;
  const isFeedback = eventName === 'AfterTool' && kind === 'deny';
  const isDecided = kind !== 'none' && !isFeedback && !(stop && eventName === 'AfterAgent');
  const [input] = intent.inputs;
  const specific = omitUndefined({
    tool_input: kind === 'deny' ? undefined : input,
    ...intent.model,
    toolConfig: intent.tools,
    additionalContext: joined([intent.context, isFeedback ? reason : '']) || undefined,
  });
  return omitUndefined({
    continue: stop ? false : undefined,
    stopReason: stop ? stopReason || undefined : undefined,
    ...(isDecided ? { decision: kind, reason: reason || undefined } : {}),
    ...(result === undefined ? {} : { decision: 'deny', reason: textOfNewResult(result) || 'A hook removed this result.' }),
    systemMessage: joined([intent.user, intent.everyone]) || undefined,
    hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : { hookEventName: event, ...specific },
  });
}
