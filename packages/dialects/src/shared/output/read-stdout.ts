import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { AnswerFormat } from './answer-format.js';
import type { Exited } from './failures/command-failure.js';
import { readingsOf } from './fields/overwritten-fields.js';
import { findForeignDecision, isObjection } from './foreign-decision.js';
import { findJsonObjects, maxMixed, parseJson, type Stream } from './json/json-objects.js';
import type { MixedOutput, NotAlone } from './json/mixed-output.js';

/** The content of stdout. `answer` means that stdout is exactly one JSON object. */
export type Stdout =
  | { readonly kind: 'empty'; readonly warnings: readonly HookWarning[] }
  | { readonly kind: 'text'; readonly text: string; readonly warnings: readonly HookWarning[] }
  | { readonly kind: 'answer'; readonly object: Readonly<Record<string, unknown>>; readonly warnings: readonly HookWarning[] }
  | MixedOutput
  /**
   * The output has other text than one object, and is too long to search all of it. Only its first and last lines are searched for
   * a deny, ask or stop.
   */
  | { readonly kind: 'too-long'; readonly ends: Stdout; readonly warnings: readonly HookWarning[] }
  | { readonly kind: 'not-an-object'; readonly text: string; readonly warnings: readonly HookWarning[] };

/**
 * Returns the content of stdout. If stdout is blank and the format reads stderr, returns the content of stderr instead. stderr is a
 * log: its text is never a message, and its objects can only deny, ask or stop.
 */
export function readPrinted({ stdout, stderr, stderrTruncated }: Exited, format: AnswerFormat): Stdout {
  const read = readStdout(stdout, format);
  if (read.kind !== 'empty' || format.readsStderr !== true || stderrTruncated) return read;
  const other = readStdout(stderr, format, 'stderr');
  switch (other.kind) {
    case 'answer':
      return { kind: 'mixed', objects: [other.object], why: onStderr, warnings: other.warnings };
    case 'mixed': {
      const { text: _log, ...objects } = other;
      return objects;
    }
    default:
      return { kind: 'empty', warnings: other.warnings };
  }
}

const onStderr: NotAlone = {
  code: 'mixed_output',
  what: 'The hook printed its answer to stderr, which is a log.',
  remedy: 'Print it to stdout.',
  quietly: true,
};

/** Returns the content of a stream. White space around it and a leading byte order mark are ignored. */
export function readStdout(printed: string, format: AnswerFormat, stream: Stream = 'stdout'): Stdout {
  const text = printed.trim();
  if (text === '') return { kind: 'empty', warnings: [] };
  const whole = parseJson(text);
  if (!whole.ok && text.length > maxMixed) return { kind: 'too-long', ends: readMixed(endsOf(text), format, stream), warnings: [] };
  if (!whole.ok) return readMixed(text, format, stream);
  if (isPlainObject(whole.value)) return readWhole(text, whole.value, format);

  if (typeof whole.value === 'string') {
    const inner = parseJson(whole.value);
    if (inner.ok && isPlainObject(inner.value)) {
      const what = `${stream} is a JSON string that contains a JSON object.`;
      const why: NotAlone = { code: 'double_encoded', what, remedy: 'Print the object itself.' };
      return { kind: 'mixed', objects: [inner.value], ...(format.takesOtherJsonAsText ? { text } : {}), why, warnings: [] };
    }
  }
  // An array, a number or a word is text, unless it contains an answer.
  if (format.takesOtherJsonAsText && !holdsAnswer(whole.value, text, format)) return { kind: 'not-an-object', text, warnings: [] };
  const meaning = format.takesOtherJsonAsText ? 'it was read as text' : 'it is ignored';
  const message = `${stream} is JSON but not an object (${bounded(text)}); ${meaning}. Print an object such as ${format.words.example}.`;
  return { kind: 'not-an-object', text, warnings: [{ code: 'not_an_object', message }] };
}

