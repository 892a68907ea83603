import { eventEntry, type HookDefinition, type HookTrust, type LoadSkip } from '@tenterhook/protocol';
import { canonicalJson } from '../pin/canonical-json.js';
import type { PinnedHook } from '../pin/pin.js';
import type { Reach } from '../reach/reach.js';
import type { TrustRecord } from '../store/record.js';
import { changesBetween, describeChanges, type PinChange } from './what-changed.js';

/** A hook that needs a decision. */
export interface TrustSubject {
  readonly hook: HookDefinition;
  readonly pinned: PinnedHook;
  readonly pin: string;
  readonly reach: Reach;
  readonly origin: HookOrigin;
}

/**
 * Where a hook that needs a decision comes from:
 *
 * - `repository`: its settings come with the repository.
 * - `user`: it is a hook of the user or administrator that runs, or may run, files of the repository.
 * - `user settings in the project`: it is a hook of the user, and its settings file is in the project directory. The repository may
 *   contain such a file: the home directory may be a folder of the project, as in some containers.
 */
export type HookOrigin = 'repository' | 'user' | 'user settings in the project';

/** The decisions so far. */
export interface Decisions {
  readonly trusted: ReadonlyMap<string, TrustRecord>;
  readonly denied: ReadonlyMap<string, TrustRecord>;
  /** Pins that are trusted in this process only, or that the administrator lists. */
  readonly pins: ReadonlySet<string>;
}

/** Rules of the administrator and of the program for all hooks of a project. */
export interface TrustRules {
  /** Whether everything is trusted without a decision. Ignored if `forbidden` is set. */
  readonly all: boolean;
  /** A sentence with the reason why no hook of a repository may run. Undefined if hooks of the repository may run. */
  readonly forbidden?: string | undefined;
  /** Whether a hook runs only if its pin is listed. Decisions of the user are then ignored. */
  readonly pinsOnly: boolean;
  /** Whether a hook that may run code outside of its pin can be trusted. */
  readonly open: 'allow' | 'never';
  /** What happens with a call that a changed guard would check: the user is asked about the call, or the call is denied. */
  readonly onChanged: 'ask' | 'deny';
}

/** The decision about one hook. */
export interface TrustState extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  readonly state: HookTrust['state'];
  /**
   * Why the hook does not run, and what to do. Begins in lower case, because the name of the hook is written before it. Empty if the hook
   * is trusted.
   */
  readonly reason: string;
}

const trusted: TrustState = { state: 'trusted', reason: '' };
const remedy = 'Read what it does, and decide: tenterhook trust.';

/**
 * Returns the state of each hook, in order. A hook is `changed` only if a version of it was trusted and no loaded hook is that version.
 * So a new hook next to an unchanged trusted one is `new`.
 */
export function statesOf(subjects: readonly TrustSubject[], decisions: Decisions, rules: TrustRules): TrustState[] {
  const present = new Set(subjects.map(({ pin }) => pin));
  const left = [...decisions.trusted.values()].filter((record) => !present.has(record.pin));
  return subjects.map((subject) => stateOf(subject, decisions, rules, left));
}

/** Returns the record of the trusted version of a changed hook. */
export function recordBefore(
  subject: TrustSubject,
  subjects: readonly TrustSubject[],
  { trusted: records }: Decisions,
): TrustRecord | undefined {
  const present = new Set(subjects.map(({ pin }) => pin));
  return [...records.values()].find((record) => !present.has(record.pin) && isSameHook(record, subject));
}

/** Returns the records of trusted hooks that no longer exist, neither in the same version nor in a changed one. */
export function recordsGone(subjects: readonly TrustSubject[], decisions: Decisions): TrustRecord[] {
  const present = new Set(subjects.map(({ pin }) => pin));
  return [...decisions.trusted.values()].filter(
    (record) => !present.has(record.pin) && !subjects.some((subject) => isSameHook(record, subject)),
  );
}

/** Returns the state of one hook, and what happens if it does not run. */
function stateOf(subject: TrustSubject, decisions: Decisions, rules: TrustRules, left: readonly TrustRecord[]): TrustState {
  if (rules.forbidden !== undefined) return { state: 'refused', reason: rules.forbidden };
  if (rules.all) return trusted;
  const unchanged = decisions.trusted.get(subject.pin);
  const before = unchanged ?? left.find((record) => isSameHook(record, subject));
  const changes = before === undefined || before === unchanged ? [] : changesBetween(before, subject.pinned);
  const state = decide(subject, decisions, rules, before && { at: before.at, changes });
  if (state.state === 'trusted') return state;
  // The trusted version of the hook decides whether the hook was a guard. If the new version decided, changed settings could switch a
  // guard off, by making it async or by letting it match fewer calls.
  if (before !== undefined) return { ...state, ...objectionOfChanged(before, subject.hook, changes, rules) };
  // A hook of the user may be a guard. Until the user trusts the files that it runs, the calls that it guards are asked about or denied.
  return subject.origin === 'repository' ? state : { ...state, ...objectionOf(subject.hook, rules) };
}

