import {
  eventEntry,
  type HookDecision,
  type HookEvent,
  type HookOutput,
  type HookWarning,
  type VerdictKind,
  verdictOf,
} from '@tenterhook/protocol';
import { stricter } from '@tenterhook/protocol/internal';
import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import { formatValue } from '../../text.js';
import type { ReadOutput } from '../answer-format.js';
import type { AnswerKeywords } from '../answer-keywords.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Output that contains JSON objects but is not exactly one JSON object. A hook may print parts of its input, so an attacker may
 * have written the objects. Therefore the objects can only deny, ask or stop. They cannot allow, rewrite or detach.
 */
export interface MixedOutput {
  readonly kind: 'mixed';
  readonly objects: readonly Fields[];
  /** The text of the output. It is used if no object denies, asks or stops. Undefined if such an output has no effect. */
  readonly text?: string;
  readonly why: NotAlone;
  readonly warnings: readonly HookWarning[];
}

/** Why the output is not exactly one JSON object, for a warning. */
export interface NotAlone {
  readonly code: 'mixed_output' | 'double_encoded' | 'repeated_field';
  /** A sentence that describes the output. */
  readonly what: string;
  /** A sentence that says what to print. */
  readonly remedy: string;
  /** True if there is a warning only when a field is ignored. @default there is always a warning */
  readonly quietly?: true;
}

/**
 * Merges the objects of an output. The result has the strictest deny or ask, and a stop if any object has one (decision 6). A
 * warning names the ignored fields.
 */
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

/** Returns the strictest deny or ask with its own reason, and a stop if any output has one. */
export function mergeObjections(outputs: readonly HookOutput[]): HookOutput {
  const deciding = outputs.reduce<HookOutput>((a, b) => (stricter(kindOf(a), kindOf(b)) === kindOf(b) ? b : a), {});
  const stops = outputs.filter((output) => output.continue === false);
  const stopping = stops.find(({ stopReason }) => stopReason !== undefined) ?? stops[0];
  return {
    ...(isObjection(kindOf(deciding)) ? pick(deciding, 'decision', 'reason') : {}),
    ...(stopping === undefined ? {} : pick(stopping, 'continue', 'stopReason')),
  };
}

/** Tests whether an output denies, asks or stops. */
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

/** Fields that the warning does not list. Most of them only accompany another field, as a reason accompanies a decision. */
const companions: ReadonlySet<string> = new Set(['reason', 'stopReason', 'permissionDecisionReason', 'hookEventName', 'continue']);

/**
 * Returns the ignored fields that would have an effect if the object were the only output. An ignored decision is returned with its
 * value.
 */
function ignoredFields(object: Fields, { output }: ReadOutput, { decisions }: AnswerKeywords): string[] {
  const { hookSpecificOutput, ...top } = object;
  const specific = isPlainObject(hookSpecificOutput) ? hookSpecificOutput : {};
  const paths = [...Object.keys(top).map((name) => [name]), ...Object.keys(specific).map((name) => ['hookSpecificOutput', name])];
  return paths.flatMap((path) => {
    const value = valueAt(object, path);
    // In some formats the reason of a deny is in a field that also has another purpose. A field whose value became the reason was
    // not ignored.
    const isReason = typeof value === 'string' && (value === output.reason || value === output.stopReason);
    if (value === null || isReason || companions.has(path.at(-1) as string)) return [];
    const decision = decisions.find((one) => path.every((name, index) => one[index] === name));
    const decided = decision === undefined ? undefined : valueAt(object, decision);
    if (decision === undefined || typeof decided !== 'string') return [path.map(nameOf).join('.')];
    return isObjection(verdictOf(decided as HookDecision)) ? [] : [`${decision.join('.')} ${formatValue(decided)}`];
  });
}

/** Formats the name of a field for a message. Unusual names are escaped, because the hook or an attacker chose them. */
function nameOf(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : formatValue(name);
}

const maxNamed = 5;

function describe({ what, remedy }: NotAlone, ignored: readonly string[]): string {
  const more = ignored.length > maxNamed ? ` and ${ignored.length - maxNamed} more` : '';
  const lost = ignored.length === 0 ? '' : ` Ignored: ${ignored.slice(0, maxNamed).join(', ')}${more}.`;
  return `${what} Only a deny, an ask and a stop in it have an effect.${lost} ${remedy}`;
}

function isRewriting({ hookSpecificOutput = {} }: HookOutput, { eventName }: HookEvent): boolean {
  return eventEntry(eventName).rewrites.some(({ field }) => hookSpecificOutput[field] !== undefined);
}

/**
 * Returns a separate warning for an ignored rewrite. The hook may have intended to remove a secret, and the secret is still there.
 */
function rewriteIgnored({ remedy }: NotAlone): HookWarning {
  return {
    code: 'rewrite_ignored',
    message: `The rewrite of the hook is not applied, because its output is not a single JSON object. ${remedy}`,
  };
}
