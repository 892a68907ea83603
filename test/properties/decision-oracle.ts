import type { VerdictKind } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * The decision in a text by the rules of decisions 6, 7 and 10. It is found by trying every object: slow, short, and without the code under
 * test.
 */
export interface Said {
  readonly kind: VerdictKind;
  readonly stops: boolean;
}

const kinds: Readonly<Record<string, VerdictKind>> = { deny: 'deny', block: 'deny', ask: 'ask', allow: 'allow', approve: 'allow' };
const strength: readonly VerdictKind[] = ['none', 'allow', 'ask', 'deny'];

/**
 * Returns the decision in a text. Undefined if the text contains an escape character, because what a terminal makes of it can only be
 * guessed (see `mayHaveSaid`), and if an object has a deciding field twice.
 */
export function saidBy(printed: string, hasPermission: boolean): Said | undefined {
  const text = printed.trim();
  const whole = parsed(text);
  const inner = typeof whole === 'string' ? parsed(whole) : whole;
  if (isPlainObject(inner)) {
    // Of a field that an object has twice, both values can object; JSON.parse gives only the last.
    if (hasRepeatedKeys(typeof whole === 'string' ? whole : text, inner)) return undefined;
    const kind = kindOf(inner, hasPermission);
    // Whether such a field is a misspelt decision is not decided here. Then it would remove an allow.
    if (kind === 'allow' && mayObjectElsewhere(inner)) return undefined;
    // An allow does not count next to an objection in a field that is not read, nor in an object within a string.
    const isAllowed = !objectsElsewhere(inner) && inner === whole;
    return { kind: kind === 'allow' && !isAllowed ? 'none' : kind, stops: inner['continue'] === false };
  }
  if (whole !== undefined) return { kind: 'none', stops: false };
  if (/[\x1B-\x1F]/.test(text)) return undefined;

  const objects = outerObjects(withoutUnseen(text));
  const strictest = strictestOf(objects.map((object) => kindOf(object, hasPermission)));
  return { kind: strictest === 'allow' ? 'none' : strictest, stops: objects.some((object) => object['continue'] === false) };
}

/**
 * Returns every object that begins a line of the text, including nested objects and guesses about escape sequences. Undefined if one of them may
 * have a deciding field twice.
 */
export function mayHaveSaid(printed: string): Record<string, unknown>[] | undefined {
  const text = printed.trim();
  const whole = parsed(text);
  const inner = typeof whole === 'string' ? parsed(whole) : undefined;
  const lines = withoutUnseen(withoutSequences(text));
  const found = objectsFrom(lines);
  if (isPlainObject(inner) && hasRepeatedKeys(String(whole), inner)) return undefined;
  if (isPlainObject(whole) && hasRepeatedKeys(text, whole)) return undefined;
  if (found.some(({ object, start, end }) => hasRepeatedKeys(lines.slice(start, end), object))) return undefined;
  return [whole, inner, ...found.map(({ object }) => object)].filter(isPlainObject);
}

function hasRepeatedKeys(text: string, value: object): boolean {
  const letters = (json: string) => json.replace(/\\u00([4-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const keys = (json: string) => letters(json).match(/"(?:decision|permissionDecision|continue|hookSpecificOutput)"\s*:/g)?.length ?? 0;
  return keys(text) > keys(JSON.stringify(value));
}

function objectsElsewhere(object: Record<string, unknown>): boolean {
  const specific = ownOf(object, 'hookSpecificOutput');
  return [ownOf(specific, 'decision'), ownOf(object, 'permissionDecision')].some((word) => ['deny', 'ask'].includes(wordKind(word)));
}

/** Whether a field that is not read, at any level, has a value with which a misspelt or invented field can object. */
function mayObjectElsewhere(object: Record<string, unknown>): boolean {
  return Object.entries(object).some(([field, value]) => {
    if (isPlainObject(value)) return mayObjectElsewhere(value);
    if (field === 'decision' || field === 'permissionDecision' || field === 'continue') return false;
    return (
      (value === false && field !== 'suppressOutput') ||
      (typeof value === 'string' && /^(?:ask|block(?:ed)?|deny|denied|refuse|reject(?:ed)?)$/i.test(value))
    );
  });
}

export function kindOf(object: Record<string, unknown>, hasPermission: boolean): VerdictKind {
  const specific = hasPermission ? ownOf(object, 'hookSpecificOutput') : undefined;
  return strictestOf([ownOf(object, 'decision'), ownOf(specific, 'permissionDecision')].map(wordKind));
}

export function ownOf(object: unknown, key: string): unknown {
  return isPlainObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

function wordKind(word: unknown): VerdictKind {
  return typeof word === 'string' && Object.hasOwn(kinds, word) ? (kinds[word] as VerdictKind) : 'none';
}

function strictestOf(all: readonly VerdictKind[]): VerdictKind {
  return strength.findLast((kind) => all.includes(kind)) ?? 'none';
}

function outerObjects(text: string): Record<string, unknown>[] {
  let covered = 0;
  return objectsFrom(text).flatMap(({ object, start, end }) => {
    if (start < covered) return [];
    covered = end;
    return [object];
  });
}

/** Returns for each start the object that begins there, if there is one. JSON has at most one. */
function objectsFrom(text: string): { object: Record<string, unknown>; start: number; end: number }[] {
  return [...text.matchAll(/(?<![^\r\n])[ \t]*(?=\{)/g)].flatMap(({ index, 0: lead }) => {
    const start = index + lead.length;
    for (let end = text.indexOf('}', start) + 1; end > 0; end = text.indexOf('}', end) + 1) {
      const object = parsed(text.slice(start, end));
      if (isPlainObject(object)) return [{ object, start, end }];
    }
    return [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutUnseen(text: string): string {
  return [...text].filter((char) => !/[\0-\x08\v\f\x0E-\x1A\x7F\uFEFF]/.test(char)).join('');
}

/** Removes at least what a terminal removes, but never a brace or a line end. */
function withoutSequences(text: string): string {
  return text.replace(/\x1B(?:\[[0-?]*[ -/]*[@-z~]?|\][^\x07\x1B\r\n]*(?:\x07|\x1B\\)|[ -/]*[0-z]?)/g, '');
}
