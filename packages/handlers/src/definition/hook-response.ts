import { withSnakeCase } from '../compat/snake-case-definitions.js';

/** What a handler answers (seed 002 "Hook Actions"). Names in lower case, and `delayMs`, are accepted too (decision 42). */
export interface HookResponse {
  action: 'Continue' | 'Block' | 'Retry' | 'Skip' | 'continue' | 'block' | 'retry' | 'skip';
  /** Of Block. @default 'Blocked' */
  reason?: string;
  /** Of Continue: the new arguments, or the fields of the event that can be rewritten (decision 48a). */
  modified?: object;
  /** Of Retry: milliseconds, at most 60000. @default 1000 */
  retry_delay_ms?: number;
  /** Another name of `retry_delay_ms`. */
  delayMs?: number;
}

type Answered<Action extends HookResponse['action']> = HookResponse & { action: Action };

/** Creates the answers; each is a plain object. */
export const HookResponse = withSnakeCase({
  /** Continues with the next hook. The name ends in `_` because `continue` is a keyword in the original format's language. */
  continue_: (): Answered<'Continue'> => ({ action: 'Continue' }),
  /** Continues with the next hook, and replaces the arguments, or the fields of the event that can be rewritten. */
  continueWith: (modified: object): Answered<'Continue'> => ({ action: 'Continue', modified }),
  /** Blocks what the event announces. The reason is for the model and the user. */
  block: (reason: string): Answered<'Block'> => ({ action: 'Block', reason }),
  /** The operation may be tried again after this number of milliseconds, at most 60000. */
  retry: (delayMs: number): Answered<'Retry'> => ({ action: 'Retry', retry_delay_ms: delayMs }),
  /** Continues, and skips the remaining handlers. */
  skip: (): Answered<'Skip'> => ({ action: 'Skip' }),
});
