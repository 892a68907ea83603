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
  hookLabel,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import type { AnswerFormat, ReadOutput } from './answer-format.js';
import { type Exited, failedExit } from './failed-exit.js';
import { oneOutputOf } from './one-output.js';
import { readStdout, type Stdout } from './read-stdout.js';

/** The most characters of a text that was printed and has to do as a reason: about 16,000 words, beyond what anybody reads. */
const maxReason = 65_536;

/** What is read of one run, and in which format. */
interface Run {
  readonly exit: Exited;
  readonly stdout: Stdout;
  readonly event: HookEvent;
  readonly hook: HookDefinition;
  readonly format: AnswerFormat;
}

/** Exit code, stdout and stderr of a command to one output, or to "no opinion" (decisions 3 to 8, 49, 58 and 59). */
export function decodeCommand(exit: ReadableExit, event: HookEvent, hook: HookDefinition, format: AnswerFormat): Decoded {
  if (exit.kind !== 'exited')
    return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
  const run: Run = { exit, stdout: readStdout(exit.stdout, format), event, hook, format };
  switch (exit.exitCode) {
    case EXIT_CODE_SUCCESS:
      return decodeSuccess(run);
    case EXIT_CODE_BLOCKING_ERROR:
      return decodeBlock(run);
    default:
      return decodeFailure(run);
  }
}

function decodeSuccess({ exit, stdout, event, hook, format }: Run): Decoded {
  if (exit.stdoutTruncated) {
    // Half an answer must not be taken for a message: the deny may have stood in the other half.
    const message = `${describeHook(hook)} wrote ${exit.stdoutBytes} bytes, more than is kept; the answer is not read.`;
    return { failure: { code: 'output_truncated', message }, warnings: [] };
  }
  switch (stdout.kind) {
    case 'empty':
      return { warnings: [] };
    case 'text':
      return together(stdout.warnings, format.ofText(stdout.text, event));
    case 'not-an-object':
      return format.takesOtherJsonAsText ? together(stdout.warnings, format.ofText(stdout.text, event)) : { warnings: stdout.warnings };
    case 'objects':
      return together(stdout.warnings, readObjects(stdout, event, format, false));
  }
}

/** Exit 2 blocks, whatever stdout says; of what it says, everything but a decision and a rewrite counts (decision 3). */
function decodeBlock({ exit, stdout, event, hook, format }: Run): Decoded {
  const { eventName } = event;
  const rejects = format.rejects?.(eventName) ?? true;
  const read = stdout.kind === 'objects' ? readObjects(stdout, event, format, rejects) : undefined;
  const { decision, reason, hookSpecificOutput, ...rest } = read?.output ?? {};
  const warnings: HookWarning[] = [...('warnings' in stdout ? stdout.warnings : []), ...(read?.warnings ?? [])];
  if (decision !== undefined && verdictOf(decision) !== 'deny') {
    const always = rejects ? 'exit code 2 always blocks' : 'such an exit decides nothing';
    warnings.push({ code: 'decision_ignored', message: `The hook printed the decision "${decision}" and exited with 2; ${always}.` });
  }
  const rewrites = rewriteFields(eventName).filter((field) => hookSpecificOutput?.[field] !== undefined);
  if (rewrites.length > 0) {
    warnings.push({ code: 'rewrite_ignored', message: `The hook exited with 2; its ${rewrites.join(', ')} is not applied.` });
  }
  const context = hookSpecificOutput?.['additionalContext'];
  const specific = typeof context === 'string' ? { hookSpecificOutput: { additionalContext: context } } : {};
  if (!rejects) {
    const said = asReason(exit.stderr.trim());
    const message = `Exit code 2 rejects nothing on ${hook.dialectEvent}${said === '' ? '' : `: ${said}`}.`;
    return { output: { ...rest, ...specific }, warnings: [{ code: 'no_effect', message }, ...warnings] };
  }
  const text = stdout.kind === 'text' || stdout.kind === 'not-an-object' ? stdout.text : '';
  const output: HookOutput = {
    ...rest,
    decision: 'deny',
    reason:
      reason ||
      rest.stopReason ||
      asReason(exit.stderr.trim()) ||
      asReason(text) ||
      `Hook "${hookLabel(hook)}" blocked ${eventName} with exit code 2 and gave no reason.`,
    ...specific,
  };
  return { output, warnings };
}

/** What it printed is not obeyed; a decision in it is worth a word (decisions 4 and 58). */
function decodeFailure({ exit, stdout, event, hook, format }: Run): Decoded {
  const failure = failedExit(exit, hook, format.relativePaths);
  const printed = stdout.kind === 'objects' ? readObjects(stdout, event, format, false).output : undefined;
  if (printed === undefined || (printed.decision === undefined && printed.continue !== false)) return { failure, warnings: [] };
  const decision = printed.decision === undefined ? 'continue: false' : `the decision "${printed.decision}"`;
  const message = `The hook printed ${decision}, which does not count, because it exited with ${exit.exitCode}. Exit with 0, or with 2 to block.`;
  return { failure, warnings: [{ code: 'decision_ignored', message }] };
}

function readObjects(
  { objects, mixed }: Extract<Stdout, { kind: 'objects' }>,
  event: HookEvent,
  format: AnswerFormat,
  rejects: boolean,
): ReadOutput {
  const read = objects.map((object) => format.read(object, event, rejects));
  return mixed ? oneOutputOf(read) : (read.at(-1) as ReadOutput);
}

function together(warnings: readonly HookWarning[], { output, warnings: own = [] }: Partial<ReadOutput>): Decoded {
  return { ...(output === undefined ? {} : { output }), warnings: [...warnings, ...own] };
}

/** The reason goes to a model, and what was merely printed may be megabytes; the outcome has all that was kept of it. */
function asReason(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text;
}

function rewriteFields(eventName: HookEventName): string[] {
  return [...new Set([...eventEntry(eventName).rewrites.map((rewrite) => rewrite.field), 'llm_response'])];
}
