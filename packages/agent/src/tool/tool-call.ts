import type { AggregatedHookResult, McpContext } from '@tenterhook/protocol';
import type { HookMessages } from '../client/hook-messages.js';
import type { Ask } from '../permission/ask-user.js';
import type { ToolInput, ToolSchema } from './tool-input.js';
import type { ToolResult, ToolResultOf } from './tool-result.js';
import type { ToolSelection } from './tool-selection.js';

/** A tool call as the model made it, and how it is carried out. */
export interface ToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> {
  /** The name of the tool, as hooks match it. A call without a name is a TypeError. */
  readonly name: string;
  /** The arguments, as the model wrote them. A call is refused if they are not a JSON object. */
  readonly input: Input;
  /**
   * Runs the tool with the input, which hooks may have rewritten. Pass a `schema` to make sure that a rewritten input still has this type.
   * If the function throws, the call ends with `status: 'failed'`.
   */
  readonly execute: (input: Input, options: { readonly signal: AbortSignal }) => Result | Promise<Result>;
  /** The id that the model gave the call. Hooks receive it before and after the tool runs. @default a generated id */
  readonly toolUseId?: string | undefined;
  /** The MCP server that the tool comes from. @default a tool of the agent itself */
  readonly mcpContext?: McpContext | undefined;
  /** The schema of the input. It is checked after the hooks have run. @default the input is not checked */
  readonly schema?: ToolSchema | undefined;
  /** Asks the user. @default no user can be asked, and an ask is a deny */
  readonly ask?: Ask | undefined;
  /**
   * What the host would do without hooks. Hooks receive this value. An allow of a hook overrides `ask`, but never `deny`. @default 'allow'
   */
  readonly approval?: 'allow' | 'ask' | 'deny' | undefined;
  /** The `toolSelection` that `callModelWithHooks` returned for the request that led to this call. @default every tool is allowed */
  readonly toolSelection?: ToolSelection | undefined;
  /** How often BeforeTool is fired again for a tool that a hook postponed. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Aborts the hooks, the question to the user and the tool. Its reason is part of `reason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * How a tool call ended. `status` is one of the values that are described below. Every field can be read without comparing `status` first;
 * fields that do not apply are `undefined`.
 */
export type FinishedToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> = HookMessages & {
  /** The input that the tool received, or would have received. */
  readonly input: Input;
  /** The result for the model, always present. If the tool did not run, it contains the reason. */
  readonly result: ToolResultOf<Result>;
  /** The result of BeforeTool. */
  readonly before?: AggregatedHookResult;
  /** The result of PermissionRequest, which is fired if the user must be asked. */
  readonly permission?: AggregatedHookResult;
  /** The result of the recheck, in which hooks of BeforeTool are asked again because hooks of PermissionRequest rewrote the input. */
  readonly recheck?: AggregatedHookResult;
  /** The result of AfterTool. */
  readonly after?: AggregatedHookResult;
} & (
    | {
        /** The tool ran. `reason` is the feedback of a hook that objected afterwards; `result` contains it too. */
        readonly status: 'executed';
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
    | {
        /** The tool did not run, because a hook, the user, the host or the tool selection refused it. */
        readonly status: 'blocked';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
      }
    | {
        /** The agent loop ends. The tool ran if `after` is present, and did not run if `before.verdict.stop` is true. */
        readonly status: 'stopped';
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
      }
    | {
        /**
         * The tool threw, its input did not match its schema although no hook rewrote it, or the call was cancelled before the tool ran.
         */
        readonly status: 'failed';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
  );