function readWhole(text: string, object: Readonly<Record<string, unknown>>, { words }: AnswerFormat): Stdout {
  const found = readingsOf(text, object, words);
  if (found === undefined) return { kind: 'answer', object, warnings: [] };
  const what = `The answer has ${found.path.join('.')} more than once.`;
  const why: NotAlone = {
    code: 'repeated_field',
    what,
    remedy: 'Create the object with a JSON library or with jq --arg, so that texts are escaped.',
  };
  return { kind: 'mixed', objects: found.readings, why, warnings: [] };
}

/**
 * Returns the first and the last lines of a long text, together up to the limit. The last part begins at the start of a line,
 * because only objects that start a line are read.
 */
function endsOf(text: string): string {
  const half = maxMixed / 2;
  const lineEnd = text.indexOf('\n', text.length - half);
  return lineEnd === -1 ? text.slice(0, half) : `${text.slice(0, half)}${text.slice(lineEnd)}`;
}

/**
 * Reads text with objects in it. An incomplete answer counts as text, and so does an answer in the middle of a line. Both are
 * always reported.
 */
function readMixed(text: string, { words, isAnswer = () => true }: AnswerFormat, stream: Stream): Stdout {
  const found = findJsonObjects(withoutEscapes(text), words, stream);
  const objects = found.objects.filter(isAnswer);
  const strange = found.objects.find((object) => !isAnswer(object) && findForeignDecision(object) !== undefined);
  const warnings = strange === undefined ? found.unparsed : [...found.unparsed, decidedElsewhere(strange, stream)];
  if (objects.length === 0) return { kind: 'text', text, warnings };
  const around = found.around ?? firstEscape(text);
  const what =
    around === undefined ? `${stream} has ${found.count} JSON objects.` : `${stream} mixes JSON with other text (${formatValue(around)}).`;
  const remedy = stream === 'stdout' ? 'Print one JSON object and nothing else, and logs to stderr.' : 'Print the answer to stdout.';
  return { kind: 'mixed', objects, text, why: { code: 'mixed_output', what, remedy }, warnings };
}

function holdsAnswer(value: unknown, text: string, { words }: AnswerFormat): boolean {
  const items = Array.isArray(value) ? value : [value];
  return (
    words.quotedField.test(text) ||
    items.some((item) => isObjection(item) || (isPlainObject(item) && findForeignDecision(item) !== undefined))
  );
}

/**
 * Returns a warning for an object with a decision in fields of another format. The object is read as text, so its decision has no
 * effect.
 */
function decidedElsewhere(object: Readonly<Record<string, unknown>>, stream: Stream): HookWarning {
  const message = `${stream} contains an object with a decision in the fields of another format (${formatValue(object)}); it was read as text.`;
  return { code: 'decision_in_text', message };
}

function bounded(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

// Matches terminal sequences that set colours or the title, move the cursor, or choose a character set (ECMA-48). No pattern
// matches a final brace or a line end, because an incomplete sequence could then remove the beginning of an object.
const controlSequence = String.raw`\[[0-?]*[ -/]*[@-z~]`;
const operatingSystemCommand = String.raw`\][^\x07\x1B\r\n]*(?:\x07|\x1B\\)`;
const short = '[ -/]+[0-Z]|[78=>cM]';
const escapeSequence = new RegExp(`\\x1B(?:${controlSequence}|${operatingSystemCommand}|${short})`, 'g');
// Matches invisible characters. For example, a byte order mark may be between the log of a wrapper script and the output of its
// child process.
const unseen = /[\uFEFF\x00-\x08\x0B\x0C\x0E-\x1A\x7F]/g;

/**
 * Removes terminal sequences from text, so that a coloured object is found too. The object itself never contains raw escape
 * characters.
 */
export function withoutEscapes(text: string): string {
  const plain = text.includes('\u001B') ? text.replace(escapeSequence, '') : text;
  return plain.replace(unseen, '');
}

/** Returns the first character or sequence that `withoutEscapes` removes. */
function firstEscape(text: string): string | undefined {
  return text.match(escapeSequence)?.[0] ?? text.match(unseen)?.[0];
}
