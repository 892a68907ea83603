import { eventEntry, type HookEventName, type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';
import { canonicalOutputSchema, hookOutputSchema } from '@tenterhook/protocol/internal';
import type { DialectConformanceOptions, DialectEvent, DialectScene, SampleAnswers, Unreadable } from './dialect-case.js';

/**
 * What an output must mean in every dialect:
 * - `nothing`: an empty object. It makes no decision, unless the format requires one.
 * - `silence`: stdout is blank. It makes no decision, but a format that requires an answer may treat it as a failure.
 * - `text`: output that is not a JSON object. It contains no decision, but a format may deny if it cannot read an output.
 * - `odd`: an object with other fields or types, truncated text, or a byte order mark alone. It means the same as `text`, but a format
 *   may be able to read it.
 * - `allow`, `deny`: exactly the sample answer.
 * - `lost deny`: a deny that may be unreadable. It must deny, be a failure, or cause a warning.
 * - `no allow`: it may mean anything except an allow.
 * - `unclear`: it may mean anything.
 */
export type Said = 'nothing' | 'silence' | 'text' | 'odd' | 'allow' | 'deny' | 'lost deny' | 'no allow' | 'unclear';

/** What the dialect read from an output. */
export interface Heard {
  readonly output?: HookOutput | undefined;
  readonly hasFailed: boolean;
  readonly warnings: readonly HookWarning[];
}

/** Returns the expectation that the dialect has violated, or undefined if the dialect has read the output correctly. */
export function misheard(said: Said, { output, hasFailed, warnings }: Heard, unreadable: Unreadable): string | undefined {
  const kind = hasFailed ? 'none' : verdictOf(output?.decision);
  const isStop = output?.continue === false;
  const denies = unreadable === 'deny' || unreadable === 'deny all';
  const isDenied = denies && kind === 'deny' && !isStop;
  switch (said) {
    case 'text':
      if (denies) return isDenied ? undefined : 'a deny and no stop: unreadable output denies';
      return undecided(kind, isStop);
    case 'odd':
      return isDenied ? undefined : undecided(kind, isStop);
    case 'nothing':
      if (unreadable === 'deny all') return isDenied ? undefined : 'a deny and no stop: an object without a decision denies';
      return undecided(kind, isStop);
    case 'silence':
      return undecided(kind, isStop);
    case 'allow':
    case 'deny':
      return kind === said ? undefined : `the decision ${said}`;
    case 'lost deny':
      if (kind !== 'allow' && (kind === 'deny' || hasFailed || warnings.length > 0)) return undefined;
      return 'a deny, a failure, or a warning that a part was lost';
    case 'no allow':
      return kind !== 'allow'
        ? undefined
        : 'no allow, because only a complete answer allows, and only with an exit code on which answers are read';
    case 'unclear':
      return undefined;
  }
}

function undecided(kind: ReturnType<typeof verdictOf>, isStop: boolean): string | undefined {
  return kind === 'none' && !isStop ? undefined : 'no decision and no stop: the output contains none';
}

/** Returns what an answer that allows must mean on stdout with this exit code. */
export function allowWith(options: DialectConformanceOptions, exitCode: number): Said {
  if (!answersCount(options, exitCode)) return 'no allow';
  // If the dialect has no answer that allows, the hook prints an empty object. What that means with this exit code is unknown.
  return options.answers.allow === undefined ? 'unclear' : 'allow';
}

export function answersCount({ answersWith }: DialectConformanceOptions, exitCode: number): boolean {
  return exitCode === 0 || answersWith?.(exitCode) === true;
}

/** Returns the lowest and the highest exit code with which answers count. Exit code 0 is left out. */
export function otherAnswerCodes(options: DialectConformanceOptions): number[] {
  const codes = Array.from({ length: 255 }, (_, index) => index + 1).filter((exitCode) => answersCount(options, exitCode));
  return codes.filter((_, index) => index === 0 || index === codes.length - 1);
}

export function unreadableOn({ unreadable }: DialectConformanceOptions, { dialectEvent }: Pick<DialectEvent, 'dialectEvent'>): Unreadable {
  return unreadable?.(dialectEvent) ?? 'no opinion';
}

export function isAnswersEvent({ answersEvent }: DialectScene, { dialectEvent }: DialectEvent): boolean {
  return dialectEvent === answersEvent?.dialectEvent;
}

/** The stdout of a hook that exits with 0. */
export interface Printed {
  /** The content of stdout in words. */
  readonly what: string;
  readonly stdout: string | Uint8Array;
  readonly says: Said;
}

/** Returns the outputs in a table. The key of an output describes it. */
export function printedOf(table: Readonly<Record<string, string | Uint8Array>>, says: Said): Printed[] {
  return Object.entries(table).map(([what, stdout]) => ({ what, stdout, says }));
}

const logLines = 'checking 3 files\n[info] {done}\n';

/** Returns the sample answers, unchanged and with mistakes that programs often make. */
export function printedAnswers({ deny, allow }: SampleAnswers): Printed[] {
  // If the dialect has no answer that allows, the hook prints an empty object.
  const [denied, allowed] = [JSON.stringify(deny), JSON.stringify(allow ?? {})];
  return [
    ...printedOf({ 'an answer that allows': allowed }, allow === undefined ? 'nothing' : 'allow'),
    ...printedOf(
      { 'an answer that denies': denied, 'an answer that denies, on several lines': `\n${JSON.stringify(deny, null, 2)}\r\n` },
      'deny',
    ),
    ...printedOf(spoiltAllow(allowed), 'text'),
    ...printedOf(hiddenAllow(allowed), 'odd'),
    ...printedOf({ 'an answer that allows, in a text': JSON.stringify(allowed) }, 'no allow'),
    ...printedOf(spoiltDeny(denied, allowed), 'lost deny'),
    ...misspelt(deny).map((answer) => ({
      what: 'an answer that denies, with another type or word in it',
      stdout: JSON.stringify(answer),
      says: 'lost deny' as const,
    })),
  ];
}

/** Returns an allow among other output, which must not count: the hook may have read the other text from a file. */
function spoiltAllow(allowed: string): Record<string, string> {
  return {
    'half an answer that allows': allowed.slice(0, -1),
    'half an answer that allows, after log lines': `${logLines}${allowed.slice(0, -1)}`,
    'an answer that allows, after log lines': `${logLines}${allowed}\n`,
    'an answer that allows, before log lines': `${allowed}\n${logLines}`,
    'an answer that allows, within a line': `the hook said ${allowed} and ended\n`,
    'an answer that allows, twice on a line': `${allowed}${allowed}`,
    'an answer that allows, in a list': `[${allowed}]`,
  };
}

function hiddenAllow(allowed: string): Record<string, string> {
  return {
    'an answer that allows, in another object': `{"result":${allowed},"output":${allowed},"data":[${allowed}]}`,
    'an answer that allows, as what an object inherits': `{"__proto__":${allowed},"constructor":{"prototype":${allowed}}}`,
  };
}

function spoiltDeny(denied: string, allowed: string): Record<string, string> {
  return {
    'half an answer that denies': denied.slice(0, -1),
    'half an answer that denies, after log lines': `${logLines}${denied.slice(0, -1)}`,
    'an answer that denies, after log lines': `${logLines}${denied}\n`,
    'an answer that denies, before log lines': `${denied}\n${logLines}`,
    'an answer that denies, before one that allows': `${denied}\n${allowed}\n`,
    'an answer that denies, after one that allows': `${allowed}\n${denied}\n`,
    'an answer that denies, in a list': `[${denied}]`,
    'an answer that denies, in a text': JSON.stringify(denied),
    'an answer that denies, in a text in a text': JSON.stringify(JSON.stringify(denied)),
  };
}

/**
 * Returns copies of the deny in which one value has another type or is in capitals. `null` is left out, because in some formats it
 * means no decision.
 */
function misspelt(deny: object): unknown[] {
  return Object.entries(deny).flatMap(([key, value]) => {
    const isObject = typeof value === 'object' && value !== null;
    const others = wrongValues.filter((other) => other !== null && (typeof other === 'string' || typeof other !== typeof value));
    const changed = isObject ? misspelt(value) : [...others, ...(typeof value === 'string' ? [value.toUpperCase()] : [])];
    return changed.map((other) => ({ ...deny, [key]: other }));
  });
}

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
const noUtf8 = Uint8Array.of(0x6e, 0xe9, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x0a);
const manyFields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]));

