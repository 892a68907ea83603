import { isDeepStrictEqual } from 'node:util';
import { type HookOutcome, skipReasons } from '@tenterhook/protocol';
import { describeOption, escapeUnseen, suggestName } from '@tenterhook/runtime/text';
import { type FoundHooks, findHooks, type HookReference } from './hook-reference.js';
import type { MatcherResult, MatcherThis } from './matcher-context.js';
import { type ReceivedResult, readReceived } from './received-results.js';

/**
 * Passes if the verdict of an event is deny and the hook is among those that decided it. A failure that was turned into a deny
 * (`failedClosed`) counts. Throws a TypeError if the received value has no result.
 */
export function toHaveBeenBlockedBy(this: MatcherThis, received: unknown, hook: HookReference): MatcherResult {
  const results = readReceived('toHaveBeenBlockedBy', received);
  const found = findHooks('toHaveBeenBlockedBy', hook, results, this);
  const pass = results.some(({ verdict }) => verdict.kind === 'deny' && verdict.by.some(found.has));
  const head = `Expected ${found.label} ${pass ? 'not to have blocked' : 'to have blocked'} the event.`;
  return { pass, message: () => lines(head, ...results.map(verdictLine), ...whyLines(found, results)) };
}

/** Passes if the hook ran, however it ended. Throws a TypeError if the received value has no result. */
export function toHaveRun(this: MatcherThis, received: unknown, hook: HookReference): MatcherResult {
  const results = readReceived('toHaveRun', received);
  const found = findHooks('toHaveRun', hook, results, this);
  const pass = found.outcomes.some(hasRun);
  const head = `Expected ${found.label} ${pass ? 'not to have run' : 'to have run'}.`;
  return { pass, message: () => lines(head, ...whyLines(found, results)) };
}

/**
 * Passes if the hook was skipped, for `reason` if it is given. Throws a TypeError if the received value has no result, and for an unknown
 * reason.
 */
export function toHaveSkipped(this: MatcherThis, received: unknown, hook: HookReference, reason?: string): MatcherResult {
  const results = readReceived('toHaveSkipped', received);
  if (reason !== undefined && !Object.hasOwn(skipReasons, reason)) {
    const known = Object.keys(skipReasons);
    throw new TypeError(
      `toHaveSkipped: ${describeOption(reason)} is not a reason. ${suggestName(reason, known, `The reasons are ${known.join(', ')}.`)}`,
    );
  }
  const found = findHooks('toHaveSkipped', hook, results, this);
  const pass = found.outcomes.some(({ status, skipReason }) => status === 'skipped' && (reason === undefined || skipReason === reason));
  const wanted = `${pass ? 'not to have been' : 'to have been'} skipped${reason === undefined ? '' : ` (${reason})`}`;
  return { pass, message: () => lines(`Expected ${found.label} ${wanted}.`, ...whyLines(found, results)) };
}

/**
 * Passes if a hook rewrote the value at a path of the input, such as `tool_input.path`. With `value`, the value after the last rewrite must
 * equal it. Throws a TypeError if the received value has no result.
 */
export function toHaveRewritten(this: MatcherThis, received: unknown, path: string, ...expected: readonly unknown[]): MatcherResult {
  const results = readReceived('toHaveRewritten', received);
  if (typeof path !== 'string' || path === '') {
    throw new TypeError(`toHaveRewritten: the path must be a text such as "tool_input.path", and is ${describeOption(path)}.`);
  }
  const changes = results.flatMap((result) => result.changes);
  const last = changes.filter((change) => change.path === path).at(-1);
  const equals = this?.equals ?? isDeepStrictEqual;
  const pass = last !== undefined && (expected.length === 0 || equals(last.after, expected[0]));
  const wanted = expected.length === 0 ? '' : ` to ${json(expected[0])}`;
  const made = changes.map((change) => `${change.path}: ${json(change.before)} → ${json(change.after)} by ${change.hookId}`);
  return {
    pass,
    message: () =>
      lines(
        `Expected ${pass ? 'no hook' : 'a hook'} to have rewritten ${escapeUnseen(path)}${wanted}.`,
        ...(made.length === 0 ? ['No hook rewrote anything.', ...results.flatMap(({ failure }) => failure ?? [])] : made),
      ),
  };
}

/** Who decided, and why. */
function verdictLine({ place, verdict, failure }: ReceivedResult): string {
  const deciders = verdict.by.length === 0 ? '' : ` by ${verdict.by.join(', ')}`;
  const reason = verdict.reason === undefined ? '' : `: ${verdict.reason}`;
  const stop = verdict.stop ? `; ${verdict.stoppedBy.join(', ')} asked for a stop` : '';
  const unanswered = failure === undefined ? '' : `; the hooks were not asked (${failure})`;
  return `${place === undefined ? 'The' : `${place}: the`} verdict is ${verdict.kind}${deciders}${reason}${stop}${unanswered}`;
}

/** What each of the hooks did, or which hooks there are. */
function whyLines({ outcomes, label }: FoundHooks, results: readonly ReceivedResult[]): string[] {
  if (outcomes.length > 0) return outcomes.map((outcome) => `${outcome.hookId} ${howEnded(outcome)}`);
  const ids = [...new Set(results.flatMap((result) => result.outcomes.map(({ hookId }) => hookId)))];
  if (ids.length === 0) return ['No hook of this event is known: none is configured, or no hook was asked.'];
  return [`No hook of this event is ${label}. Its hooks are ${ids.join(', ')}.`];
}

function howEnded(outcome: HookOutcome): string {
  const { status, skipReason, warnings, output, exitCode, failedClosed } = outcome;
  if (status === 'skipped') {
    const meaning = skipReason === undefined ? '' : `: ${skipReason}. ${skipReasons[skipReason] ?? ''}`;
    return `was skipped${meaning}`;
  }
  const again = outcome.recheck === true ? ' when it was asked again' : '';
  const exit = exitCode === undefined || exitCode === 0 ? '' : ` with exit code ${exitCode}`;
  const decision = output?.decision === undefined || output.decision === null ? '' : `, and decided ${output.decision}`;
  const closed = failedClosed === true ? ', and this failure denies' : '';
  const why = warnings.length === 0 ? '' : `: ${warnings.map(({ message }) => message).join(' ')}`;
  return `${hasRun(outcome) ? 'ran' : 'did not run'}${again}: ${status}${exit}${decision}${closed}${why}`;
}

/** A hook that was never started has the status `cancelled` or `failed`, too. */
function hasRun({ status, limited, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && limited !== true && !warnings.some(({ code }) => code === 'not_started');
}

function json(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Joins the lines of a message. Texts of hooks are untrusted, so what a terminal interprets is escaped. */
function lines(...texts: readonly string[]): string {
  return texts
    .map((text) =>
      text
        .split('\n')
        .map((line) => escapeUnseen(line))
        .join('\n    '),
    )
    .join('\n');
}
