import type { AggregatedHookResult, HookFieldsOf } from '@tenterhook/protocol';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { type Permission, readPermission } from './fire-before-event.js';

/** The fields of the BeforeTool event of a call, with the input that the tool would receive now. */
export type RewrittenCall = HookFieldsOf<'BeforeTool'>;

/**
 * Asks the hooks of BeforeTool whether they object to an input that was rewritten after they had answered. Returns undefined if there are
 * no hooks.
 *
 * It fails closed. A request that was not carried out blocks the call, whatever `onUnavailable` is, because the guards have only seen
 * another input. A further rewrite blocks it too. A service that does not know rechecks runs an ordinary BeforeTool and does not refuse
 * rewrites, so they are refused here.
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
    return { ...permission, reason: `Its rewritten input could not be shown to the hooks. ${permission.reason}` };
  }
  if (permission.kind !== 'open' && permission.kind !== 'ask') return { ...permission, before: result };
  const rewritten = result.finalOutput?.hookSpecificOutput?.['tool_input'];
  if (rewritten !== undefined && !isSameJson(rewritten, call.tool_input)) {
    const by = [...new Set(result.changes.map(({ hookId }) => `"${hookId}"`))].join(', ');
    return {
      kind: 'blocked',
      before: result,
      reason: `Its rewritten input was rewritten again${by === '' ? '' : ` by hook ${by}`}. No other hook has seen this rewrite.`,
    };
  }
  return { ...permission, before: result };
}
