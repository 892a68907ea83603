import type { AggregatedHookResult, HookToolConfig, LLMRequest } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { narrowed, selectionInRequest, selectionOf, type ToolSelection } from '../tool/tool-selection.js';
import type { LlmTranslator } from '../translators/llm-translator.js';

type RequestTranslator<Request> = Omit<LlmTranslator<Request, never>, 'toHookResponse' | 'fromHookResponse' | 'toolCalls'>;

/** A call on its way: the request as rewritten so far, and who has been asked. */
export interface ModelProgress<Request> {
  readonly request: Request;
  readonly toolSelection?: ToolSelection;
  readonly selection?: AggregatedHookResult;
  readonly before?: AggregatedHookResult;
  readonly after?: AggregatedHookResult;
}

/** BeforeToolSelection, for a request that carries tools: the tools the model may see, in the request and for whoever executes them. */
export async function selectTools<Request>(
  client: HookClient,
  translator: RequestTranslator<Request>,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<ModelProgress<Request>> {
  if (!client.has('BeforeToolSelection') || translator.toolNames(request).length === 0) return { request };
  const input = { llm_request: translator.toHookRequest(request) };
  const selection = await client.fire('BeforeToolSelection', input, omitUndefined({ signal }));
  const toolSelection = selectionOf(selection);
  if (toolSelection === undefined) return { request, selection };
  return { request: translator.withToolConfig(request, configOf(toolSelection)), toolSelection, selection };
}

/** The request as hooks of BeforeModel left it. What they say about tools narrows the selection, it does not take its place. */
export function rewrittenRequest<Request>(
  translator: RequestTranslator<Request>,
  progress: ModelProgress<Request>,
): ModelProgress<Request> {
  const changed = progress.before?.finalOutput?.hookSpecificOutput?.['llm_request'] as LLMRequest | undefined;
  if (changed === undefined) return progress;
  const toolSelection = narrowed(progress.toolSelection, selectionInRequest(progress.before));
  const request =
    toolSelection === progress.toolSelection || toolSelection === undefined
      ? progress.request
      : translator.withToolConfig(progress.request, configOf(toolSelection));
  // Copies, here and for responses: results are frozen, and what a hook wrote becomes part of the host's own objects.
  const { toolConfig: _written, ...rest } = structuredClone(changed);
  const { toolConfig } = translator.toHookRequest(request);
  const effective = translator.fromHookRequest({ ...rest, ...omitUndefined({ toolConfig }) }, request);
  return { ...progress, request: effective, ...omitUndefined({ toolSelection }) };
}

/** What hooks are shown: the selection as it was made, also where the SDK's format cannot carry it. */
export function requestFields<Request>(
  { translator, modelProvider }: { readonly translator: RequestTranslator<Request>; readonly modelProvider?: string | undefined },
  { request, toolSelection }: ModelProgress<Request>,
) {
  const shown = translator.toHookRequest(request);
  return {
    llm_request: toolSelection === undefined ? shown : { ...shown, toolConfig: configOf(toolSelection) },
    available_tools: [...translator.toolNames(request)],
    ...omitUndefined({ model_provider: modelProvider ?? translator.provider }),
  };
}

function configOf({ by: _by, ...toolConfig }: ToolSelection): HookToolConfig {
  return toolConfig;
}
