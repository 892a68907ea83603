import { omitUndefined } from '@tenterhook/runtime/json';

/** Why an operation did not run. */
export interface BlockedDetails {
  /** The tool that did not run. Absent if the prompt was blocked. */
  readonly toolName?: string | undefined;
  /** After how many milliseconds another attempt may succeed. Absent if hooks gave no time. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A hook, the user or the tool selection refused an operation. Frameworks turn an error of a tool into the result that the model reads, so
 * the text of the error is the reason alone.
 */
export class HookBlockedError extends Error {
  /** Why the operation was refused. The model reads this text. */
  readonly reason: string;
  /** The tool that did not run. Absent if the prompt was blocked. */
  readonly toolName?: string;
  /** After how many milliseconds another attempt may succeed. Absent if hooks gave no time. */
  readonly retryAfterMs?: number;

  static {
    HookBlockedError.prototype.name = 'HookBlockedError';
  }

  constructor(reason: string, details: BlockedDetails = {}) {
    super(reason);
    this.reason = reason;
    Object.assign(this, omitUndefined({ toolName: details.toolName, retryAfterMs: details.retryAfterMs }));
  }

  /** The reason without the name of the class, because AI SDK 7 writes this text to the model. */
  override toString(): string {
    return this.reason;
  }
}
