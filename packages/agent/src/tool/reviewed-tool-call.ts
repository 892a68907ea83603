import type { AggregatedHookResult, McpContext } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookMessages } from '../client/hook-messages.js';
import type { Question } from '../permission/ask-user.js';
import type { ToolInput } from './tool-input.js';
import type { ToolResult } from './tool-result.js';

/**
 * What hooks decided about a tool call that has not run yet. It is plain JSON if the input is, so that a host can store it and carry out
 * the call later, also in another process. Every field can be read without comparing `status` first. Fields that do not apply are
 * `undefined`.
 */
export type ReviewedToolCall<Input extends object = ToolInput> = HookMessages & {
  readonly name: string;
  /** The input that the tool would receive, as hooks rewrote it. */
  readonly input: Input;
  /** The id of the call. Absent if the model gave none and no hook or user sees the call. */
  readonly toolUseId?: string;
  readonly mcpContext?: McpContext;
  /** The result of BeforeTool. */
  readonly before?: AggregatedHookResult;
  /** The result of PermissionRequest, which is fired if the user must be asked. */
  readonly permission?: AggregatedHookResult;
  /** The result of the second BeforeTool, which is fired if hooks of PermissionRequest rewrite the input. */
  readonly recheck?: AggregatedHookResult;
} & (
    | {
        /** The tool may run. */
        readonly status: 'ready';
        readonly question?: undefined;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The tool may run if the user allows it. */
        readonly status: 'asked';
        readonly question: Question;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The tool must not run, because a hook, the host or the tool selection refused it. */
        readonly status: 'blocked';
        readonly question?: undefined;
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
        readonly cancelled?: undefined;
      }
    | {
        /** A hook stops the agent. The tool must not run. */
        readonly status: 'stopped';
        readonly question?: undefined;
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The review was cancelled, or the input did not match the schema although no hook rewrote it. The tool must not run. */
        readonly status: 'failed';
        readonly question?: undefined;
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        /** The `signal` of the call had aborted. */
        readonly cancelled?: true;
      }
  );

/** How a reviewed tool call is carried out. */
export interface ReviewedToolRun<Input extends object = ToolInput, Result extends ToolResult = ToolResult> {
  /** Runs the tool. If the function throws, the call ends with `status: 'failed'`. */
  readonly execute: (input: Input, options: { readonly signal: AbortSignal }) => Result | Promise<Result>;
  /**
   * The answer of the user. A call that is `asked` runs only after `allow`. `deny` also refuses a call that is `ready`, because the user may
   * have answered before the hooks were asked again.
   * @default the user was not asked, so a call that is `asked` is blocked
   */
  readonly answer?: 'allow' | 'deny' | undefined;
  /**
   * Tests whether something that the tool threw is thrown on, e.g. the interrupt with which a framework suspends a tool. It is not a
   * failure of the tool: AfterTool is not fired, and `runReviewedToolWithHooks` rejects with it.
   * @default everything that the tool throws is a failure
   */
  readonly rethrows?: ((thrown: unknown) => boolean) | undefined;
  /** Aborts the tool and the hooks. The reason of the abort is part of `reason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

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
