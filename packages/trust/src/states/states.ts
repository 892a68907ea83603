import { eventEntry, type HookDefinition, type HookTrust, type LoadSkip } from '@tenterhook/protocol';
import { canonicalJson } from '../pin/canonical-json.js';
import type { PinnedHook } from '../pin/pin.js';
import type { Reach } from '../reach/reach.js';
import type { TrustRecord } from '../store/record.js';
import { changesBetween, describeChanges, type PinChange } from './what-changed.js';

/** A hook about which a decision is needed. */
export interface TrustSubject {
  readonly hook: HookDefinition;
  readonly pinned: PinnedHook;
  readonly pin: string;
  readonly reach: Reach;
  /** Whether the hook itself comes with the repository. If not, it is a hook of the user that runs files of the repository. */
  readonly ofRepository: boolean;
}

/** What was decided so far. */
export interface Decisions {
  readonly trusted: ReadonlyMap<string, TrustRecord>;
  readonly denied: ReadonlyMap<string, TrustRecord>;
  /** Pins that count for this process only, or that the administrator lists. */
  readonly pins: ReadonlySet<string>;
}

/** Rules of the administrator and of the program for all hooks of a project. */
export interface TrustRules {
  /** Everything is trusted, unless `forbidden` says otherwise. */
  readonly all: boolean;
  /** A sentence that says why no hook of a repository may run. Undefined if they may. */
  readonly forbidden?: string | undefined;
  /** Whether only pins count, and not the decisions of the user. */
  readonly pinsOnly: boolean;
  /** Whether hooks that run code which cannot be listed may be trusted. */
  readonly open: 'allow' | 'never';
  /** What a hook that has changed means on an event to which it could have objected. */
  readonly onChanged: 'ask' | 'deny';
}

/** What was decided about one hook. */
export interface TrustState extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  readonly state: HookTrust['state'];
  /** Why it does not run, with what to do. Begins in lower case, because the name of the hook precedes it. Empty if it is trusted. */
  readonly reason: string;
}

const trusted: TrustState = { state: 'trusted', reason: '' };
const remedy = 'Look at it and decide: tenterhook trust.';

/**
 * Returns the state of each hook, in order. Pure. A record of a hook that is still there unchanged says nothing about another hook, so a
 * new hook beside a trusted one is `new`, not `changed`.
 */
export function statesOf(subjects: readonly TrustSubject[], decisions: Decisions, rules: TrustRules): TrustState[] {
  const present = new Set(subjects.map(({ pin }) => pin));
  const left = [...decisions.trusted.values()].filter((record) => !present.has(record.pin));
  return subjects.map((subject) => stateOf(subject, decisions, rules, left));
}

/** Returns the record of the earlier version of a hook that has changed. */
export function recordBefore(
  subject: TrustSubject,
  subjects: readonly TrustSubject[],
  { trusted: records }: Decisions,
): TrustRecord | undefined {
  const present = new Set(subjects.map(({ pin }) => pin));
  return [...records.values()].find((record) => !present.has(record.pin) && isSameHook(record, subject));
}

/** Returns the records of trusted hooks that no hook has any more, unchanged or changed. */
export function recordsGone(subjects: readonly TrustSubject[], decisions: Decisions): TrustRecord[] {
  const present = new Set(subjects.map(({ pin }) => pin));
  return [...decisions.trusted.values()].filter(
    (record) => !present.has(record.pin) && !subjects.some((subject) => isSameHook(record, subject)),
  );
}

/** Returns the state of one hook, with what its absence means. */
function stateOf(subject: TrustSubject, decisions: Decisions, rules: TrustRules, left: readonly TrustRecord[]): TrustState {
  if (rules.forbidden !== undefined) return { state: 'refused', reason: rules.forbidden };
  if (rules.all) return trusted;
  const before = decisions.trusted.get(subject.pin) ?? left.find((record) => isSameHook(record, subject));
  const changes = before === undefined ? [] : changesBetween(before, subject.pinned);
  const state = decide(subject, decisions, rules, before && { at: before.at, changes });
  if (state.state === 'trusted') return state;
  // The version that was trusted decides: settings that make a guard async, or match less, must not switch it off.
  if (before !== undefined) return { ...state, ...objectionOfChanged(before, subject.hook, changes, rules) };
  // A hook of the user is a guard of the user, so it objects until the files that it runs are trusted.
  return subject.ofRepository ? state : { ...state, ...objectionOf(subject.hook, rules) };
}

/** What was trusted earlier: when, and what is different now. */
interface Earlier {
  readonly at: string;
  readonly changes: readonly PinChange[];
}

function decide(
  { pin, reach, ofRepository }: TrustSubject,
  decisions: Decisions,
  rules: TrustRules,
  before: Earlier | undefined,
): Pick<TrustState, 'state' | 'reason'> {
  const [refusal] = reach.refusals;
  if (refusal !== undefined) return { state: 'refused', reason: `${lowerFirst(refusal.message)} ${refusal.remedy}` };
  // Before every decision: a question whose answer cannot count is not asked.
  if (rules.open === 'never' && reach.open.length > 0)
    return { state: 'refused', reason: `the policy forbids hooks that run code which cannot be listed. ${reach.open[0]}` };
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
  if (ofRepository) return { state: 'new', reason: `it comes with the project and is not trusted. ${remedy}` };
  const files = reach.entries.filter(({ kind }) => kind !== 'absent').map(({ path }) => JSON.stringify(path));
  return { state: 'changed', reason: `it runs files of the project that are not trusted: ${shortList(files)}. ${remedy}` };
}

/** What a guard means that does not run. Nothing for a hook that could not have objected. */
export function objectionOf({ eventName, async }: HookDefinition, { onChanged }: TrustRules): Pick<LoadSkip, 'objects'> {
  return eventEntry(eventName).may.block === true && async !== true ? { objects: onChanged } : {};
}

/** The parts of a definition that do not decide on which events of its kind the hook runs. */
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
 * Whether a record is about an earlier version of the hook: of the same event, with the same action, or with a script in common. What else
 * is in the definition may have changed.
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
  // A path in quotes, or a name in capital letters, stays as it is.
  return /^[A-Z][a-z]/.test(sentence) ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}
