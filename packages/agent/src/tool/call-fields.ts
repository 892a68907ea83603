import type { HookFieldsOf } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { ToolCallToReview } from './tool-call.js';
import type { ToolInput } from './tool-input.js';

/** Returns the fields that BeforeTool and AfterTool have in common. */
export function toCallFields(
  { name, mcpContext }: Pick<ToolCallToReview, 'name' | 'mcpContext'>,
  input: ToolInput,
  toolUseId: string | undefined,
): HookFieldsOf<'BeforeTool'> {
  return { tool_name: name, tool_input: input, ...omitUndefined({ mcp_context: mcpContext, tool_use_id: toolUseId }) };
}
