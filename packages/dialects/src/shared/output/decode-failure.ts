import { type Decoded, type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';
import type { ReadOutput } from './answer-format.js';
import { failedExit } from './failed-exit.js';
import { asReason, type Run, readObjects } from './run.js';

/** An exit code that is neither 0 nor 2: a failure, unless the format says that what was printed counts. */
export function decodeFailure(run: Run): Decoded {
  const { exit, stdout, hook, format } = run;
  const failure = failedExit(exit, hook, format.relativePaths);
  const read = stdout.kind === 'objects' ? readObjects(stdout, run, false) : undefined;
  const { warnings } = stdout;
  if (read !== undefined && counts(run, read.output))
    return { output: read.output, warnings: [allTheSame(run), ...warnings, ...read.warnings] };
  const text = textOf(run);
  if (text !== '' && format.textDenies?.(exit.exitCode) === true) {
    // What a shell says of a command that it does not find is such a text, and nobody should have to look for the command in it.
    const unrunnable = failure.code === 'exit_code' ? [] : [failure];
    return { output: { decision: 'deny', reason: asReason(text) }, warnings: [...unrunnable, ...warnings] };
  }
  return { failure, warnings: ignored(run, read, warnings) };
}

function counts({ exit, stdout, format }: Run, output: HookOutput): boolean {
  if (format.objectsCountOnFailure !== true || exit.stdoutTruncated || stdout.kind !== 'objects') return false;
  // Of an object within a text, quoted or among others, no allow counts beside a failure.
  return (!stdout.mixed && stdout.warnings.length === 0) || isObjecting(output);
}

/** The failure that its answer makes a remark: what it printed on stdout is the answer and no complaint. */
function allTheSame({ exit, hook, format }: Run): HookWarning {
  const { code, message } = failedExit({ ...exit, stdout: '' }, hook, format.relativePaths);
  return { code, message: `${message}${message.endsWith('.') ? '' : '.'} What it printed counts all the same.` };
}

/** What it said where that is no answer; JSON that is no object says nothing in any format. */
function textOf({ exit, stdout }: Run): string {
  if (stdout.kind === 'not-an-object' || (stdout.kind === 'objects' && !stdout.mixed)) return '';
  return exit.stdout.trim() || exit.stderr.trim();
}

/** What it printed is not obeyed; a decision in it is worth a word (decisions 4 and 58). */
function ignored({ exit, format }: Run, read: ReadOutput | undefined, warnings: readonly HookWarning[]): readonly HookWarning[] {
  // Where objects count, how this one missed it is of interest.
  const own = format.objectsCountOnFailure === true ? warnings : [];
  if (read === undefined || (read.output.decision === undefined && read.output.continue !== false)) return own;
  const decision = read.output.decision === undefined ? 'continue: false' : `the decision "${read.output.decision}"`;
  const message = `The hook printed ${decision}, which does not count, because it exited with ${exit.exitCode}. Exit with 0, or with 2 to block.`;
  return [{ code: 'decision_ignored', message }, ...own];
}

function isObjecting(output: HookOutput): boolean {
  return ['deny', 'ask'].includes(verdictOf(output.decision)) || output.continue === false;
}
