import type { Agent, Handoff } from '@openai/agents';

// Only this file imports the SDK, so that its versions can be compared here.
export {
  type AgentInputItem,
  type ApplyPatchOperation,
  type ApplyPatchResult,
  type ApplyPatchTool,
  attachClientToolSearchExecutor,
  type FunctionTool,
  getAllMcpTools,
  getClientToolSearchExecutor,
  getCurrentSpan,
  type HostedTool,
  type IndividualRunOptions,
  invokeFunctionTool,
  type MCPServer,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type NonStreamRunOptions,
  type RunContext,
  Runner,
  type RunResult,
  RunState,
  RunToolApprovalItem,
  type ShellAction,
  type ShellResult,
  type ShellTool,
  type StreamEvent,
  type StreamedRunResult,
  type StreamRunOptions,
  type Tool,
  Usage,
} from '@openai/agents';

// biome-ignore lint/suspicious/noExplicitAny: an agent of any context and output. With `unknown`, no agent with a context is assignable.
export type AnyAgent = Agent<any, any>;

// biome-ignore lint/suspicious/noExplicitAny: the same for a handoff.
export type AnyHandoff = Handoff<any, any>;

/** What a tool receives about its call. The SDK does not export the type itself. */
export type ToolCallDetails = NonNullable<Parameters<import('@openai/agents').FunctionTool['invoke']>[2]>;
