import type { AggregatedHookResult, HookFieldsOf } from '@tenterhook/protocol';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { type Permission, readPermission } from './fire-before-event.js';

/** The fields of BeforeTool for a call, with the rewritten input. */
export type RewrittenCall = HookFieldsOf<'BeforeTool'>;

/**
 * Asks the hooks of BeforeTool about an input that was rewritten after their answer. Returns undefined if there are no hooks.
 *
 * A failed request blocks the call, even with `onUnavailable: 'allow'`, because the guards have only seen another input. A hook must not
 * rewrite the input again. This is checked here too, because a service of an earlier version does not know rechecks and would accept the
 * rewrite.
 */
export async function recheckInput(
  client: HookClient,
  call: RewrittenCall,
  signal: AbortSignal | undefined,
): Promise<(Permission & { readonly before: AggregatedHookResult }) | undefined> {
  if (!client.has('BeforeTool')) return undefined;
  const result = await client.fire('BeforeTool', call, { recheck: true, ...omitUndefined({ signal }) });
  const permission = readPermission(result, { onUnavailable: 'deny' }, signal);
  if (permission.kind === 'blocked' && result.verdict.kind !== 'deny') {
    return { ...permission, reason: `A hook rewrote the input, and the other hooks could not check the new input. ${permission.reason}` };
  }
  if (permission.kind !== 'open' && permission.kind !== 'ask') return { ...permission, before: result };
  const rewritten = result.finalOutput?.hookSpecificOutput?.['tool_input'];
  if (rewritten !== undefined && !isSameJson(rewritten, call.tool_input)) {
    const by = [...new Set(result.changes.map(({ hookId }) => `"${hookId}"`))].join(', ');
    return {
      kind: 'blocked',
      before: result,
      reason: `The rewritten input was rewritten again${by === '' ? '' : ` by hook ${by}`}. No other hook has checked this rewrite.`,
    };
  }
  return { ...permission, before: result };
}
