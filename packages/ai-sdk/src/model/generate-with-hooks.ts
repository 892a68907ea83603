import type { HookClient } from '@tenterhook/agent';
import { abortable } from '../abort.js';
import type { CallParams, GenerateResult } from './find-model.js';
import type { CalledModel } from './hooked-model.js';
import { noteCalls } from './note-calls.js';
import { openCall } from './review-request.js';
import { reviewResponse } from './review-response.js';

/** Fires the model events around `doGenerate`. Rejects with what the model throws, and after an abort with the reason of the signal. */
export async function generateWithHooks(client: HookClient, hooked: CalledModel, params: CallParams): Promise<GenerateResult> {
  const opened = await openCall(client, hooked, params);
  if (opened.kind === 'ended') return opened.response;
  const began = performance.now();
  const response = await abortable(() => hooked.model.doGenerate(opened.request), params.abortSignal);
  const { response: final, facts } = await reviewResponse(client, hooked, { ...opened, response, began, signal: params.abortSignal });
  noteCalls(hooked.run, final.content, facts);
  return final;
}
