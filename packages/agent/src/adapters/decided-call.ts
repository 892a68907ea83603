import { omitUndefined } from '@tenterhook/runtime/json';
import type { ReviewedToolCall } from '../tool/reviewed-tool-call.js';

/** Returns the call as one that may run, because the user has allowed it. */
export function toReady(reviewed: ReviewedToolCall): ReviewedToolCall {
  return { ...withoutDecision(reviewed), status: 'ready' };
}

/** Returns the call as one that must not run. */
export function toBlocked(reviewed: ReviewedToolCall, reason: string): ReviewedToolCall {
  return { ...withoutDecision(reviewed), status: 'blocked', reason };
}

/** Returns the fields that a reviewed call has, whatever was decided. */
function withoutDecision({ systemMessages, userMessages, suppressOutput, name, input, ...rest }: ReviewedToolCall) {
  const { toolUseId, mcpContext, before, permission, recheck } = rest;
  return {
    systemMessages,
    userMessages,
    suppressOutput,
    name,
    input,
    ...omitUndefined({ toolUseId, mcpContext, before, permission, recheck }),
  };
}
