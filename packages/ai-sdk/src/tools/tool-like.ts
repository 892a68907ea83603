/** A tool of the AI SDK, with the fields that the adapter uses. */
export interface ToolLike {
  readonly type?: unknown;
  readonly inputSchema?: unknown;
  readonly execute?: unknown;
  readonly needsApproval?: unknown;
}

/** The second argument of `execute`. */
export interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export type Execute = (input: unknown, options: ExecuteOptions) => unknown;

/** A tool whose calls pass the hooks. */
export interface NamedTool {
  readonly name: string;
  readonly tool: ToolLike;
}
