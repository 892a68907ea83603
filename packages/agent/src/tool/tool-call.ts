import type { AggregatedHookResult, McpContext } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import type { HookMessages } from '../client/hook-messages.js';
import type { Ask } from '../permission/ask-user.js';
import type { ToolInput, ToolSchema } from './tool-input.js';
import type { ToolResult, ToolResultOf } from './tool-result.js';
import type { ToolSelection } from './tool-selection.js';

/** A tool call as the model made it, and how it is carried out. */
export interface ToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> {
  /** The name of the tool, as hooks match it. A call without one is a TypeError. */
  readonly name: string;
  /** The arguments, as the model wrote them. A call is refused if they are not a JSON object. */
  readonly input: Input;
  /**
   * Runs the tool with the input as hooks rewrote it. Only a `schema` ensures that a rewritten input still has this type. What it throws becomes a
   * result with `status: 'failed'`.
   */
  readonly execute: (input: Input, options: { readonly signal: AbortSignal }) => Result | Promise<Result>;
  /** The model's id of the call; hooks receive it before and after the tool. @default one is generated */
  readonly toolUseId?: string | undefined;
  /** The MCP server that the tool comes from. @default a tool of the agent itself */
  readonly mcpContext?: McpContext | undefined;
  /** What the input must match; checked after the hooks have run. @default the input is not checked */
  readonly schema?: ToolSchema | undefined;
  /** Asks the user. @default no user can be asked, and ask is a deny */
  readonly ask?: Ask | undefined;
  /** What the host would do by itself; hooks receive it. A hook's allow loosens `ask`, never `deny`. @default 'allow' */
  readonly approval?: 'allow' | 'ask' | 'deny' | undefined;
  /** What `callModelWithHooks` returned for the request that the call answers. @default every tool */
  readonly toolSelection?: ToolSelection | undefined;
  /** How often BeforeTool is fired again for a tool that a hook postponed. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Ends hooks, question and tool. Its reason is part of `reason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * How a tool call ended; `status` says it. Each end has the fields of all ends, so that they can be read before `status` is compared; those that it cannot
 * have are `undefined`.
 */
export type FinishedToolCall<Input extends object = ToolInput, Result extends ToolResult = ToolResult> = HookMessages & {
  /** What the tool received, or would have received. */
  readonly input: Input;
  /** Always for the model: the result of a call that did not run says why. */
  readonly result: ToolResultOf<Result>;
  /** The result of BeforeTool. */
  readonly before?: AggregatedHookResult;
  /** Of PermissionRequest, which is fired when the user has to be asked. */
  readonly permission?: AggregatedHookResult;
  /** Of BeforeTool, whose hooks are asked again if hooks of PermissionRequest rewrote the input. */
  readonly recheck?: AggregatedHookResult;
  /** The result of AfterTool. */
  readonly after?: AggregatedHookResult;
} & (
    | {
        /** It ran. `reason` is the feedback of a hook that objected afterwards; the result contains it too. */
        readonly status: 'executed';
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
    | {
        /** It did not run: a hook, the user, the host or the tool selection refused it. */
        readonly status: 'blocked';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
      }
    | {
        /** The agent loop ends. `after`, or `before.verdict.stop`, says whether the tool ran. */
        readonly status: 'stopped';
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
      }
    | {
        /** It threw, its input did not match its schema without a rewrite by a hook, or the call was cancelled before it ran. */
        readonly status: 'failed';
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
  );

const callFields = Object.keys({
  name: true,
  input: true,
  execute: true,
  toolUseId: true,
  mcpContext: true,
  schema: true,
  ask: true,
  approval: true,
  toolSelection: true,
  maxRetries: true,
  signal: true,
} satisfies Record<keyof ToolCall, true>);

/** If it were ignored, a misspelt "approval" would allow what the host denies. Other fields are the host's: a call may be an object of its own. */
export function refuseMisspeltFields(call: ToolCall): void {
  for (const field of Object.keys(call)) {
    const meant = callFields.includes(field) ? undefined : nearestName(field, callFields);
    if (meant === undefined) continue;
    throw new TypeError(`executeToolWithHooks: a call has no field "${field}". Did you mean "${meant}"?`);
  }
}
