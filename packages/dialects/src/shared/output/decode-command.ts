import {
  type Decoded,
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
import { decodeFailure } from './decode-failure.js';
import { bounded } from './failed-exit.js';
import { readPrinted } from './read-stdout.js';
import { asReason, type Run, readObjects, truncated } from './run.js';

/** Exit code, stdout and stderr of a command to one output, or to "no opinion" (decisions 3 to 8, 49, 58 and 59). */
export function decodeCommand(exit: ReadableExit, event: HookEvent, hook: HookDefinition, format: AnswerFormat): Decoded {
  if (exit.kind !== 'exited')
    return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
  // Before it is read: each step of that copies a text of many megabytes.
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

function decodeSuccess(run: Run): Decoded {
  const { exit, stdout, format } = run;
  const { readsStderr = false } = format;
  if (readsStderr && stdout.kind === 'empty' && exit.stderrTruncated) return truncated(run);
  switch (stdout.kind) {
    case 'empty':
      return { warnings: stdout.warnings };
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
  const warnings: HookWarning[] = [...stdout.warnings, ...(read?.warnings ?? [])];
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
