import { omitUndefined } from '@tenterhook/runtime/json';
import { messageOf } from './message-of.js';
import { untilAbandoned } from './race-with-abort.js';
import { refusedResult, type ToolResult } from './tool/tool-result.js';

/** What a tool gave. With a `failure` the result is what the model is told of it. */
export interface ToolRun {
  readonly raw: ToolResult;
  readonly failure?: string;
}

/** Runs a tool to a result, whatever it does: what it throws, gives instead of a result, or leaves undone after an abort is its failure. */
export async function runTool(
  name: string,
  execute: (options: { readonly signal: AbortSignal }) => ToolResult | Promise<ToolResult>,
  signal: AbortSignal | undefined,
): Promise<ToolRun> {
  try {
    const raw: unknown = await untilAbandoned(() => execute({ signal: signal ?? new AbortController().signal }), signal);
    if (!isToolResult(raw)) throw new TypeError(`${name} gave ${nameOf(raw)}; { llmContent, … } was due.`);
    // Read here, instances of classes included: a getter that throws does so now, and not between the tool and AfterTool.
    const { llmContent, returnDisplay, error } = raw;
    return { raw: { ...raw, llmContent, ...omitUndefined({ returnDisplay, error }) } };
  } catch (error) {
    const failure = messageOf(error);
    return { raw: refusedResult(failure), failure };
  }
}

function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
