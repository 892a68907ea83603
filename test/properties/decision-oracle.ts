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
 * guessed; see `mayHaveSaid`.
 */
export function saidBy(printed: string, hasPermission: boolean): Said | undefined {
  const text = printed.trim();
  const whole = parsed(text);
  const inner = typeof whole === 'string' ? parsed(whole) : whole;
  if (isPlainObject(inner)) {
    const kind = kindOf(inner, hasPermission);
    // An allow does not count next to an objection in a field that is not read.
    return { kind: kind === 'allow' && objectsElsewhere(inner) ? 'none' : kind, stops: inner['continue'] === false };
  }
  if (whole !== undefined) return { kind: 'none', stops: false };
  if (/[\x1B-\x1F]/.test(text)) return undefined;

  const objects = outerObjects(withoutUnseen(text));
  const strictest = strictestOf(objects.map((object) => kindOf(object, hasPermission)));
  return { kind: strictest === 'allow' ? 'none' : strictest, stops: objects.some((object) => object['continue'] === false) };
}

/** Returns every object that begins a line of the text, including nested objects and guesses about escape sequences. */
export function mayHaveSaid(printed: string): Record<string, unknown>[] {
  const text = printed.trim();
  const whole = parsed(text);
  const inner = typeof whole === 'string' ? parsed(whole) : undefined;
  const lines = withoutUnseen(withoutSequences(text));
  return [whole, inner, ...objectsFrom(lines).map(({ object }) => object)].filter(isPlainObject);
}

function objectsElsewhere(object: Record<string, unknown>): boolean {
  const specific = ownOf(object, 'hookSpecificOutput');
  return [ownOf(specific, 'decision'), ownOf(object, 'permissionDecision')].some((word) => ['deny', 'ask'].includes(wordKind(word)));
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
