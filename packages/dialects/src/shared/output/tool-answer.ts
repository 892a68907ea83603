import { type Decoded, describeHook, type HookDefinition, type ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { getContentText } from '../tool-response.js';
import { bounded, type Exited } from './failures/command-failure.js';

/**
 * Returns the result of an MCP tool as the end of a command that printed its text, because the same rules apply. A result with an
 * error is a failure of the hook.
 */
export function printedByTool(
  { answer, durationMs }: Extract<ReadableExit, { kind: 'answered' }>,
  hook: HookDefinition,
): Exited | { readonly kind: 'failed'; readonly failed: Decoded } {
  const text = toToolText(answer);
  if (isPlainObject(answer) && answer['isError'] === true) {
    const message = `${describeHook(hook)} failed: ${bounded(text)}`;
    return { kind: 'failed', failed: { failure: { code: 'hook_failed', message }, warnings: [] } };
  }
  return exitWith(text, durationMs);
}

/** Returns the end of a command that printed this text and exited with 0. */
export function exitWith(stdout: string, durationMs: number): Exited {
  const printed = { stdout, stderr: '', stdoutBytes: stdout.length, stderrBytes: 0 };
  const whole = { stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false, leftProcesses: 0 };
  return { kind: 'exited', exitCode: 0, durationMs, ...printed, ...whole };
}

/** Returns a tool's result as the text that a command would have printed. */
function toToolText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const structured = isPlainObject(answer) ? answer['structuredContent'] : undefined;
  return getContentText(answer) ?? (answer === undefined ? '' : (JSON.stringify(structured ?? answer) ?? ''));
}
