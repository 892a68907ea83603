import { messageOf } from './message-of.js';
import { refusedResult, type ToolResult } from './tool-result.js';
import { untilAbandoned } from './until-abandoned.js';

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
    // A copy: a getter that throws does so here, and not after the tool has run and before AfterTool.
    if (typeof raw === 'object' && raw !== null) return { raw: { ...(raw as ToolResult) } };
    throw new TypeError(`${name} gave ${raw === null ? 'null' : `a value of type ${typeof raw}`}; { llmContent, … } was due.`);
  } catch (error) {
    const failure = messageOf(error);
    return { raw: refusedResult(failure), failure };
  }
}
