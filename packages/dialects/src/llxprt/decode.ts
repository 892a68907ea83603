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
  stricter,
  type VerdictKind,
  verdictOf,
} from '@tenterhook/protocol';
import { commandFailure } from './command-failure.js';
import { knownFields } from './known-fields.js';
import { readStdout, type Stdout } from './read-stdout.js';

/** The most characters of a text that was printed and has to do as a reason: about 16,000 words, beyond what anybody reads. */
const maxReason = 65_536;

type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** Exit code, stdout and stderr to one output, or to "no opinion" (decisions 3 to 8). */
export function decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded {
  if (exit.kind !== 'exited')
    return { failure: { code: 'internal_error', message: `An LLxprt hook cannot end as "${exit.kind}".` }, warnings: [] };
  const stdout = readStdout(exit.stdout);
  switch (exit.exitCode) {
    case EXIT_CODE_SUCCESS:
      return decodeSuccess(exit, stdout, event.eventName, hook);
    case EXIT_CODE_BLOCKING_ERROR:
      return decodeBlock(exit, stdout, event.eventName, hook);
    default:
      return decodeFailure(exit, stdout, event.eventName, hook);
  }
}

function decodeSuccess(exit: Exited, stdout: Stdout, eventName: HookEventName, hook: HookDefinition): Decoded {
  const what = describeHook(hook);
  if (exit.stdoutTruncated) {
    // Half an answer must not be taken for a message: the deny may have stood in the other half.
    return {
      failure: { code: 'output_truncated', message: `${what} wrote ${exit.stdoutBytes} bytes, more than is kept; the answer is not read.` },
      warnings: [],
    };
  }
  switch (stdout.kind) {
    case 'empty':
      return { warnings: [] };
    case 'text':
      return { output: { systemMessage: stdout.text }, warnings: stdout.warnings };
    case 'not-an-object':
      return { warnings: stdout.warnings };
    case 'objects': {
      const read = readObjects(stdout, eventName);
      return { output: read.output, warnings: [...stdout.warnings, ...read.warnings] };
    }
  }
}

/** Exit 2 blocks, whatever stdout says; of what it says, everything but a decision and a rewrite counts (decision 3). */
function decodeBlock(exit: Exited, stdout: Stdout, eventName: HookEventName, hook: HookDefinition): Decoded {
  const read = stdout.kind === 'objects' ? readObjects(stdout, eventName) : undefined;
  const { decision, reason, hookSpecificOutput, ...rest } = read?.output ?? {};
  const warnings: HookWarning[] = [...('warnings' in stdout ? stdout.warnings : []), ...(read?.warnings ?? [])];
  if (decision !== undefined && verdictOf(decision) !== 'deny') {
    warnings.push({
      code: 'decision_ignored',
      message: `The hook printed the decision "${decision}" and exited with 2; exit code 2 always blocks.`,
    });
  }
  const rewrites = rewriteFields(eventName).filter((field) => hookSpecificOutput?.[field] !== undefined);
  if (rewrites.length > 0) {
    warnings.push({ code: 'rewrite_ignored', message: `The hook blocked with exit code 2; its ${rewrites.join(', ')} is not applied.` });
  }
  const context = hookSpecificOutput?.['additionalContext'];
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
    ...(typeof context === 'string' ? { hookSpecificOutput: { additionalContext: context } } : {}),
  };
  return { output, warnings };
}

