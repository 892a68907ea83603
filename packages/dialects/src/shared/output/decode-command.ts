import {
  type Decoded,
  describeHook,
  EXIT_CODE_BLOCKING_ERROR,
  EXIT_CODE_SUCCESS,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutput,
  type HookWarning,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import type { AnswerFormat, Answering, ReadOutput } from './answer-format.js';
import { bounded, type Exited, failedExit } from './failures/command-failure.js';
import { objectionOnStderr, scriptComplaint } from './failures/stderr-warnings.js';
import { readWithoutRepeats } from './fields/repeated-fields.js';
import { isObjection, withForeignDecision } from './foreign-decision.js';
import { maxMixed } from './json/json-objects.js';
import { isObjecting, type MixedOutput, objectionsAmong } from './json/mixed-output.js';
import { readPrinted, type Stdout } from './read-stdout.js';

/**
 * Converts exit code, stdout and stderr of a command into one output, which may have no decision (decisions 3 to 8, 49, 58 and 59).
 */
export function decodeCommand(exit: ReadableExit, event: HookEvent, hook: HookDefinition, format: AnswerFormat): Decoded {
  if (exit.kind !== 'exited')
    return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
  // Checked before stdout is parsed, because parsing copies a text of many megabytes several times.
  if (exit.exitCode === EXIT_CODE_SUCCESS && exit.stdoutTruncated) return truncated({ exit, hook });
  const run: Run = { exit, stdout: readPrinted(exit, format), event, hook, format };
  switch (exit.exitCode) {
    case EXIT_CODE_SUCCESS:
      return decodeSuccess(run);
    case EXIT_CODE_BLOCKING_ERROR:
      return decodeBlock(run);
    default:
      return decodeFailure(run);
  }
}

/**
 * Reads the answer on stdout. Adds warnings about stderr, which may contain an answer, or a shell's message about a mistake in the
 * script.
 */
function decodeSuccess(run: Run): Decoded {
  const { exit, stdout, hook, format } = run;
  const decoded = readSuccess(run);
  const isAnswered = stdout.kind === 'answer' || isObjecting(decoded.output ?? {}) || format.readsStderr === true;
  const more = [isAnswered ? undefined : objectionOnStderr(exit, format), scriptComplaint(exit, hook)].filter((one) => one !== undefined);
  return more.length === 0 ? decoded : { ...decoded, warnings: [...decoded.warnings, ...more] };
}

function readSuccess(run: Run): Decoded {
  const { exit, stdout, format } = run;
  const { readsStderr = false } = format;
  if (readsStderr && stdout.kind === 'empty' && exit.stderrTruncated) return truncated(run);
  switch (stdout.kind) {
    case 'empty':
      return { warnings: stdout.warnings };
    case 'too-long':
      return tooLong(run, stdout.ends);
    case 'text':
      return together([...stdout.warnings, ...objectionInAWord(stdout.text, run)], format.ofText(stdout.text, run));
    case 'not-an-object':
      return format.takesOtherJsonAsText ? together(stdout.warnings, format.ofText(stdout.text, run)) : { warnings: stdout.warnings };
    case 'answer':
      return together(stdout.warnings, readAnswer(stdout, run, false));
    case 'mixed':
      return readMixed(stdout, run);
  }
}

/**
 * Reads text with objects in it. If an object contains a deny, ask or stop, only these decisions are used. Otherwise the whole
 * output is text, because the hook may only quote the objects.
 */
function readMixed(stdout: MixedOutput, run: Run): Decoded {
  const { output, warnings } = readObjections(stdout, run, false);
  if (isObjecting(output) || stdout.text === undefined) return { ...(isObjecting(output) ? { output } : {}), warnings };
  return together(warnings, { ...run.format.ofText(stdout.text, run), warnings: [] });
}

/**
 * Reads the output of a hook with exit code 2. This code denies, whatever decision is on stdout. The other fields on stdout are
 * read, except rewrites (decision 3). On an event on which exit code 2 does not deny, a printed deny or ask is obeyed.
 */
function decodeBlock(run: Run): Decoded {
  const { exit, stdout, event, hook, format } = run;
  const { eventName } = event;
  const rejects = format.rejects?.(hook) ?? true;
  const read = readObjects(run, rejects);
  const { decision, reason, hookSpecificOutput, ...rest } = read?.output ?? {};
  const { kept, rewrites } = withoutRewrites(hookSpecificOutput, eventName);
  const said = { ...rest, ...(Object.keys(kept).length === 0 ? {} : { hookSpecificOutput: kept }) };
  const warnings: HookWarning[] = [...(read?.warnings ?? stdout.warnings)];
  const isObjection = ['deny', 'ask'].includes(verdictOf(decision));
  if (decision !== undefined && (rejects ? verdictOf(decision) !== 'deny' : !isObjection)) {
    const why = rejects ? 'exit code 2 always blocks' : 'exit code 2 never allows';
    warnings.push({ code: 'decision_ignored', message: `The hook printed the decision "${decision}" and exited with 2; ${why}.` });
  }
  if (rewrites.length > 0) {
    warnings.push({ code: 'rewrite_ignored', message: `The hook exited with 2, so its ${rewrites.join(', ')} is not applied.` });
  }
  if (!rejects) {
    if (exit.stdoutTruncated) return truncated(run);
    const detail = bounded(exit.stderr.trim());
    const message = `Exit code 2 does not deny on ${hook.dialectEvent}${detail === '' ? '.' : `: ${detail}`}`;
    // Exit code 2 does not deny on this event, but a printed deny or ask must not be lost (decision 68).
    const own = isObjection ? { decision, ...(reason === undefined ? {} : { reason }) } : {};
    return { output: { ...said, ...own }, warnings: [{ code: 'no_effect', message }, ...warnings] };
  }
  const text = stdout.kind === 'empty' || stdout.kind === 'answer' ? '' : exit.stdout.trim();
  const output: HookOutput = {
    ...said,
    decision: 'deny',
    reason:
      reason ||
      rest.stopReason ||
      asReason(exit.stderr.trim()) ||
      asReason(text) ||
      `Hook "${hookLabel(hook)}" blocked ${eventName} with exit code 2 and gave no reason.`,
  };
  return { output, warnings };
}

/** Returns a warning about a text that is only a word such as `deny`. No format reads such a word as a decision. */
function objectionInAWord(text: string, { event, hook, format }: Run): readonly HookWarning[] {
  if (!isObjection(text) || eventEntry(event.eventName).may.block === false) return [];
  const example = format.denial?.(hook) ?? format.words.example;
  const message = `stdout is only the word "${text}", which decides nothing; it was read as text. To deny, print ${example}, or exit with 2.`;
  return [{ code: 'decision_in_text', message }];
}

function together(warnings: readonly HookWarning[], { output, warnings: own = [] }: Partial<ReadOutput>): Decoded {
  return { ...(output === undefined ? {} : { output }), warnings: [...warnings, ...own] };
}

function withoutRewrites(
  specific: Readonly<Record<string, unknown>> = {},
  eventName: HookEventName,
): { kept: Record<string, unknown>; rewrites: string[] } {
  const fields = new Set([...eventEntry(eventName).rewrites.map((rewrite) => rewrite.field), 'llm_response']);
  const kept = Object.fromEntries(Object.entries(specific).filter(([field]) => !fields.has(field)));
  return { kept, rewrites: [...fields].filter((field) => specific[field] !== undefined) };
}

/** Reads the output of a hook with an exit code other than 0 and 2. The hook has failed, unless the format reads such output. */
export function decodeFailure(run: Run): Decoded {
  const { exit, stdout, hook, format } = run;
  const isDeny = hook.onError === 'block' || format.failureDenies?.(hook) === true;
  const failure = failedExit(exit, hook, format, isDeny ? 'denies' : 'ignored');
  const read = readObjects(run, false);
  if (read !== undefined && counts(run, read.output)) return { output: read.output, warnings: [allTheSame(run), ...read.warnings] };
  const warnings = read === undefined || stdout.kind === 'answer' ? stdout.warnings : read.warnings;
  const text = textOf(run);
  if (text !== '' && format.textDenies?.(exit.exitCode) === true) {
    // If the shell could not run the command, stdout and stderr may contain only the shell's message. A warning then says what to
    // fix.
    const unrunnable = failure.code === 'exit_code' ? [] : [failure];
    return { output: { decision: 'deny', reason: asReason(text) }, warnings: [...unrunnable, ...warnings] };
  }
  return { failure, warnings: ignored(run, read, warnings) };
}

function counts({ exit, stdout, format }: Run, output: HookOutput): boolean {
  if (format.objectsCountOnFailure !== true || exit.stdoutTruncated) return false;
  return stdout.kind === 'answer' || isObjecting(output);
}

/** Returns the warning that a hook failed but its answer is obeyed. stdout is left out, because it is the answer. */
function allTheSame({ exit, hook, format }: Run): HookWarning {
  return failedExit({ ...exit, stdout: '' }, hook, format, 'output counts');
}

/** Returns the printed text if it is not an answer. JSON that is not an object never becomes a reason. */
function textOf({ exit, stdout }: Run): string {
  if (stdout.kind === 'not-an-object' || stdout.kind === 'answer') return '';
  return exit.stdout.trim() || exit.stderr.trim();
}

/** Returns warnings about a decision that a failed hook printed. The decision has no effect (decisions 4 and 58). */
function ignored({ exit, format }: Run, read: ReadOutput | undefined, warnings: readonly HookWarning[]): readonly HookWarning[] {
  // If the format reads objects after a failure, these warnings explain why this object was not read.
  const own = format.objectsCountOnFailure === true ? warnings : [];
  if (read === undefined || (read.output.decision === undefined && read.output.continue !== false)) return own;
  const decision = read.output.decision === undefined ? 'continue: false' : `the decision "${read.output.decision}"`;
  const message = `The hook printed ${decision}, which is ignored, because it exited with ${exit.exitCode}. Exit with 0 after printing a decision, or with 2 and the reason on stderr.`;
  return [{ code: 'decision_ignored', message }, ...own];
}

/** One run of a command, and the format of its output. */
export interface Run extends Answering {
  readonly exit: Exited;
  readonly stdout: Stdout;
  readonly format: AnswerFormat;
}

/** The maximum number of characters: about 16,000 words. A longer reason is cut. */
const maxReason = 65_536;

/** Reads the objects on stdout, with all warnings about stdout. Returns undefined if stdout contains no object. */
function readObjects(run: Run, rejects: boolean): ReadOutput | undefined {
  const { stdout } = run;
  if (stdout.kind === 'mixed') return readObjections(stdout, run, rejects);
  if (stdout.kind !== 'answer') return undefined;
  const { output, warnings } = readAnswer(stdout, run, rejects);
  return { output, warnings: [...stdout.warnings, ...warnings] };
}

function readAnswer({ object }: Pick<Extract<Stdout, { kind: 'answer' }>, 'object'>, run: Run, rejects: boolean): ReadOutput {
  const { format, hook } = run;
  const read = (fields: Readonly<Record<string, unknown>>) => withForeignDecision(format.read(fields, run, rejects), fields, format, hook);
  return readWithoutRepeats(object, format.received?.(run) ?? {}, read);
}

function readObjections(stdout: MixedOutput, run: Run, rejects: boolean): ReadOutput {
  const read = stdout.objects.map((object) => readAnswer({ object }, run, rejects));
  return objectionsAmong(stdout, read, run.event, run.format.words);
}

/**
 * Returns the failure for output that was cut off at the limit. The first part is not used, because the missing part may contain a
 * deny.
 */
export function truncated({ exit, hook }: Pick<Run, 'exit' | 'hook'>): Decoded {
  const bytes = exit.stdoutTruncated ? exit.stdoutBytes : exit.stderrBytes;
  const message = `${describeHook(hook)} wrote ${bytes} bytes, more than the limit; the answer is not read. Print only the answer to stdout, and write other output to a file.`;
  return { failure: { code: 'output_truncated', message }, warnings: [] };
}

/**
 * Handles output that is too long to parse. It is a failure, as if the output had been cut off. Nevertheless, a deny in the first
 * or the last lines is obeyed. An ask there is obeyed too, unless a failure of the hook denies.
 */
function tooLong(run: Run, ends: Stdout): Decoded {
  const { exit, hook } = run;
  const message = `${describeHook(hook)} wrote ${exit.stdoutBytes} bytes to stdout that are not one JSON object. Only ${maxMixed} characters at the start and the end of such an output are read, and only a deny, an ask or a stop in them has an effect. Print one object, and logs to stderr.`;
  const truncation = { code: 'output_truncated', message } as const;
  if (ends.kind === 'mixed') {
    const { output, warnings } = readObjections(ends, run, false);
    const objects = output.continue === false || verdictOf(output.decision) === 'deny';
    if (objects || (verdictOf(output.decision) === 'ask' && hook.onError !== 'block'))
      return { output, warnings: [truncation, ...warnings] };
  }
  return { failure: truncation, warnings: [] };
}

/**
 * Shortens printed text for use as a reason. A model receives the reason, and the text may have megabytes. The outcome of the hook
 * keeps the whole text.
 */
export function asReason(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text;
}
