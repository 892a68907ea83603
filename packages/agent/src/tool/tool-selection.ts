import type { AggregatedHookResult, Change, HookToolConfig } from '@tenterhook/protocol';
import { mergeToolConfig } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from '../client/failure-text.js';

/**
 * The tools that the model may call for one request, and the hooks that chose them. It is plain data, so a `toolConfig` without `by` is
 * valid too.
 */
export interface ToolSelection extends HookToolConfig {
  /** The ids of the hooks that made the selection. */
  readonly by?: readonly string[];
}

/** Returns the tools that hooks of BeforeToolSelection selected, or undefined if they selected none. */
export function readSelection(result: AggregatedHookResult | undefined): ToolSelection | undefined {
  // A failed hook with `onError: 'block'` cannot report which tools it allows, so no tool is allowed.
  const closed = (result?.outcomes ?? []).filter((outcome) => outcome.failedClosed === true).map((outcome) => outcome.hookId);
  if (closed.length > 0) return { mode: 'NONE', allowedFunctionNames: [], by: closed };
  // A failed request with a deny allows no tool either. For this event, a deny has no other effect.
  if (result?.verdict?.kind === 'deny' && formatFailure(result) !== undefined) {
    return { mode: 'NONE', allowedFunctionNames: [], by: result.verdict.by };
  }
  const toolConfig = result?.finalOutput?.hookSpecificOutput?.['toolConfig'] as HookToolConfig | undefined;
  return toolConfig === undefined ? undefined : { ...toolConfig, by: findWriters(result, 'toolConfig') };
}

/** Returns the selection that hooks of BeforeModel wrote into the request's `toolConfig`, or undefined if they wrote none. */
export function readRequestSelection(result: AggregatedHookResult | undefined): ToolSelection | undefined {
  const by = findWriters(result, 'llm_request.toolConfig');
  const request = result?.finalOutput?.hookSpecificOutput?.['llm_request'] as { toolConfig?: HookToolConfig } | undefined;
  return by.length === 0 || request?.toolConfig === undefined ? undefined : { ...request.toolConfig, by };
}

/** Returns the tools that both selections allow, because a later rewrite of the request must not add a tool that a hook excluded. */
export function narrowSelection(selection: ToolSelection | undefined, other: ToolSelection | undefined): ToolSelection | undefined {
  if (selection === undefined || other === undefined) return selection ?? other;
  const [names, otherNames] = [selection.allowedFunctionNames, other.allowedFunctionNames];
  const both = names !== undefined && otherNames !== undefined ? names.filter((name) => otherNames.includes(name)) : (names ?? otherNames);
  const mode = strictestMode(selection, other);
  return {
    ...omitUndefined({ mode }),
    ...(mode === 'NONE' ? { allowedFunctionNames: [] } : both === undefined ? {} : { allowedFunctionNames: both }),
    by: [...new Set([...(selection.by ?? []), ...(other.by ?? [])])],
  };
}

/** Returns why the tool may not run, or undefined if it may run. An empty list of names allows no tool (decision 21). */
export function refuseBySelection(toolName: string, selection: ToolSelection | null | undefined): string | undefined {
  if (selection === undefined || selection === null) return undefined;
  const { mode, allowedFunctionNames, by = [] } = selection;
  const hooks = by.length === 0 ? 'A hook' : `Hook ${by.map((id) => `"${id}"`).join(', ')}`;
  if (mode === 'NONE') return `${hooks} allows no tool for this request, so ${toolName} did not run.`;
  if (allowedFunctionNames === undefined || allowedFunctionNames.includes(toolName)) return undefined;
  const allowed = allowedFunctionNames.length === 0 ? 'no tool' : `only ${allowedFunctionNames.join(', ')}`;
  return `${hooks} allows ${allowed} for this request, so ${toolName} did not run.`;
}

function strictestMode({ mode }: ToolSelection, { mode: other }: ToolSelection): ToolSelection['mode'] {
  return mode === undefined || other === undefined ? (mode ?? other) : mergeToolConfig({ mode }, { mode: other }).mode;
}

function findWriters(result: AggregatedHookResult | undefined, path: string): string[] {
  const writers = (result?.changes ?? []).filter((change) => isChangeOf(change, path)).map((change) => change.hookId);
  return [...new Set(writers)];
}

/**
 * Whether a change affects the value at a path. If an object has very many fields, a change in it is reported for the whole object. In this
 * case the values at the path are compared, so that a restriction is not overlooked.
 */
function isChangeOf({ path: changed, before, after }: Change, path: string): boolean {
  if (changed === path || changed.startsWith(`${path}.`)) return true;
  if (!path.startsWith(`${changed}.`)) return false;
  const keys = path.slice(changed.length + 1).split('.');
  return !isSameJson(valueAt(before, keys), valueAt(after, keys));
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isPlainObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}
