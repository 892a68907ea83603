import { omitUndefined } from '@tenterhook/runtime/json';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { askUser } from '../permission/ask-user.js';
import { requireCall, toolRules } from '../require-call.js';
import { recordTool } from './record-tool.js';
import { reviewToolCall } from './review-tool-call.js';
import { finishReviewedTool } from './run-reviewed-tool.js';
import type { FinishedToolCall, ToolCall } from './tool-call.js';
import type { ToolInput } from './tool-input.js';
import type { ToolResult } from './tool-result.js';

/**
 * Fires BeforeTool, runs the tool, fires AfterTool, and obeys all verdicts (seed 001 §8). If a hook or the host asks, PermissionRequest is
 * fired and the user is asked before the tool runs. If hooks of PermissionRequest rewrite the input, the hooks of BeforeTool are asked
 * again. Use this function for every tool call, including MCP tools and subagents (field failure 24). Rejects only for wrong use, with a
 * TypeError.
 */
export async function executeToolWithHooks<Input extends object = ToolInput, Result extends ToolResult = ToolResult>(
  client: HookClient,
  call: ToolCall<Input, Result>,
): Promise<FinishedToolCall<Input, Result>> {
  // Callers see generic types. Inside this package the input is plain JSON.
  const outcome: unknown = await recordTool(client, call, () => executeTool(client, call as unknown as ToolCall));
  return outcome as FinishedToolCall<Input, Result>;
}

async function executeTool(client: HookClient, call: ToolCall): Promise<FinishedToolCall> {
  requireClient('executeToolWithHooks', client, {});
  requireCall('executeToolWithHooks', call, toolRules);
  const { signal } = call;
  const reviewed = await reviewToolCall(client, call);
  const refusal = reviewed.status === 'asked' ? await askUser(call.ask, reviewed.question, signal) : undefined;
  // The function is called as a method of the call, as callers with a class expect.
  const execute: ToolCall['execute'] = (input, options) => call.execute(input, options);
  return finishReviewedTool(client, reviewed, { execute, ...omitUndefined({ refusal, signal }) });
}