/** Outputs without a decision, short enough to be tried on every event. */
export const usualJunk: readonly Printed[] = [
  ...printedOf({ nothing: '' }, 'silence'),
  ...printedOf(
    {
      'a text': 'checked 3 files\n',
      'bytes that are not text': everyByte,
      'half an object': '{"a":{"b":[1,',
      'a list': '[1,"x",null]',
    },
    'text',
  ),
  ...printedOf(
    { 'keys of every object': '{"__proto__":{"x":1},"constructor":7,"toString":"x","valueOf":null,"hookSpecificOutput":{"__proto__":7}}' },
    'odd',
  ),
];

/** Outputs without a decision. Some look like a decision. */
export const printedJunk: readonly Printed[] = [
  ...usualJunk,
  ...printedOf({ 'an empty object': '{}' }, 'nothing'),
  ...printedOf({ 'white space': ' \n\t\r\n  ' }, 'silence'),
  // A format may ignore a byte order mark. Agents whose language has no such rule see text that is not JSON.
  ...printedOf({ 'a byte order mark': '\ufeff' }, 'odd'),
  ...printedOf(
    {
      'words that mean yes': 'allow\napprove\nyes\ntrue\n0\n',
      'the word allow': 'allow',
      'the word deny': 'deny',
      'text with colours': '\u001b[31mno\u001b[0m \u001b]0;title\u0007\n',
      'text that is not UTF-8': noUtf8,
      'NUL bytes': '\0\0a\0b\n\0',
      'an empty list': '[]',
      'a number': '7',
      'a number that is too large': '1e999',
      'a JSON text': '"allow"',
      true: 'true',
      null: 'null',
      'brackets without end': '['.repeat(50_000),
      'objects without end': '{"a":'.repeat(10_000),
      'a thousand lines of opening brackets': '{\n'.repeat(1000),
    },
    'text',
  ),
  ...printedOf(
    {
      'unknown fields': '{"unheard":{"of":[1,{"x":null}]},"":0,"a b":"c"}',
      'a thousand unknown fields': JSON.stringify(manyFields),
      'a field that is nested deeply': `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'a field of objects that are nested deeply': `{"x":${'{"x":'.repeat(5000)}7${'}'.repeat(5000)}}`,
    },
    'odd',
  ),
];

/** One value of each JSON type. None of them is a decision. `false` is left out, because in some fields it stops the agent. */
export const wrongValues: readonly unknown[] = [null, 0, 'x', [], {}, true];

/** Returns objects that have every known field. */
export function allFieldsWrong(eventName: HookEventName, fields: readonly string[] = []): Printed[] {
  const paths = pathsOf(eventName, fields);
  return wrongValues.flatMap((value) => [
    printed('every field', Object.fromEntries(paths.filter((path) => path.length === 1).map(([field]) => [field, value]))),
    printed('every field of hookSpecificOutput', {
      hookSpecificOutput: Object.fromEntries(paths.flatMap(([, field]) => (field === undefined ? [] : [[field, value]]))),
    }),
  ]);
}

/** Returns a deeply nested object. A list was rejected, because some fields must be objects. */
function deepValue(depth: number): string {
  return `${'{"x":'.repeat(depth)}7${'}'.repeat(depth)}`;
}

/**
 * Returns every known field with a value of each type, and with a value that is nested `depth` levels deep. One of the values may
 * be correct. Parsing the deep values takes most of the time of a test, so a test of every event can reduce `depth`.
 */
export function wrongFields(eventName: HookEventName, fields: readonly string[] = [], depth = 3000): Printed[] {
  const alone = pathsOf(eventName, fields).flatMap((path) => {
    const deep = JSON.stringify(nested(path, 'deep')).replace('"deep"', deepValue(depth));
    return [
      ...wrongValues.map((value) => printed(path.join('.'), nested(path, value))),
      { what: `${path.join('.')} nested ${depth} deep`, stdout: deep, says: 'odd' as const },
    ];
  });
  return [...alone, ...allFieldsWrong(eventName, fields)];
}

function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

function pathsOf(eventName: HookEventName, fields: readonly string[]): string[][] {
  const specific = [...Object.keys(eventEntry(eventName).specificOutput.shape), ...Object.keys(canonicalOutputSchema.shape)];
  const canonical = [...Object.keys(hookOutputSchema.shape), ...specific.map((field) => `hookSpecificOutput.${field}`)];
  return [...new Set([...canonical, ...fields])].map((path) => path.split('.'));
}

function printed(what: string, object: object): Printed {
  const stdout = JSON.stringify(object);
  return { what: `${what} in ${stdout.slice(0, 80)}`, stdout, says: 'odd' };
}
