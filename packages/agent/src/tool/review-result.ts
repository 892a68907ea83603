import type { AggregatedHookResult, HookFieldsOf } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { hasRun, refuseUnanswered } from '../client/unanswered.js';
import { createWithheldResult, replaceResult, showResult, type ToolResult } from './tool-result.js';

/** The result of AfterTool, and the result of the tool as the model receives it. */
export interface ReviewedResult {
  readonly after: AggregatedHookResult;
  readonly result: ToolResult;
  /** Whether a hook replaced the result, or it was withheld. */
  readonly isReplaced: boolean;
}

/**
 * Fires AfterTool. If a hook ran, the model receives the copy that hooks saw or wrote. The tool's own object is not used, because hooks
 * have not checked it: it may have changed in the meantime, or contain parts that cannot be written as text. If parts cannot be shown to
 * hooks, the result is withheld, unless a hook replaces it.
 */
export async function reviewResult(
  client: HookClient,
  raw: ToolResult,
  fields: HookFieldsOf<'BeforeTool'> & { readonly duration_ms: number },
  signal: AbortSignal | undefined,
): Promise<ReviewedResult> {
  const name = fields.tool_name;
  const { response, unshown, details } = showResult(raw);
  const after = await client.fire('AfterTool', { ...fields, tool_response: response }, omitUndefined({ signal }));
  const unasked = signal?.aborted ? undefined : refuseUnanswered(after, client);
  if (unasked !== undefined) {
    const why = `some hooks could not check it. ${unasked.reason}`;
    return { after, result: createWithheldResult(name, why, raw), isReplaced: true };
  }
  const replacement = after.finalOutput?.hookSpecificOutput?.['updatedToolOutput'];
  const isReplaced = typeof replacement === 'string' || (typeof replacement === 'object' && replacement !== null);
  const checked: ToolResult = hasRun(after) ? { ...raw, ...response } : raw;
  const result = replaceResult(checked, replacement);
  if (!hasRun(after) || unshown === undefined) return { after, result, isReplaced };
  const remedy = 'Return texts or plain JSON from the tool.';
  const message = `The result of ${name} has parts that hooks cannot read. ${details} ${remedy}`;
  const failed: AggregatedHookResult = { ...after, success: false, errors: [{ code: 'unserialisable', message }, ...after.errors] };
  if (replacement !== undefined) return { after: failed, result, isReplaced };
  const withheld = createWithheldResult(name, `hooks cannot be shown all of it: ${unshown}. ${remedy}`, raw);
  return { after: failed, result: withheld, isReplaced: true };
}

/**
 * Returns the feedback for the model. The tool has already run, so the reason of a deny becomes feedback (decision 19). If the hook
 * replaced the result, the new result is the feedback (decision 63).
 */
export function findFeedback({ verdict, outcomes }: AggregatedHookResult): string | undefined {
  if (verdict.kind !== 'deny') return undefined;
  // A hook that denied and was then run again has two outcomes. The second outcome is not always a deny.
  const deciders = outcomes.filter(
    ({ hookId, status, failedClosed }) => verdict.by.includes(hookId) && (status === 'blocked' || failedClosed === true),
  );
  const objecting = deciders.filter(({ output }) => output?.hookSpecificOutput?.['updatedToolOutput'] === undefined);
  if (objecting.length === deciders.length) return verdict.reason || undefined;
  const reasons = objecting.flatMap(({ output }) => output?.reason ?? []);
  return objecting.length === 0 ? undefined : reasons.join('\n') || verdict.reason;
}
