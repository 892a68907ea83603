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
import type { AnswerFormat, Answering, ReadOutput } from './answer-format.js';
import { bounded, type Exited, failedExit } from './failed-exit.js';
import { oneOutputOf } from './one-output.js';
import { readStdout, type Stdout } from './read-stdout.js';

/** The most characters of a text that was printed and has to do as a reason: about 16,000 words, beyond what anybody reads. */
const maxReason = 65_536;

/** What is read of one run, and in which format. */
interface Run extends Answering {
  readonly exit: Exited;
  readonly stdout: Stdout;
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

function decodeSuccess(run: Run): Decoded {
  const { exit, stdout, format } = run;
  if (exit.stdoutTruncated) return truncated(run);
  switch (stdout.kind) {
    case 'empty':
      return { warnings: [] };
    case 'text':
      return together(stdout.warnings, format.ofText(stdout.text, run));
    case 'not-an-object':
      return format.takesOtherJsonAsText ? together(stdout.warnings, format.ofText(stdout.text, run)) : { warnings: stdout.warnings };
    case 'objects':
      return together(stdout.warnings, readObjects(stdout, run, false));
  }
}

/** Exit 2 blocks, whatever stdout says; of what it says, everything but a decision and a rewrite counts (decision 3). */
function decodeBlock(run: Run): Decoded {
  const { exit, stdout, event, hook, format } = run;
  const { eventName } = event;
  const rejects = format.rejects?.(hook) ?? true;
  const read = stdout.kind === 'objects' ? readObjects(stdout, run, rejects) : undefined;
  const { decision, reason, hookSpecificOutput, ...rest } = read?.output ?? {};
  const { kept, rewrites } = withoutRewrites(hookSpecificOutput, eventName);
  const said = { ...rest, ...(Object.keys(kept).length === 0 ? {} : { hookSpecificOutput: kept }) };
  const warnings: HookWarning[] = [...('warnings' in stdout ? stdout.warnings : []), ...(read?.warnings ?? [])];
  const isObjection = ['deny', 'ask'].includes(verdictOf(decision));
  if (decision !== undefined && (rejects ? verdictOf(decision) !== 'deny' : !isObjection)) {
    const why = rejects ? 'exit code 2 always blocks' : 'with that, nothing is allowed';
    warnings.push({ code: 'decision_ignored', message: `The hook printed the decision "${decision}" and exited with 2; ${why}.` });
  }
  if (rewrites.length > 0) {
    warnings.push({ code: 'rewrite_ignored', message: `The hook exited with 2; its ${rewrites.join(', ')} is not applied.` });
  }
  if (!rejects) {
    if (exit.stdoutTruncated) return truncated(run);
    const detail = bounded(exit.stderr.trim());
    const message = `Exit code 2 rejects nothing on ${hook.dialectEvent}${detail === '' ? '.' : `: ${detail}`}`;
    // What it printed beside that is its own word, and an objection must not be lost (decision 68).
    const own = isObjection ? { decision, ...(reason === undefined ? {} : { reason }) } : {};
    return { output: { ...said, ...own }, warnings: [{ code: 'no_effect', message }, ...warnings] };
  }
  const text = stdout.kind === 'empty' || (stdout.kind === 'objects' && !stdout.mixed) ? '' : exit.stdout.trim();
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

/** Half an answer must not be taken for a message: the deny may have stood in the other half. */
function truncated({ exit, hook }: Run): Decoded {
  const message = `${describeHook(hook)} wrote ${exit.stdoutBytes} bytes, more than is kept; the answer is not read.`;
  return { failure: { code: 'output_truncated', message }, warnings: [] };
}

/** What it printed is not obeyed; a decision in it is worth a word (decisions 4 and 58). */
function decodeFailure(run: Run): Decoded {
  const { exit, stdout, hook, format } = run;
  const failure = failedExit(exit, hook, format.relativePaths);
  const printed = stdout.kind === 'objects' ? readObjects(stdout, run, false).output : undefined;
  if (printed === undefined || (printed.decision === undefined && printed.continue !== false)) return { failure, warnings: [] };
  const decision = printed.decision === undefined ? 'continue: false' : `the decision "${printed.decision}"`;
  const message = `The hook printed ${decision}, which does not count, because it exited with ${exit.exitCode}. Exit with 0, or with 2 to block.`;
  return { failure, warnings: [{ code: 'decision_ignored', message }] };
}

function readObjects({ objects, mixed }: Extract<Stdout, { kind: 'objects' }>, run: Run, rejects: boolean): ReadOutput {
  const read = objects.map((object) => run.format.read(object, run, rejects));
  return mixed ? oneOutputOf(read) : (read.at(-1) as ReadOutput);
}

function together(warnings: readonly HookWarning[], { output, warnings: own = [] }: Partial<ReadOutput>): Decoded {
  return { ...(output === undefined ? {} : { output }), warnings: [...warnings, ...own] };
}

/** The reason goes to a model, and what was merely printed may be megabytes; the outcome has all that was kept of it. */
function asReason(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text;
}

function withoutRewrites(
  specific: Readonly<Record<string, unknown>> = {},
  eventName: HookEventName,
): { kept: Record<string, unknown>; rewrites: string[] } {
  const fields = new Set([...eventEntry(eventName).rewrites.map((rewrite) => rewrite.field), 'llm_response']);
  const kept = Object.fromEntries(Object.entries(specific).filter(([field]) => !fields.has(field)));
  return { kept, rewrites: [...fields].filter((field) => specific[field] !== undefined) };
}
