import { type HookClient, requireClient } from '../client/hook-client.js';
import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';
import { askBeforeModel, requireProvider } from './ask-before-model.js';
import { type FinishedModelCall, type ModelCall, toCancelled } from './model-call.js';
import { reportResponse } from './report-response.js';

/**
 * Fires BeforeToolSelection (only if the request has tools) and BeforeModel, calls the model, fires AfterModel, and obeys the verdicts. If
 * a hook asks, the user is asked before the model is called. Rejects with what `call` throws, and with a TypeError if `call` returns
 * nothing.
 */
export async function callModelWithHooks<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, call, signal } = modelCall;
  requireClient('callModelWithHooks', client, { call, 'translator.toHookRequest': translator?.toHookRequest });
  requireProvider('callModelWithHooks', modelCall.modelProvider ?? translator.provider);
  const answer = await askBeforeModel(client, modelCall);
  if (answer.kind === 'ended') return answer.outcome;
  const { progress } = answer;
  const began = performance.now();
  let response: Response;
  try {
    response = await raceWithAbort(() => call(progress.request, { signal: signal ?? new AbortController().signal }), signal);
  } catch (error) {
    if (error instanceof AbortTimeoutError) return toCancelled(modelCall, progress);
    throw error;
  }
  if (response === undefined || response === null)
    throw new TypeError(`The "call" of a model must return a response, and returned ${response}.`);
  return reportResponse(client, modelCall, progress, { response, durationMs: Math.round(performance.now() - began) });
}
