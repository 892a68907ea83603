import {
  eventEntry,
  type HookDecision,
  type HookEvent,
  type HookOutput,
  type HookWarning,
  stricter,
  type VerdictKind,
  verdictOf,
} from '@tenterhook/protocol';
import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { ReadOutput } from './answer-format.js';
import type { AnswerKeywords } from './answer-keywords.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Objects in an output that is not one JSON object and nothing else. A hook may repeat what it was shown, so any of them may be written by a model or
 * by the author of a file. They can object, and nothing else: an echo must not allow, rewrite or detach.
 */
export interface MixedOutput {
  readonly kind: 'mixed';
  readonly objects: readonly Fields[];
  /** What the output is, if no object objects. Absent: nothing. */
  readonly text?: string;
  readonly why: NotAlone;
  readonly warnings: readonly HookWarning[];
}

/** Why an object is not the whole answer. */
export interface NotAlone {
  readonly code: 'mixed_output' | 'double_encoded' | 'repeated_field';
  /** A sentence. */
  readonly what: string;
  /** A sentence that says what to print. */
  readonly remedy: string;
  /** Reported only if something is ignored. @default always */
  readonly quietly?: true;
}

/** Merges what was read in each object: the strictest decision, and any stop (decision 6). The rest is reported. */
export function objectionsAmong(
  { objects, why, warnings }: MixedOutput,
  read: readonly ReadOutput[],
  event: HookEvent,
  words: AnswerKeywords,
): ReadOutput {
  const ignored = [...new Set(objects.flatMap((object, index) => ignoredFields(object, read[index] as ReadOutput, words)))];
  const own = ignored.length === 0 && why.quietly ? [] : [{ code: why.code, message: describe(why, ignored) }];
  const rewrites = read.some(({ output }) => isRewriting(output, event)) ? [rewriteIgnored(why)] : [];
  return {
    output: mergeObjections(read.map(({ output }) => output)),
    warnings: [...own, ...rewrites, ...warnings, ...read.flatMap((entry) => entry.warnings)],
  };
}

/** No object takes an objection of another away. The reason is that of the deciding object. */
export function mergeObjections(outputs: readonly HookOutput[]): HookOutput {
  const deciding = outputs.reduce<HookOutput>((a, b) => (stricter(kindOf(a), kindOf(b)) === kindOf(b) ? b : a), {});
  const stops = outputs.filter((output) => output.continue === false);
  const stopping = stops.find(({ stopReason }) => stopReason !== undefined) ?? stops[0];
  return {
    ...(isObjection(kindOf(deciding)) ? pick(deciding, 'decision', 'reason') : {}),
    ...(stopping === undefined ? {} : pick(stopping, 'continue', 'stopReason')),
  };
}

/** Whether an output denies, asks or stops. */
export function isObjecting(output: HookOutput): boolean {
  return isObjection(kindOf(output)) || output.continue === false;
}

function kindOf(output: HookOutput): VerdictKind {
  return verdictOf(output.decision);
}

function isObjection(kind: VerdictKind): boolean {
  return kind === 'deny' || kind === 'ask';
}

function pick(output: HookOutput, ...names: readonly (keyof HookOutput)[]): HookOutput {
  return Object.fromEntries(names.flatMap((name) => (output[name] === undefined ? [] : [[name, output[name]]])));
}

/** Fields that only belong to another one, or have no effect in a whole answer either. */
const companions: ReadonlySet<string> = new Set(['reason', 'stopReason', 'permissionDecisionReason', 'hookEventName', 'continue']);

/** The printed fields that would have counted in an object alone, as their author wrote them; of an allow with the value. */
function ignoredFields(object: Fields, { output }: ReadOutput, { decisions }: AnswerKeywords): string[] {
  const { hookSpecificOutput, ...top } = object;
  const specific = isPlainObject(hookSpecificOutput) ? hookSpecificOutput : {};
  const paths = [...Object.keys(top).map((name) => [name]), ...Object.keys(specific).map((name) => ['hookSpecificOutput', name])];
  return paths.flatMap((path) => {
    const value = valueAt(object, path);
    // In some formats a field of another meaning is the reason of an objection.
    const isReason = typeof value === 'string' && (value === output.reason || value === output.stopReason);
    if (value === null || isReason || companions.has(path.at(-1) as string)) return [];
    const decision = decisions.find((one) => path.every((name, index) => one[index] === name));
    const decided = decision === undefined ? undefined : valueAt(object, decision);
    if (decision === undefined || typeof decided !== 'string') return [path.map(nameOf).join('.')];
    return isObjection(verdictOf(decided as HookDecision)) ? [] : [`${decision.join('.')} ${formatValue(decided)}`];
  });
}

/** Names are written by the hook, or by an attacker. */
function nameOf(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : formatValue(name);
}

const maxNamed = 5;

function describe({ what, remedy }: NotAlone, ignored: readonly string[]): string {
  const more = ignored.length > maxNamed ? ` and ${ignored.length - maxNamed} more` : '';
  const lost = ignored.length === 0 ? '' : ` Ignored: ${ignored.slice(0, maxNamed).join(', ')}${more}.`;
  return `${what} Only a deny, an ask and a stop count in it.${lost} ${remedy}`;
}

function isRewriting({ hookSpecificOutput = {} }: HookOutput, { eventName }: HookEvent): boolean {
  return eventEntry(eventName).rewrites.some(({ field }) => hookSpecificOutput[field] !== undefined);
}

/** A warning of its own: a hook that fails closed was to clean the input or the result, and has not. */
function rewriteIgnored({ remedy }: NotAlone): HookWarning {
  return {
    code: 'rewrite_ignored',
    message: `What the hook rewrites is not applied, because its output is not one JSON object alone. ${remedy}`,
  };
}
