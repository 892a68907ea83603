import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { counted } from './decision.js';

type Fields = Readonly<Record<string, unknown>>;

/** The word against an operation that an object holds beside the place where one is read. */
export function objectionIn(printed: Fields): 'deny' | 'ask' | undefined {
  const { permissionDecision: said, decision, action } = printed;
  const behavior = isPlainObject(decision) ? decision['behavior'] : undefined;
  if (said === 'deny' || said === 'block' || behavior === 'deny' || behavior === 'block') return 'deny';
  if (action === 'decline' || action === 'cancel') return 'deny';
  return said === 'ask' || said === 'defer' ? 'ask' : undefined;
}

/** Such a word counts where the place itself holds none: the product would drop it, and a deny is never lost (decision 68). */
export function withStrayObjection(specific: Fields, printed: Fields, why: string, warnings: HookWarning[]): Fields {
  const objection = objectionIn(printed);
  const own = objectionIn(specific);
  if (objection === undefined || own === 'deny' || own === objection) return specific;
  warnings.push(counted(objection, why));
  const { decision } = printed;
  const message = isPlainObject(decision) ? decision['message'] : undefined;
  return { ...specific, permissionDecision: objection, permissionDecisionReason: printed['permissionDecisionReason'] ?? message };
}