function decodeFailure(exit: Exited, stdout: Stdout, eventName: HookEventName, hook: HookDefinition): Decoded {
  const said = exit.stderr.trim() || exit.stdout.trim();
  const detail = said === '' ? '' : `: ${bounded(said)}`;
  const what = describeHook(hook);
  const warnings: HookWarning[] = [];
  const printed = stdout.kind === 'objects' ? readObjects(stdout, eventName).output : undefined;
  if (printed !== undefined && (printed.decision !== undefined || printed.continue === false)) {
    const decision = printed.decision === undefined ? 'continue: false' : `the decision "${printed.decision}"`;
    const message = `The hook printed ${decision}, which does not count, because it exited with ${exit.exitCode}. Exit with 0, or with 2 to block.`;
    warnings.push({ code: 'decision_ignored', message });
  }
  const command = hook.action.kind === 'command' ? hook.action.command : hook.id;
  if (exit.exitCode === 126 || exit.exitCode === 127) {
    const { message, remedy } = commandFailure(exit.exitCode, bounded(command), exit.stderr);
    const code = exit.exitCode === 127 ? 'missing_command' : 'not_executable';
    return { failure: { code, message: `${what} ${message}. ${remedy}${detail}` }, warnings };
  }
  return {
    failure: { code: 'exit_code', message: `${what} failed with exit code ${exit.exitCode}${killed(exit.exitCode)}${detail}` },
    warnings,
  };
}

/** One output out of what was printed: all fields of the last object, the strictest decision and any stop of all of them (decision 6). */
function readObjects(
  stdout: Extract<Stdout, { kind: 'objects' }>,
  eventName: HookEventName,
): { output: HookOutput; warnings: HookWarning[] } {
  const read = stdout.objects.map((object) => withCompatibleDecision(knownFields(object, eventName), eventName));
  const last = read.at(-1) as (typeof read)[number];
  if (!stdout.mixed) return last;

  const strictest = read.reduce((a, b) => (stricter(kindOf(a.output), kindOf(b.output)) === kindOf(b.output) ? b : a));
  const stopping = read.find((entry) => entry.output.continue === false);
  const { decision: _decision, ...fields } = last.output;
  const output: HookOutput = { ...fields };
  if (kindOf(strictest.output) !== 'none' && kindOf(strictest.output) !== 'allow') {
    output.decision = strictest.output.decision;
    // The reason of the decision, and not that of the object that came last.
    if (strictest.output.reason === undefined) delete output.reason;
    else output.reason = strictest.output.reason;
  }
  if (stopping !== undefined) {
    output.continue = false;
    if (stopping.output.stopReason !== undefined) output.stopReason = stopping.output.stopReason;
  }
  return { output, warnings: read.flatMap((entry) => entry.warnings) };
}

/** `permissionDecision` is the hook's own decision under an older name; of the two the stricter counts (decision 10). */
function withCompatibleDecision(read: { output: HookOutput; warnings: HookWarning[] }, eventName: HookEventName) {
  const specific = read.output.hookSpecificOutput;
  if (eventName !== 'BeforeTool' || specific?.['permissionDecision'] === undefined) return read;
  const permission = specific['permissionDecision'] as NonNullable<HookOutput['decision']>;
  const own = kindOf(read.output);
  const wins = own !== verdictOf(permission) && stricter(own, verdictOf(permission)) === verdictOf(permission);
  const permissionReason = specific['permissionDecisionReason'] as string | undefined;
  const reason = wins ? (permissionReason ?? read.output.reason) : (read.output.reason ?? permissionReason);
  const output: HookOutput = { ...read.output, ...(wins ? { decision: permission } : {}), ...(reason === undefined ? {} : { reason }) };
  return { output, warnings: read.warnings };
}

/** The reason goes to a model, and what was merely printed may be megabytes; the outcome has all that was kept of it. */
function asReason(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text;
}

/** What a shell says of a child that a signal ended; a script may also mean the number itself. */
function killed(exitCode: number): string {
  return exitCode > 128 && exitCode < 160 ? ` (128 + ${exitCode - 128}, as after signal ${exitCode - 128})` : '';
}

function kindOf(output: HookOutput): VerdictKind {
  return verdictOf(output.decision);
}

function rewriteFields(eventName: HookEventName): string[] {
  return [...new Set([...eventEntry(eventName).rewrites.map((rewrite) => rewrite.field), 'llm_response'])];
}

function bounded(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
