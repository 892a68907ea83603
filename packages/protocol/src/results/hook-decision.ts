import * as z from '@tenterhook/runtime/schema';

/** The decisions that a hook may write. `block` means `deny`, and `approve` means `allow`. */
export const hookDecisionSchema = z.enum(['ask', 'block', 'deny', 'approve', 'allow']);

/** `undefined` means that the hook decides nothing. */
export type HookDecision = z.infer<typeof hookDecisionSchema> | undefined;

/** The possible decisions of all hooks, from the weakest to the strictest. If hooks disagree, the strictest decision wins. */
export const verdictKinds = ['none', 'allow', 'ask', 'deny'] as const;

/** The decision of all hooks, weakest first: `none`, `allow`, `ask`, `deny`. */
export type VerdictKind = (typeof verdictKinds)[number];

/** Returns the canonical word of a decision, or `none` if the hook decided nothing. */
export function verdictOf(decision: HookDecision | null): VerdictKind {
  switch (decision) {
    case 'block':
    case 'deny':
      return 'deny';
    case 'approve':
    case 'allow':
      return 'allow';
    case 'ask':
      return 'ask';
    default:
      return 'none';
  }
}

export function stricter(a: VerdictKind, b: VerdictKind): VerdictKind {
  return verdictKinds.indexOf(a) >= verdictKinds.indexOf(b) ? a : b;
}