/** The trusted version: when it was trusted, and what has changed since. */
interface Earlier {
  readonly at: string;
  readonly changes: readonly PinChange[];
}

function decide(
  { pin, reach, origin }: TrustSubject,
  decisions: Decisions,
  rules: TrustRules,
  before: Earlier | undefined,
): Pick<TrustState, 'state' | 'reason'> {
  const [refusal] = reach.refusals;
  if (refusal !== undefined) return { state: 'refused', reason: `${lowerFirst(refusal.message)} ${refusal.remedy}` };
  // The policy is checked before the decisions. Otherwise a user would be asked a question whose answer has no effect.
  if (rules.open === 'never' && reach.open.length > 0)
    return { state: 'refused', reason: `the policy forbids hooks that run code which cannot be listed. ${reach.open[0]?.text}` };
  if (decisions.pins.has(pin) || (!rules.pinsOnly && decisions.trusted.has(pin))) return trusted;
  if (rules.pinsOnly) return { state: 'refused', reason: 'the policy allows only hooks whose pins it lists.' };
  const denied = decisions.denied.get(pin);
  if (denied !== undefined) {
    const reason = `you decided on ${denied.at.slice(0, 10)} that it must not run. To decide again, remove the decision: tenterhook trust --revoke.`;
    return { state: 'denied', reason };
  }
  if (before !== undefined)
    return {
      state: 'changed',
      reason: `it was trusted on ${before.at.slice(0, 10)}, and ${describeChanges(before.changes)} since. ${remedy}`,
    };
  if (origin === 'repository') return { state: 'new', reason: `it comes with the project and is not trusted. ${remedy}` };
  const reason = origin === 'user' ? reasonOfOwn(reach) : 'its settings file is in the project, so the repository may have brought it.';
  return { state: 'changed', reason: `${reason} ${remedy}` };
}

/** Returns why a hook of the user does not run. */
function reasonOfOwn({ entries, open }: Reach): string {
  const files = entries.filter(({ kind }) => kind !== 'absent').map(({ path }) => JSON.stringify(path));
  const unknown = open.filter(({ kind }) => kind === 'code').map(({ text }) => text);
  const runs = `it runs files of the project that are not trusted: ${shortList(files)}.`;
  if (unknown.length === 0) return runs;
  return `it is a hook of your own settings, and which program it runs in this project is unknown. ${unknown[0]}${files.length === 0 ? '' : ` Also, ${runs}`}`;
}

/** Returns whether a guard that does not run causes a question or a denial. The result is empty for a hook that could not have denied. */
export function objectionOf({ eventName, async }: HookDefinition, { onChanged }: TrustRules): Pick<LoadSkip, 'objects'> {
  return eventEntry(eventName).may.block === true && async !== true ? { objects: onChanged } : {};
}

/** The parts of a definition that do not select the calls for which the hook runs. */
const partsWithoutSelection: ReadonlySet<string> = new Set([
  'action',
  'timeoutMs',
  'longestMs',
  'onError',
  'async',
  'mayDetach',
  'recheck',
  'executor',
]);

function objectionOfChanged(
  before: TrustRecord,
  hook: HookDefinition,
  changes: readonly PinChange[],
  rules: TrustRules,
): Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  let objection = objectionOf({ ...hook, async: before.definition['async'] === true }, rules);
  if (objection.objects !== undefined && before.definition['onError'] === 'block') objection = { objects: 'deny' };
  const selectsOthers = changes.some((change) => change.part === 'definition' && !partsWithoutSelection.has(change.name));
  return objection.objects !== undefined && selectsOthers ? { ...objection, onEveryEvent: true } : objection;
}

/**
 * Tests whether a record is about an earlier version of the hook. Its event must be the same, and either its action or one of its scripts.
 * Everything else may have changed.
 */
function isSameHook(record: TrustRecord, { pinned }: TrustSubject): boolean {
  if (record.hook.dialect !== pinned.dialect || record.definition['event'] !== pinned.definition['event']) return false;
  if (canonicalJson(record.definition['action'] ?? null) === canonicalJson(pinned.definition['action'] ?? null)) return true;
  const scripts = new Set(record.reach.entries.filter(isCode).map(({ path }) => path));
  return pinned.reach.entries.some((entry) => isCode(entry) && scripts.has(entry.path));
}

function isCode({ kind }: { readonly kind: string }): boolean {
  return kind === 'file' || kind === 'folder' || kind === 'link';
}

function shortList(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

function lowerFirst(sentence: string): string {
  // Changes only an ordinary word to lower case, not a path in quotes or a name in capital letters.
  return /^[A-Z][a-z]/.test(sentence) ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}
