import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { hookLabel, unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering } from '../../shared/output/answer-format.js';
import { formatValue, isText } from '../../shared/text.js';
import { type CodexEvent, factsOf } from '../input/event-table.js';
import type { CodexHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { toHostInput } from '../tools/tool-call.js';
import { type Decision, findDecision } from './decision.js';
import { findViolations } from './violations.js';

type Fields = Readonly<Record<string, unknown>>;

/** What an answer means. */
export interface ReadAnswer {
  readonly output: HookOutput;
  readonly warnings: readonly HookWarning[];
  /** Set if Codex rejects the whole answer. The hook has then failed. */
  readonly rejected?: { readonly code: 'rejected_output' | 'unsupported_ask' | 'too_deep'; readonly why: string };
  /**
   * Why the call is denied although the hook allows it: the host's tool could not do what the hook wrote. Counts only if the answer is
   * all of stdout, because a rewrite counts only then.
   */
  readonly undoable?: string;
}

/**
 * Converts a printed object into canonical output. Codex rejects an answer that breaks one of its rules, and lets the operation
 * proceed. A deny, an ask or a stop in such an answer counts here, with a warning (decision 68).
 */
export function readAnswer(printed: Fields, { event, hook }: Answering, host: CodexHost): ReadAnswer {
  const name = dataOf(hook).event;
  const violations = findViolations(printed, name);
  const found = findDecision(printed, name);
  const warnings = reportOtherEvent(printed, name);
  const label = hookLabel(hook);
  const notes = notesOf(printed, name);
  if (found?.kind === 'deny') return toDeny(found, { name, label, violations, warnings, notes });
  if (found?.kind === 'ask') return toAsk(found, { name, label, violations, warnings, notes }, host);
  const stop = stopOf(printed, name);
  if (violations.length > 0) {
    if (stop === undefined) return { output: {}, warnings, rejected: { code: 'rejected_output', why: violations.join('; ') } };
    const message = `Codex rejects this answer, because ${violations.join('; ')}. Tenterhook obeys the stop in it.`;
    return { output: stop, warnings: [...warnings, { code: 'reserved_field', message }] };
  }
  const allowed = found?.kind === 'allow' && (name === 'PreToolUse' || name === 'PermissionRequest') ? found : undefined;
  const decided = allowed === undefined ? {} : { decision: 'allow' as const, ...reasonOf(allowed) };
  const rewrite = allowed !== undefined && name === 'PreToolUse' ? rewriteOf(printed, event.input, host) : undefined;
  if (rewrite !== undefined && 'output' in rewrite) return { ...rewrite, warnings: [...warnings, ...rewrite.warnings] };
  return { output: { ...stop, ...decided, ...withSpecific({ ...notes, ...rewrite?.fields }) }, warnings };
}

interface Judged {
  readonly name: CodexEvent;
  readonly label: string;
  readonly violations: readonly string[];
  readonly warnings: readonly HookWarning[];
  readonly notes: Fields;
}

function toDeny(found: Decision, { name, label, violations, warnings, notes }: Judged): ReadAnswer {
  const why = found.closedBy === undefined ? violations.join('; ') : `it cannot carry out ${found.closedBy}, and therefore denies`;
  const reason = found.reason ?? `Hook "${label}" denied ${name} and gave no reason.`;
  const isRejected = found.closedBy === undefined && violations.length > 0;
  const counted: HookWarning[] = isRejected
    ? [
        {
          code: 'deny_counted',
          message: `Codex rejects this answer, because ${why}, and ignores its deny. Tenterhook treats it as a deny.`,
        },
      ]
    : found.closedBy === undefined
      ? []
      : [{ code: 'deny_counted', message: `The answer is a deny, because Codex cannot carry out ${found.closedBy}.` }];
  const output = { decision: 'deny' as const, reason, ...withSpecific(notes) };
  return { output: withReplacedResult(output, name), warnings: [...warnings, ...counted] };
}

/** Codex has no ask. A setting decides what it means. */
function toAsk(found: Decision, { name, label, warnings, notes }: Judged, { ask }: CodexHost): ReadAnswer {
  const effect = { deny: 'a deny', ask: 'an ask', none: 'a failure of the hook' }[ask];
  const message = `Codex has no ask: it rejects this answer, and the operation proceeds. Tenterhook treats it as ${effect} (option "ask").`;
  if (ask === 'none') return { output: {}, warnings, rejected: { code: 'unsupported_ask', why: message } };
  const reason = found.reason ?? `Hook "${label}" asked about ${name} and gave no reason.`;
  const output = { decision: ask, reason, ...withSpecific(notes) };
  const all = [...warnings, { code: 'unsupported_ask' as const, message }];
  return { output: ask === 'deny' ? withReplacedResult(output, name) : output, warnings: all };
}

/** A block after a tool replaces the result by the reason, as in Codex (decision 63). */
export function withReplacedResult(output: HookOutput, name: CodexEvent): HookOutput {
  if (name !== 'PostToolUse' || output.reason === undefined) return output;
  return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, updatedToolOutput: output.reason } };
}

function stopOf(printed: Fields, name: CodexEvent): HookOutput | undefined {
  if (printed['continue'] !== false || ['PreToolUse', 'PermissionRequest', 'Interrupt', 'SessionEnd'].includes(name)) return undefined;
  const reason = isText(printed['stopReason']) ? printed['stopReason'] : undefined;
  return { continue: false, ...(reason === undefined ? {} : { stopReason: reason }) };
}

/** Returns the fields that count beside any decision: the context for the model, and the message for the user. */
function notesOf(printed: Fields, name: CodexEvent): Fields {
  const specific = isPlainObject(printed['hookSpecificOutput']) ? printed['hookSpecificOutput'] : {};
  const context = specific['additionalContext'];
  const isRead = factsOf(name).specific?.includes('additionalContext') === true;
  return {
    ...(isRead && isText(context) ? { additionalContext: context } : {}),
    ...(isText(printed['systemMessage']) ? { userMessage: printed['systemMessage'] } : {}),
  };
}

function rewriteOf(printed: Fields, input: Fields, host: CodexHost): ReadAnswer | { readonly fields: Fields } {
  const specific = printed['hookSpecificOutput'] as Fields;
  const unusable = unusableValue('hookSpecificOutput.updatedInput', specific['updatedInput']);
  if (unusable !== undefined) return { output: {}, warnings: [], rejected: { code: 'too_deep', why: unusable.message } };
  const converted = toHostInput(specific['updatedInput'] as Fields, input, host);
  if (converted.ok) return { fields: { updatedInput: converted.input } };
  if (converted.effect === 'fails') return { output: {}, warnings: [], rejected: { code: 'rejected_output', why: converted.why } };
  return { output: {}, warnings: [], undoable: `The call is denied, because ${converted.why}.` };
}

/** Codex reads `hookSpecificOutput` even if it names another event. */
function reportOtherEvent({ hookSpecificOutput: given }: Fields, name: CodexEvent): HookWarning[] {
  const named = isPlainObject(given) ? given['hookEventName'] : undefined;
  if (!isText(named) || named === name) return [];
  const message = `hookSpecificOutput.hookEventName is ${formatValue(named)}, and the event is ${name}. The fields count nevertheless, as in Codex. Write "hookEventName": "${name}".`;
  return [{ code: 'wrong_event', message }];
}

function reasonOf({ reason }: Decision): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function withSpecific(fields: Fields): { readonly hookSpecificOutput?: Fields } {
  return Object.keys(fields).length === 0 ? {} : { hookSpecificOutput: fields };
}
