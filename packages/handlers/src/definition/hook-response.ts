import { withSnakeCase } from '../compat/snake-case-definitions.js';

/**
 * The answer of a handler (seed 002 "Hook Actions"). Lower-case names of actions and the field `delayMs` are accepted too (decision
 * 42).
 */
export interface HookResponse {
  action: 'Continue' | 'Block' | 'Retry' | 'Skip' | 'continue' | 'block' | 'retry' | 'skip';
  /** For Block: the reason. @default 'Blocked' */
  reason?: string;
  /** For Continue: the new arguments of a tool, or the rewritten fields of another event (decision 48a). */
  modified?: object;
  /** For Retry: the delay in milliseconds, at most 60000. @default 1000 */
  retry_delay_ms?: number;
  /** Another name of `retry_delay_ms`. */
  delayMs?: number;
}

type Answered<Action extends HookResponse['action']> = HookResponse & { action: Action };

/** Functions that create answers. An answer is a plain object. */
export const HookResponse = withSnakeCase({
  /** Continues with the next hook. The name ends in `_` because `continue` is a keyword. */
  continue_: (): Answered<'Continue'> => ({ action: 'Continue' }),
  /** Continues with the next hook, with new arguments of the tool or other changed fields of the event. */
  continueWith: (modified: object): Answered<'Continue'> => ({ action: 'Continue', modified }),
  /** Blocks the operation. The reason is for the model and the user. */
  block: (reason: string): Answered<'Block'> => ({ action: 'Block', reason }),
  /** Asks the caller to try the operation again. `delayMs` is the time until then in milliseconds, at most 60000. */
  retry: (delayMs: number): Answered<'Retry'> => ({ action: 'Retry', retry_delay_ms: delayMs }),
  /** Continues with the operation, and skips the remaining handlers. */
  skip: (): Answered<'Skip'> => ({ action: 'Skip' }),
});
