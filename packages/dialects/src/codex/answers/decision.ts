import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../../shared/text.js';
import type { CodexEvent } from '../input/event-table.js';
import { deniedFields, isGiven } from './violations.js';

type Fields = Readonly<Record<string, unknown>>;

/** A decision of a hook, wherever the answer has it. */
export interface Decision {
  readonly kind: 'deny' | 'ask' | 'allow';
  readonly reason?: string;
  /** Why Codex itself denies although the hook did not. */
  readonly closedBy?: string;
}

/**
 * Finds the strictest decision in an answer. A deny or an ask counts in any field in which an author may have meant it, because a deny
 * must not be lost. An allow counts only where Codex reads it.
 */
export function findDecision(printed: Fields, event: CodexEvent): Decision | undefined {
  const specific = isPlainObject(printed['hookSpecificOutput']) ? printed['hookSpecificOutput'] : {};
  const places = [printed, specific];
  const words = places.flatMap((place) => [
    wordOf(place['decision'], place['reason']),
    wordOf(place['permissionDecision'], place['permissionDecisionReason'] ?? printed['reason']),
  ]);
  const found = words.filter((word) => word !== undefined);
  const closing = event === 'PermissionRequest' ? findClosingField(specific['decision']) : undefined;
  const denied = found.find(({ kind }) => kind === 'deny');
  if (denied !== undefined) return denied;
  if (closing !== undefined) return { kind: 'deny', closedBy: closing };
  return found.find(({ kind }) => kind === 'ask') ?? found.find(({ kind }) => kind === 'allow');
}

function wordOf(value: unknown, reason: unknown): Decision | undefined {
  const isAnswer = isPlainObject(value);
  const word = isAnswer ? value['behavior'] : value;
  const why = isAnswer ? value['message'] : reason;
  const said = isText(why) ? { reason: why } : {};
  switch (word) {
    case 'deny':
    case 'block':
      return { kind: 'deny', ...said };
    case 'ask':
      return { kind: 'ask', ...said };
    case 'allow':
      return { kind: 'allow', ...said };
    default:
      return undefined;
  }
}

function findClosingField(decision: unknown): string | undefined {
  return isPlainObject(decision) ? deniedFields.find((field) => isGiven(decision[field])) : undefined;
}
