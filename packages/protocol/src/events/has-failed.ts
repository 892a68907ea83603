import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Whether the `tool_response` of an AfterTool event is that of a tool that failed: it has an `error`. Tools and SDKs leave the field in the
 * response of one that worked, and write `null`, `false` or an empty text there.
 */
export function hasFailed(toolResponse: unknown): boolean {
  const error = isPlainObject(toolResponse) ? toolResponse['error'] : undefined;
  return error !== undefined && error !== null && error !== false && error !== '';
}
