import { type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';
import type { Unreadable } from './dialect-case.js';

/**
 * What a hook said, as far as every dialect has to agree:
 * - `nothing`: an empty object. In every format that is no opinion;
 * - `silence`: stdout is blank. No opinion either; a format that wants an answer may call it a failure;
 * - `text`: what is no JSON object. No word of it is a decision, but a format may deny what it cannot read;
 * - `odd`: the same where it is the format's to say what can be read: an object of other fields or types, text that was cut off;
 * - `allow`, `deny`: exactly the sample answer;
 * - `lost deny`: a deny that may not be readable. It counts, or it is a failure, or a warning says that something was lost;
 * - `no allow`: what it means is the dialect's to say, but an allow it is not;
 * - `unclear`: what it means is the dialect's to say.
 */
export type Said = 'nothing' | 'silence' | 'text' | 'odd' | 'allow' | 'deny' | 'lost deny' | 'no allow' | 'unclear';

/** What was made of it. */
export interface Heard {
  readonly output?: HookOutput | undefined;
  readonly hasFailed: boolean;
  readonly warnings: readonly HookWarning[];
}

/** What was to be expected where something else was heard than said; undefined where it fits. */
export function misheard(said: Said, { output, hasFailed, warnings }: Heard, unreadable: Unreadable): string | undefined {
  const kind = hasFailed ? 'none' : verdictOf(output?.decision);
  const isStop = output?.continue === false;
  const isDenied = unreadable === 'deny' && kind === 'deny' && !isStop;
  switch (said) {
    case 'text':
      if (unreadable === 'deny') return isDenied ? undefined : 'a deny and no stop: what cannot be read is denied';
      return undecided(kind, isStop);
    case 'odd':
      return isDenied ? undefined : undecided(kind, isStop);
    case 'nothing':
    case 'silence':
      return undecided(kind, isStop);
    case 'allow':
    case 'deny':
      return kind === said ? undefined : `the decision ${said}`;
    case 'lost deny':
      if (kind !== 'allow' && (kind === 'deny' || hasFailed || warnings.length > 0)) return undefined;
      return 'a deny, a failure, or a warning that something of it was lost';
    case 'no allow':
      return kind !== 'allow'
        ? undefined
        : 'no allow: nothing allows but an answer, read to its end, with an exit code with which answers count';
    case 'unclear':
      return undefined;
  }
}

function undecided(kind: ReturnType<typeof verdictOf>, isStop: boolean): string | undefined {
  return kind === 'none' && !isStop ? undefined : 'no decision and no stop: nobody said one';
}
