import type { HookClient, ToolSelection } from '@tenterhook/agent';
import { fieldsOf, type Run } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { WithHooksOptions } from '../options.js';

/** What the tools must know about the model call that called them. */
export interface CallFacts {
  readonly toolSelection?: ToolSelection | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Messages of hooks for the model. They come after the result of the first call. */
  readonly additions: readonly string[];
  /** Whether the calls must be entered, so that the parts of a stream have to be read. */
  readonly isNeeded: boolean;
}

/**
 * Whether the calls of a response are entered although the model has no hooks: approval callbacks need the signal of the model call, and
 * must not find the decision about an earlier call with the same id.
 */
export function notesCalls(client: HookClient, { approvals }: WithHooksOptions): boolean {
  return approvals === 'framework' && (client.has('BeforeTool') || client.has('PermissionRequest'));
}

/** The ids of the calls in a response that the agent will run. */
export function callIds(content: readonly unknown[]): string[] {
  return content.flatMap((part) => {
    const { type, toolCallId, providerExecuted } = fieldsOf(part);
    return type === 'tool-call' && typeof toolCallId === 'string' && providerExecuted !== true ? [toolCallId] : [];
  });
}

/** Enters the calls of a stream, part by part: a call with the id of an earlier one may come when a tool has already run. */
export function streamNotes(run: Run, facts: CallFacts): (part: object) => void {
  const noted = new Set<string>();
  let left = facts;
  return (part) => {
    const [id] = callIds([part]);
    if (id === undefined) return;
    if (noted.has(id)) {
      run.note(id, { isRepeated: true });
      return;
    }
    noted.add(id);
    noteCalls(run, [part], left);
    left = { ...left, additions: [] };
  };
}

/**
 * Enters the calls of a response. Also without facts: what is left of an earlier call with the same id must not be used for the new one,
 * because not all providers give unique ids.
 */
export function noteCalls(run: Run, content: readonly unknown[], facts: CallFacts): void {
  const { additions, toolSelection, signal, isNeeded } = facts;
  const ids = callIds(content);
  for (const [at, id] of ids.entries()) {
    const isRepeated = ids.indexOf(id) !== ids.lastIndexOf(id) || undefined;
    if (isNeeded) run.begin(id, omitUndefined({ toolSelection, signal, isRepeated }));
    else run.forget(id);
    if (at === 0 && additions.length > 0) run.leave(id, { texts: additions });
  }
}
