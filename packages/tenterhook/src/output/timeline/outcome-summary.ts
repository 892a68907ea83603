import { type Change, eventEntry, type HookOutcome, isHookEventName, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { canonicalOutputSchema } from '@tenterhook/protocol/internal';
import { escapeForTerminal } from '../terminal/escape.js';
import { formatDuration } from './duration.js';
import type { StartedHook } from './event-record.js';

/** The facts about an event that the summary of an outcome needs. */
export interface OutcomeSummaryContext {
  readonly changes: readonly Change[];
  readonly started: StartedHook | undefined;
  readonly labelOf: (hookId: string) => string;
}

export function summarizeOutcome(outcome: HookOutcome, context: OutcomeSummaryContext): string {
  const summary = summarizeRun(outcome, context);
  return outcome.recheck ? `asked again: ${summary}` : summary;
}

function summarizeRun(outcome: HookOutcome, context: OutcomeSummaryContext): string {
  switch (outcome.status) {
    case 'succeeded':
    case 'blocked':
      return describeOutput(outcome, context.changes) || 'no opinion';
    case 'failed':
      return closed(describeFailure(outcome), outcome);
    case 'timed-out':
      return closed(`timed out after ${formatDuration(context.started?.timeoutMs ?? outcome.durationMs)}`, outcome);
    case 'cancelled':
      return closed(describeCancelled(outcome), outcome);
    case 'skipped':
      return closed(`skipped: ${describeSkip(outcome, context.labelOf)}`, outcome);
    case 'detached':
      return 'runs asynchronously';
  }
}

const verdictWords: Readonly<Record<VerdictKind, string | undefined>> = { deny: 'denied', ask: 'asked', allow: 'allowed', none: undefined };

function describeOutput({ hookId, eventName, output, recheck, allowIgnored }: HookOutcome, changes: readonly Change[]): string {
  if (output === undefined) return '';
  const word = verdictWords[verdictOf(output.decision)];
  const decision = allowIgnored ? `${word}, which has no effect` : word;
  const specific = canonicalOutputSchema.safeParse(output.hookSpecificOutput ?? {}).data ?? {};
  const paths = changes.filter((change) => change.hookId === hookId).map((change) => escapeForTerminal(change.path, 60));
  const rewritten = [...new Set(paths)];
  // A hook that runs again on rewritten input can only decide. Its rewrites are ignored, except for events on which hooks may remove
  // secrets from data.
  if (recheck) {
    const redacts = isHookEventName(eventName) && eventEntry(eventName).redacts === true && rewritten.length > 0;
    return [decision, output.continue === false ? 'stopped the agent' : undefined, redacts ? `rewrote ${rewritten.join(', ')}` : undefined]
      .filter((part) => part !== undefined)
      .join(', ');
  }
  const parts = [
    decision,
    output.continue === false ? 'stopped the agent' : undefined,
    rewritten.length > 0 ? `rewrote ${rewritten.join(', ')}` : undefined,
    specific['llm_response'] !== undefined && rewritten.length === 0 ? 'answered for the model' : undefined,
    isText(specific['additionalContext']) ? 'added context' : undefined,
    output.suppressOutput === true ? 'hid the output' : undefined,
    isText(output.systemMessage) ? `said: "${escapeForTerminal(output.systemMessage, 160)}"` : undefined,
    isText(specific.userMessage) ? `user message: "${escapeForTerminal(specific.userMessage, 160)}"` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function describeFailure(outcome: HookOutcome): string {
  const code = outcome.warnings[0]?.code;
  if (outcome.signal !== undefined) return `ended by ${escapeForTerminal(outcome.signal, 20)}`;
  if (code === 'missing_command') return 'command not found';
  if (code === 'not_executable') return 'command not executable';
  if (outcome.exitCode !== undefined && outcome.exitCode !== 0) return `exit code ${outcome.exitCode}`;
  return code === undefined ? 'failed' : escapeForTerminal(code, 40).replaceAll('_', ' ');
}

function describeCancelled({ warnings }: HookOutcome): string {
  return warnings[0]?.code === 'not_started' ? 'not started' : 'cancelled';
}

function describeSkip({ skipReason, duplicateOf }: HookOutcome, labelOf: OutcomeSummaryContext['labelOf']): string {
  if (duplicateOf !== undefined) return `duplicate of ${labelOf(duplicateOf)}`;
  if (skipReason === 'circuit-open') return 'it failed too often';
  if (skipReason === 'reentrant') return 'it runs within itself';
  return escapeForTerminal(skipReason ?? 'no reason given', 60);
}

function closed(summary: string, { failedClosed }: HookOutcome): string {
  return failedClosed ? `${summary}, so it denies` : summary;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
