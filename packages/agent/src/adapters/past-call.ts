/** What later model calls of the conversation need of a tool call. */
export interface LeftByCall {
  /** A hook stopped the agent at this call, so the next model call of the conversation must not be made. */
  readonly stop?: { readonly reason?: string; readonly stopReason?: string };
  /** The texts that the model reads behind the result of the call, each time it is sent. */
  readonly additions?: readonly string[];
}

/** A tool call that was made at a place of a conversation, for later runs of the conversation. */
export interface PastCall {
  readonly place: string;
  /** The run that made the call, or that continues it. */
  by: WeakRef<object>;
  left: LeftByCall;
  /** Whether the run of the call has been stopped by another of its calls at the same place, which may have been meant instead. */
  isOwnServed: boolean;
  /** Whether a later run has been counted as the one that continues after this call. Its stop does not stop a further one. */
  isContinued: boolean;
}
