import type { AggregatedHookResult, HookToolConfig, LLMRequest } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { narrowSelection, readRequestSelection, readSelection, type ToolSelection } from '../tool/tool-selection.js';
import type { LlmTranslator } from '../translators/llm-translator.js';

type RequestTranslator<Request> = Omit<LlmTranslator<Request, never>, 'toHookResponse' | 'fromHookResponse' | 'toolCalls'>;

/** The state of a call: the request with the rewrites so far, and the results of the events so far. */
export interface ModelProgress<Request> {
  readonly request: Request;
  readonly toolSelection?: ToolSelection;
  readonly selection?: AggregatedHookResult;
  readonly before?: AggregatedHookResult;
  readonly after?: AggregatedHookResult;
}

/** Fires BeforeToolSelection if the request has tools, and writes the selected tools into the request. */
export async function selectTools<Request>(
  client: HookClient,
  translator: RequestTranslator<Request>,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<ModelProgress<Request>> {
  if (!client.has('BeforeToolSelection') || translator.toolNames(request).length === 0) return { request };
  const input = { llm_request: translator.toHookRequest(request) };
  const selection = await client.fire('BeforeToolSelection', input, omitUndefined({ signal }));
  const toolSelection = readSelection(selection);
  if (toolSelection === undefined) return { request, selection };
  return { request: translator.withToolConfig(request, toToolConfig(toolSelection)), toolSelection, selection };
}

/** Applies the rewrites of BeforeModel to the request. A `toolConfig` in the rewritten request can only narrow the tool selection. */
export function rewriteRequest<Request>(translator: RequestTranslator<Request>, progress: ModelProgress<Request>): ModelProgress<Request> {
  const changed = progress.before?.finalOutput?.hookSpecificOutput?.['llm_request'] as LLMRequest | undefined;
  if (changed === undefined) return progress;
  const toolSelection = narrowSelection(progress.toolSelection, readRequestSelection(progress.before));
  const request =
    toolSelection === progress.toolSelection || toolSelection === undefined
      ? progress.request
      : translator.withToolConfig(progress.request, toToolConfig(toolSelection));
  // The values that hooks returned are frozen. They are cloned, because the host must be able to change every object of its request.
  const { toolConfig: _toolConfig, ...rest } = structuredClone(changed);
  const { toolConfig } = translator.toHookRequest(request);
  const effective = translator.fromHookRequest({ ...rest, ...omitUndefined({ toolConfig }) }, request);
  return { ...progress, request: effective, ...omitUndefined({ toolSelection }) };
}

/** Returns the fields of BeforeModel and AfterModel. The request includes the tool selection, even if the SDK has no field for it. */
export function toRequestFields<Request>(
  { translator, modelProvider }: { readonly translator: RequestTranslator<Request>; readonly modelProvider?: string | undefined },
  { request, toolSelection }: ModelProgress<Request>,
) {
  const shown = translator.toHookRequest(request);
  return {
    llm_request: toolSelection === undefined ? shown : { ...shown, toolConfig: toToolConfig(toolSelection) },
    available_tools: [...translator.toolNames(request)],
    ...omitUndefined({ model_provider: modelProvider ?? translator.provider }),
  };
}

/**
 * Copies the fields that hooks receive, as JSON. A later comparison with the copy shows whether the host has changed its objects.
 * `copyPlainJson` was rejected, because it refuses NaN and dates, which a translator of the host may return.
 */
export function copyShown<Fields>(fields: Fields): Fields {
  try {
    return JSON.parse(JSON.stringify(fields)) as Fields;
  } catch {
    // If the fields cannot be written as JSON, they are returned unchanged. The event is then refused later.
    return fields;
  }
}

function toToolConfig({ by: _by, ...toolConfig }: ToolSelection): HookToolConfig {
  return toolConfig;
}
