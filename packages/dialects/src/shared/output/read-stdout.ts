import { type HookOutput, type HookWarning, stricter, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { AnswerFormat, ReadOutput } from './answer-format.js';
import type { Exited } from './command-failure.js';
import { findForeignDecision, isObjection } from './foreign-decision.js';
import { findJsonObjects, maxMixed, parseJson, type Stream } from './json-objects.js';

/** The content of stdout. Only mixed output has several objects: the last one is the answer, and the others can add objections. */
export type Stdout =
  | { readonly kind: 'empty'; readonly warnings: readonly HookWarning[] }
  | { readonly kind: 'text'; readonly text: string; readonly warnings: readonly HookWarning[] }
  | {
      readonly kind: 'objects';
      readonly objects: readonly Record<string, unknown>[];
      readonly mixed: boolean;
      readonly warnings: readonly HookWarning[];
    }
  /**
   * Not one JSON text, and longer than the limit for text with objects in it. Only its first and its last lines are searched for
   * objections.
   */
  | { readonly kind: 'too-long'; readonly ends: Stdout; readonly warnings: readonly HookWarning[] }
  | { readonly kind: 'not-an-object'; readonly text: string; readonly warnings: readonly HookWarning[] };

/**
 * Returns the content of stdout, or of stderr if stdout is blank and the format reads stderr. Text on stderr is a log and never a message.
 */
export function readPrinted({ stdout, stderr, stderrTruncated }: Exited, format: AnswerFormat): Stdout {
  const read = readStdout(stdout, format);
  if (read.kind !== 'empty' || format.readsStderr !== true || stderrTruncated) return read;
  const other = readStdout(stderr, format, 'stderr');
  return other.kind === 'objects' || other.kind === 'empty' ? other : { kind: 'empty', warnings: other.warnings };
}

/** Returns the content of a stream. White space around it and a leading byte order mark are ignored (decisions 5 to 7). */
export function readStdout(printed: string, format: AnswerFormat, stream: Stream = 'stdout'): Stdout {
  const text = printed.trim();
  if (text === '') return { kind: 'empty', warnings: [] };
  const whole = parseJson(text);
  if (!whole.ok && text.length > maxMixed) return { kind: 'too-long', ends: readMixed(endsOf(text), format, stream), warnings: [] };
  if (!whole.ok) return readMixed(text, format, stream);
  if (isPlainObject(whole.value)) return { kind: 'objects', objects: [whole.value], mixed: false, warnings: [] };

  if (typeof whole.value === 'string') {
    const inner = parseJson(whole.value);
    if (inner.ok && isPlainObject(inner.value)) {
      const message = `${stream} is a JSON string that contains a JSON object; it was decoded once. Print the object itself.`;
      return { kind: 'objects', objects: [inner.value], mixed: false, warnings: [{ code: 'double_encoded', message }] };
    }
  }
  // An array, a number or a word counts as text unless it contains an answer.
  if (format.takesOtherJsonAsText && !holdsAnswer(whole.value, text, format)) return { kind: 'not-an-object', text, warnings: [] };
  const meaning = format.takesOtherJsonAsText ? 'it was read as text' : 'it is ignored';
  const message = `${stream} is JSON but not an object (${bounded(text)}); ${meaning}. Print an object such as ${format.words.example}.`;
  return { kind: 'not-an-object', text, warnings: [{ code: 'not_an_object', message }] };
}

/**
 * Returns the first and the last lines of a long text, together as long as the limit for text. The last part starts after a line end,
 * because only objects that start a line count.
 */
function endsOf(text: string): string {
  const half = maxMixed / 2;
  const lineEnd = text.indexOf('\n', text.length - half);
  return lineEnd === -1 ? text.slice(0, half) : `${text.slice(0, half)}${text.slice(lineEnd)}`;
}

/** Reads text with objects in it. An incomplete answer, or one in the middle of a line, stays text and is always reported. */
function readMixed(text: string, { words, isAnswer = () => true }: AnswerFormat, stream: Stream): Stdout {
  const found = findJsonObjects(withoutEscapes(text), words, stream);
  const objects = found.objects.filter(isAnswer);
  const strange = found.objects.find((object) => !isAnswer(object) && findForeignDecision(object) !== undefined);
  const warnings = strange === undefined ? found.unparsed : [...found.unparsed, decidedElsewhere(strange, stream)];
  if (objects.length === 0) return { kind: 'text', text, warnings };
  const advice = stream === 'stdout' ? 'Print logs to stderr.' : 'Print the answer to stdout.';
  const message = `${stream} mixes JSON with other text. The strictest decision among its objects counts; "allow" is ignored. ${advice}`;
  return { kind: 'objects', objects, mixed: true, warnings: [{ code: 'mixed_output', message }, ...warnings] };
}

function holdsAnswer(value: unknown, text: string, { words }: AnswerFormat): boolean {
  const items = Array.isArray(value) ? value : [value];
  return (
    words.quotedField.test(text) ||
    items.some((item) => isObjection(item) || (isPlainObject(item) && findForeignDecision(item) !== undefined))
  );
}

/** A warning for an object that contains a decision but is read as text. The decision has no effect, so it must be reported. */
function decidedElsewhere(object: Readonly<Record<string, unknown>>, stream: Stream): HookWarning {
  const message = `${stream} contains an object with a decision in the words of another format (${formatValue(object)}); it was read as text.`;
  return { code: 'decision_in_text', message };
}

function bounded(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/**
 * Merges the objects of mixed output: all fields of the last object, the strictest decision, and a stop of any object (decision 6). An
 * allow does not count: a hook that prints the content of a file must not approve by it.
 */
export function oneOutputOf(read: readonly ReadOutput[]): { output: HookOutput; warnings: HookWarning[] } {
  const last = read.at(-1) as ReadOutput;
  const strictest = read.reduce((a, b) => (stricter(kindOf(a.output), kindOf(b.output)) === kindOf(b.output) ? b : a));
  const stops = read.filter((entry) => entry.output.continue === false);
  const stopping = stops.find((entry) => entry.output.stopReason !== undefined) ?? stops[0];
  const { decision: _decision, ...fields } = last.output;
  const output: HookOutput = { ...fields };
  if (kindOf(strictest.output) !== 'none' && kindOf(strictest.output) !== 'allow') {
    output.decision = strictest.output.decision;
    // The reason of the last object is removed if the decision is from another object.
    if (strictest.output.reason === undefined) delete output.reason;
    else output.reason = strictest.output.reason;
  }
  if (stopping !== undefined) {
    output.continue = false;
    if (stopping.output.stopReason !== undefined) output.stopReason = stopping.output.stopReason;
    else delete output.stopReason;
  }
  return { output, warnings: read.flatMap((entry) => entry.warnings) };
}

function kindOf(output: HookOutput): VerdictKind {
  return verdictOf(output.decision);
}

// Terminal sequences that set colours or the title, move the cursor or choose a character set (ECMA-48). None of the patterns matches a
// brace at its end or a line end, so that an incomplete sequence never swallows an object.
const controlSequence = String.raw`\[[0-?]*[ -/]*[@-z~]`;
const operatingSystemCommand = String.raw`\][^\x07\x1B\r\n]*(?:\x07|\x1B\\)`;
const short = '[ -/]+[0-Z]|[78=>cM]';
const escapeSequence = new RegExp(`\\x1B(?:${controlSequence}|${operatingSystemCommand}|${short})`, 'g');
// Invisible characters, such as a bell, or a byte order mark between the log of a wrapper script and the output of its child process.
const unseen = /[\uFEFF\x00-\x08\x0B\x0C\x0E-\x1A\x7F]/g;

/**
 * Removes terminal sequences from text, so that a coloured object is found. JSON never contains raw escape characters, so no object is
 * changed.
 */
export function withoutEscapes(text: string): string {
  const plain = text.includes('\u001B') ? text.replace(escapeSequence, '') : text;
  return plain.replace(unseen, '');
}
