import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { words } from './words.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Hooks in the wild deny with a `message`, which is no field of any format. An objection that gives no reason gets it as one: the model would
 * otherwise be told that there is none, and try again.
 */
export function withMessageAsReason(printed: Fields): { readonly object: Fields; readonly warnings: readonly HookWarning[] } {
  const unchanged = { object: printed, warnings: [] };
  if (words.objectionsOf(printed).every((objection) => objection === 'stop')) return unchanged;
  const { message, hookSpecificOutput, ...others } = printed;
  const { message: inner, ...specific }: Fields = isPlainObject(hookSpecificOutput) ? hookSpecificOutput : {};
  if (isText(others['reason']) || isText(specific['permissionDecisionReason'])) return unchanged;
  if (isText(inner))
    return { object: { ...printed, hookSpecificOutput: specific, reason: inner }, warnings: [taken('hookSpecificOutput.message')] };
  if (!isText(message)) return unchanged;
  const object = { ...others, ...(hookSpecificOutput === undefined ? {} : { hookSpecificOutput }), reason: message };
  return { object, warnings: [taken('message')] };
}

function taken(path: string): HookWarning {
  return {
    code: 'reserved_field',
    message: `${path} is no field of this format; it is taken as the reason, which is missing. Write "reason".`,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
