import type { AggregatedHookResult, McpContext } from '@tenterhook/protocol';
import type { HookMessages } from '../client/hook-messages.js';
import type { Ask } from '../permission/ask-user.js';
import type { ToolInput, ToolSchema } from './tool-input.js';
import type { ToolResult, ToolResultOf } from './tool-result.js';
import type { ToolSelection } from './tool-selection.js';

/** A tool call as the model made it, before it is known whether it may run. */
export interface ToolCallToReview<Input extends object = ToolInput> {
  /** The name of the tool, as hooks match it. A call without a name is a TypeError. */
  readonly name: string;
  /** The arguments that the model wrote. The call is refused if they are not a JSON object. */
  readonly input: Input;
  /** The id of the call that the model gave it. Hooks receive this id before and after the tool runs. @default a generated id */
  readonly toolUseId?: string | undefined;
  /** The MCP server that the tool comes from. @default a tool of the agent itself */
  readonly mcpContext?: McpContext | undefined;
  /** The schema of the input. It is checked after the hooks have run. @default the input is not checked */
  readonly schema?: ToolSchema | undefined;
  /** What the host would do without hooks. Hooks receive this value. A hook's allow overrides `ask`, but never `deny`. @default 'allow' */
  readonly approval?: 'allow' | 'ask' | 'deny' | undefined;
  /** The `toolSelection` that `callModelWithHooks` returned for the request of this call. @default every tool is allowed */
  readonly toolSelection?: ToolSelection | undefined;
  /** How often BeforeTool is fired again if a hook postpones the call. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Aborts the hooks, the question to the user and the tool. The reason of the abort is part of `reason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** A tool call as the model made it, and how it is carried out. */
export interface ToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> extends ToolCallToReview<Input> {
  // The next two fields repeat those of the base type, so that they come before `execute`. TypeScript infers types in the order of the
  // fields.
  /** The name of the tool, as hooks match it. A call without a name is a TypeError. */
  readonly name: string;
  /** The arguments that the model wrote. The call is refused if they are not a JSON object. */
  readonly input: Input;
  /**
   * Runs the tool. Hooks may have rewritten the input, so pass a `schema` if its type must be checked. If the function throws, the call
   * ends with `status: 'failed'`.
   */
  readonly execute: (input: Input, options: { readonly signal: AbortSignal }) => Result | Promise<Result>;
  /** Asks the user. @default the user cannot be asked, so an ask is a deny */
  readonly ask?: Ask | undefined;
}

/** How a tool call ended. Every field can be read without comparing `status` first. Fields that do not apply are `undefined`. */
export type FinishedToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> = HookMessages & {
  /** The input that the tool received, or would have received. */
  readonly input: Input;
  /** The result for the model, always present. If the tool did not run, it contains the reason. */
  readonly result: ToolResultOf<Result>;
  /** The result of BeforeTool. */
  readonly before?: AggregatedHookResult;
  /** The result of PermissionRequest, which is fired if the user must be asked. */
  readonly permission?: AggregatedHookResult;
  /** The result of the second BeforeTool, which is fired if hooks of PermissionRequest rewrite the input. */
  readonly recheck?: AggregatedHookResult;
  /** The result of AfterTool. */
  readonly after?: AggregatedHookResult;
  /**
   * The texts that `result.llmContent` has behind the content: the context of hooks as blocks, the reason of a hook of AfterTool that
   * denied, and the answers of async hooks. Absent if nothing was added.
   */
  readonly additions?: readonly string[];
  /**
   * The content that the model receives instead of that of the tool, without `additions`: a hook of AfterTool replaced the result, or the
   * result was withheld. Absent if the content of the tool stays, and if the tool did not run.
   */
  readonly replacement?: { readonly value: unknown };
  /** What the tool threw, the same value. The field is present only if the tool threw. */
  readonly thrown?: unknown;
} & (
    | {
        /** The tool ran. If a hook of AfterTool denied, `reason` is its reason, which `result` contains too. */
        readonly status: 'executed';
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The tool did not run, because a hook, the user, the host or the tool selection refused it. */
        readonly status: 'blocked';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
        readonly cancelled?: undefined;
      }
    | {
        /** The agent loop ends. The tool ran if `after` is present. */
        readonly status: 'stopped';
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /**
         * The tool threw, the call was cancelled before the tool ran, or its input did not match the schema although no hook rewrote it.
         */
        readonly status: 'failed';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        /** The `signal` of the call had aborted before the tool ran, or when the tool failed. */
        readonly cancelled?: true;
      }
  );
