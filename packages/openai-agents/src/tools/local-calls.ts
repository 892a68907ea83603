import { callIdOf } from '../call-ids.js';
import { type Approval, approvedIds, findApproval } from './find-approval.js';
import type { ToolOwner } from './tool-host.js';

/**
 * The calls of a shell or an editor in one run. The SDK passes its function neither the id of the call nor the context, so both are kept by
 * the arguments, which are the same object in `needsApproval`. They are copies if the SDK restores a run, or if it does not ask `needsApproval`
 * because of an approval.
 */
export class LocalCalls {
  readonly #name: string;
  readonly #owner: ToolOwner;
  readonly #toItem: (args: object, callId: string) => object;
  readonly #ids = new WeakMap<object, string | undefined>();
  /** The ids that were found, or are asked about. An approval of such a call is not one of a restored run. */
  readonly #used = new Set<string>();

  /** `toItem` returns a call as the model wrote it. */
  constructor(name: string, owner: ToolOwner, toItem: (args: object, callId: string) => object) {
    this.#name = name;
    this.#owner = owner;
    this.#toItem = toItem;
  }

  note(args: object, callId: string | undefined): void {
    this.#ids.set(args, callId);
    if (callId !== undefined) this.#used.add(callId);
  }

  /** Returns the id of a call. Undefined if it cannot be found. */
  idOf(args: object): string | undefined {
    const known = this.#ids.get(args) ?? callIdOf(args);
    if (known !== undefined || this.#ids.has(args)) return known;
    // Of several restored calls with these arguments, it is not known which one this is.
    const restored = this.#restored(args);
    if (restored.length === 1) this.note(args, restored[0]);
    return restored.length === 1 ? restored[0] : undefined;
  }

  /** Returns what the user has approved. */
  approvalOf(args: object, callId: string | undefined): Approval | undefined {
    const found = this.#find(args, callId);
    if (found !== undefined || callId !== undefined || this.#ids.has(args) || this.#restored(args).length === 0) return found;
    return { of: 'call', use() {} };
  }

  #find(args: object, callId: string | undefined): Approval | undefined {
    const { runContext, host } = this.#owner;
    const toItem = (id: string) => this.#toItem(args, id);
    return findApproval(runContext, { toolName: this.#name, callId, agent: host.approver, toItem });
  }

  /** The calls with these arguments that the user has approved in a run that was restored. */
  #restored(args: object): readonly string[] {
    const approved = approvedIds(this.#owner.runContext, this.#name);
    return approved.filter((id) => !this.#used.has(id) && this.#find(args, id)?.of === 'call');
  }
}
