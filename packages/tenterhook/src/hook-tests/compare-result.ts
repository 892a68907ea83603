import { compileRegex } from '@tenterhook/patterns';
import type { HookExecutionResponse, HookOutcome } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { type CaseWarning, doubtAboutDeny, nameOf } from './hook-problems.js';
import type { Expectation, ExpectedText } from './test-case.js';

/** A field whose value is not the expected one. The values are data; the report formats them. */
export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly received: unknown;
  /** Why, or what to do. */
  readonly hint?: string;
}

/** Ends that mean that a hook did not do its work. A case that does not expect them fails, or a broken guard would pass each test. */
const troubles: readonly HookOutcome['status'][] = ['failed', 'timed-out', 'cancelled'];

/** Compares the response of an event with what a case expects. Returns the differences, the most important first. */
export function compareResult(
  { output, error }: HookExecutionResponse,
  expected: Expectation,
  { warnings, input }: { readonly warnings: readonly CaseWarning[]; readonly input: Readonly<Record<string, unknown>> },
): Difference[] {
  if (output === undefined)
    return [{ field: 'response', expected: 'a result', received: error?.code, ...(error && { hint: error.message }) }];
  const { verdict, changes, outcomes } = output;
  const differences: Difference[] = [];
  const add = (field: string, wanted: unknown, received: unknown, hint?: string) =>
    differences.push({ field, expected: wanted, received, ...(hint === undefined ? {} : { hint }) });

  const { verdict: kind, stop, reason, context, by, rewrites, hooks = {} } = expected;
  if (kind !== undefined && kind !== verdict.kind) add('verdict', kind, verdict.kind, verdict.reason);
  if (stop !== undefined && stop !== verdict.stop) add('stop', stop, verdict.stop, verdict.stopReason);
  const deciders = [...verdict.by, ...verdict.stoppedBy];
  const names = deciders.map((id) => outcomes.find(({ hookId }) => hookId === id)?.name ?? id);
  const known = [...new Set(outcomes.flatMap((outcome) => [nameOf(outcome), outcome.hookId]))];
  const others = by?.filter((hook) => !deciders.includes(hook) && !names.includes(hook)) ?? [];
  const meant = others.filter((hook) => !known.includes(hook)).map((hook) => suggestName(hook, known, ''));
  if (others.length > 0) add('by', by, names, meant.join(' ').trim() || undefined);
  const said = verdict.reason ?? verdict.stopReason;
  if (reason !== undefined && !hasText(said, reason)) add('reason', reason, said);
  const added = output.finalOutput?.hookSpecificOutput?.['additionalContext'];
  if (context !== undefined && !hasText(typeof added === 'string' ? added : undefined, context)) add('context', context, added);
  if (rewrites !== undefined) {
    const received = Object.fromEntries(changes.map(({ path, after }) => [path, after]));
    if (!isSameJson(rewrites, received)) add('rewrites', rewrites, received, adviceOnPaths(rewrites, received, input));
  }
  for (const [hook, status] of Object.entries(hooks)) {
    const outcome = outcomes.findLast((each) => isHook(each, hook));
    const all = outcomes.map(nameOf).join(', ');
    if (outcome === undefined)
      add(`hooks.${hook}`, status, undefined, suggestName(hook, known, `The hooks of the event are ${all || 'none'}.`));
    else if (outcome.status !== status) add(`hooks.${hook}`, status, outcome.status, messageOf(outcome));
  }
  for (const outcome of outcomes) {
    const isExpected = Object.keys(hooks).some((hook) => isHook(outcome, hook));
    if (isExpected || !isTrouble(outcome)) continue;
    add(`hooks.${nameOf(outcome)}`, 'no failure', outcome.skipReason ?? outcome.status, messageOf(outcome));
  }
  return [...differences, ...(reason === undefined ? doubts(outcomes) : []), ...compareWarnings(warnings, expected.warnings ?? [])];
}

/** Interpreters end with 2 if they cannot read a script. If the case expects a reason, only the guard itself can have given it. */
function doubts(outcomes: readonly HookOutcome[]): Difference[] {
  return outcomes.flatMap((outcome) => {
    const doubt = doubtAboutDeny(outcome);
    if (doubt === undefined) return [];
    const advice = 'A broken guard ends with 2, too. If the guard itself denied, expect its "reason" in the case.';
    const hint = [outcome.stderr?.trim() ?? '', advice].filter((text) => text !== '').join('\n');
    return [{ field: `hooks.${nameOf(outcome)}`, expected: 'a deny of the guard', received: doubt, hint }];
  });
}

/** Each expected code must occur, and no other. */
function compareWarnings(warnings: readonly CaseWarning[], expected: readonly string[]): Difference[] {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  const surprising = new Set(warnings.filter(({ code, counts }) => counts && !expected.includes(code)).map(({ code }) => code));
  const absent = expected.filter((code) => !codes.some((found) => found === code));
  if (surprising.size === 0 && absent.length === 0) return [];
  const received = absent.length > 0 ? codes : codes.filter((code) => surprising.has(code) || expected.includes(code));
  const advice = `If the case is about ${surprising.size === 1 ? 'this warning' : 'these warnings'}, write "warnings": ${JSON.stringify([...new Set([...expected, ...surprising])])}.`;
  return [
    { field: 'warnings', expected: listed(expected), received: listed(received), ...(surprising.size === 0 ? {} : { hint: advice }) },
  ];
}

function listed(codes: readonly string[]): string {
  return codes.length === 0 ? 'none' : codes.join(', ');
}

/** Returns advice about paths that leave out the field of the input, such as `content` in place of `tool_input.content`. */
function adviceOnPaths(rewrites: object, received: object, input: Readonly<Record<string, unknown>>): string | undefined {
  const inside = Object.entries(input).flatMap(([field, value]) =>
    isPlainObject(value) ? Object.keys(value).map((key) => `${field}.${key}`) : [],
  );
  const meant = Object.keys(rewrites).flatMap((path) => {
    if (Object.hasOwn(received, path) || Object.hasOwn(input, path)) return [];
    return [...Object.keys(received), ...inside].find((each) => each.endsWith(`.${path}`)) ?? [];
  });
  return meant.length === 0 ? undefined : `Paths begin with a field of the input. Write ${meant.map((path) => `"${path}"`).join(', ')}.`;
}

/** A hook that is skipped because it is invalid or not trusted does not do its work either. */
function isTrouble({ status, skipReason }: HookOutcome): boolean {
  return troubles.includes(status) || (status === 'skipped' && (skipReason === 'untrusted' || skipReason === 'invalid'));
}

function isHook({ hookId, name }: HookOutcome, hook: string): boolean {
  return hookId === hook || name === hook;
}

/** The first warning, and the end of what the hook printed to stderr, unless the warning quotes it. */
function messageOf({ warnings, stderr }: HookOutcome): string | undefined {
  const message = warnings[0]?.message ?? '';
  const last = stderr?.trim().split('\n').at(-1) ?? '';
  const texts = message.includes(last) ? [message] : [message, last];
  return texts.join('\n').trim() || undefined;
}

function hasText(text: string | undefined, expected: ExpectedText): boolean {
  if (text === undefined) return false;
  if (typeof expected === 'string') return text.includes(expected);
  if ('equals' in expected) return text === expected.equals;
  const compiled = compileRegex(expected.matches);
  return compiled.ok && compiled.test(text);
}
