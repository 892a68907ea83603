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
  delayMs?: number;
}

type Answered<Action extends HookResponse['action']> = HookResponse & { action: Action };

/** Creates the answers; each is a plain object. */
export const HookResponse = withSnakeCase({
  /** Continues with the next hook. The name ends in `_` because `continue` is a keyword in the original format's language. */
  continue_: (): Answered<'Continue'> => ({ action: 'Continue' }),
  continueWith: (modified: object): Answered<'Continue'> => ({ action: 'Continue', modified }),
  block: (reason: string): Answered<'Block'> => ({ action: 'Block', reason }),
  retry: (delayMs: number): Answered<'Retry'> => ({ action: 'Retry', retry_delay_ms: delayMs }),
  skip: (): Answered<'Skip'> => ({ action: 'Skip' }),
});
