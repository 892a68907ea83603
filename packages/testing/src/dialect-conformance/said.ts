import { type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';

/**
 * What a hook said, as far as every dialect has to agree:
 * - `nothing`: no word of it is a decision. Text, silence and what cannot be read never become one;
 * - `allow`, `deny`: exactly the sample answer;
 * - `lost deny`: a deny that may not be readable. It counts, or it is a failure, or a warning says that something was lost;
 * - `no allow`: what it means is the dialect's to say, but an allow it is not;
 * - `unclear`: what it means is the dialect's to say.
 */
export type Said = 'nothing' | 'allow' | 'deny' | 'lost deny' | 'no allow' | 'unclear';

/** What was made of it. */
export interface Heard {
  readonly output?: HookOutput | undefined;
  readonly hasFailed: boolean;
  readonly warnings: readonly HookWarning[];
}

/** What was to be expected where something else was heard than said; undefined where it fits. */
export function misheard(said: Said, { output, hasFailed, warnings }: Heard): string | undefined {
  const kind = hasFailed ? 'none' : verdictOf(output?.decision);
  switch (said) {
    case 'nothing':
      return kind === 'none' && output?.continue !== false ? undefined : 'no decision and no stop: nobody said one';
    case 'allow':
    case 'deny':
      return kind === said ? undefined : `the decision ${said}`;
    case 'lost deny':
      if (kind !== 'allow' && (kind === 'deny' || hasFailed || warnings.length > 0)) return undefined;
      return 'a deny, a failure, or a warning that something of it was lost';
    case 'no allow':
      return kind !== 'allow' ? undefined : 'no allow: nothing but an answer with exit code 0, read to its end, allows';
    case 'unclear':
      return undefined;
  }
}
