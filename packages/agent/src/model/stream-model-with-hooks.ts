import { type HookClient, requireClient } from '../client/hook-client.js';
import { AbortTimeoutError } from '../race-with-abort.js';
import type { LlmTranslator } from '../translators/llm-translator.js';
import { askBeforeModel, requireProvider } from './ask-before-model.js';
import { type FinishedModelCall, type ModelCallOptions, toCancelled, toEnded } from './model-call.js';
import type { ModelProgress } from './model-request.js';
import { type FinishedModelStream, ModelStream } from './model-stream.js';
import { readChunks } from './read-chunks.js';
import { reportResponse } from './report-response.js';

/** A call of a model that answers in chunks, and how it is carried out. */
export interface ModelStreamCall<Request, Response, Chunk> extends ModelCallOptions<Request, Response> {
  // The next two fields repeat those of the base type, so that they come before the functions. TypeScript infers types in the order of the
  // fields.
  /** The request to send, in the format of the SDK. */
  readonly request: Request;
  /** Converts between the SDK's objects and the format of hooks. */
  readonly translator: LlmTranslator<Request, Response>;
  /**
   * Starts the stream. `request` includes the rewrites of hooks. The loop over the chunks throws what this function or its stream throws.
   */
  readonly stream: (request: Request, options: { readonly signal: AbortSignal }) => AsyncIterable<Chunk> | Promise<AsyncIterable<Chunk>>;
  /** Makes the complete response from all chunks, for hooks of AfterModel. Called once, at the end of the stream. */
  readonly collect: (chunks: readonly Chunk[]) => Response | Promise<Response>;
  /** Makes chunks from a response that a hook provided or changed. */
  readonly toChunks: (response: Response) => Iterable<Chunk>;
  /**
   * When chunks are passed on:
   * - `whole`: after the hooks of AfterModel have checked the complete response, so that nothing is shown that a hook removes. Without
   *   such hooks, the chunks are passed on at once.
   * - `passthrough`: always at once. Hooks check the response at the end, and `replacesChunks` is true if they changed it.
   * @default 'whole'
   */
  readonly afterModel?: 'whole' | 'passthrough' | undefined;
}

/**
 * Like `callModelWithHooks`, for a model that answers in chunks. Iterate the returned stream. Its `outcome` settles before or when the loop
 * ends. After a deny of BeforeModel, the model is not called. Throws a TypeError for wrong use. An error of `stream`, `collect` or
 * `toChunks` is thrown by the loop, and `outcome` rejects with it.
 */
export function streamModelWithHooks<Request, Response, Chunk>(
  client: HookClient,
  call: ModelStreamCall<Request, Response, Chunk>,
): ModelStream<Request, Response, Chunk> {
  requireStreamCall(client, call);
  return new ModelStream((report) => runModelStream(client, call, report));
}

/** Throws a TypeError for wrong use, before the loop starts. */
export function requireStreamCall<Request, Response, Chunk>(client: HookClient, call: ModelStreamCall<Request, Response, Chunk>): void {
  const { stream, collect, toChunks, translator, afterModel } = call;
  requireClient('streamModelWithHooks', client, { stream, collect, toChunks, 'translator.toHookRequest': translator?.toHookRequest });
  requireProvider('streamModelWithHooks', call.modelProvider ?? translator.provider);
  if (afterModel === undefined || afterModel === 'whole' || afterModel === 'passthrough') return;
  throw new TypeError(`streamModelWithHooks: "afterModel" must be "whole" or "passthrough", and is ${JSON.stringify(afterModel)}.`);
}

type Report<Request, Response> = (outcome: FinishedModelStream<Request, Response>) => void;

/**
 * Yields the chunks to pass on. Calls `report` once, as soon as the outcome is known, which may be before the first chunk. Does not call it
 * if this function throws.
 */
export async function* runModelStream<Request, Response, Chunk>(
  client: HookClient,
  call: ModelStreamCall<Request, Response, Chunk>,
  report: Report<Request, Response>,
): AsyncGenerator<Chunk, void, undefined> {
  const answer = await askBeforeModel(client, call);
  if (answer.kind === 'ended') {
    const { outcome } = answer;
    const given = outcome.status === 'synthetic' ? [...call.toChunks(outcome.response)] : [];
    report({ ...outcome, replacesChunks: false });
    yield* given;
    return;
  }
  const { progress } = answer;
  const began = performance.now();
  const passesOn = call.afterModel === 'passthrough' || !client.has('AfterModel');
  const chunks: Chunk[] = [];
  // Stays `left` if the reader leaves its loop. In this case this function ends at a `yield`, and only `finally` runs.
  let end: 'left' | 'read' | 'failed' = 'left';
  try {
    for await (const chunk of readChunks(() => call.stream(progress.request, { signal: signalOf(call) }), call.signal)) {
      chunks.push(chunk);
      if (passesOn) yield chunk;
    }
    end = 'read';
  } catch (error) {
    end = 'failed';
    if (!(error instanceof AbortTimeoutError)) throw error;
    report({ ...toCancelled(call, progress), replacesChunks: passesOn && chunks.length > 0 });
    return;
  } finally {
    // The response is incomplete, so it is not passed to hooks.
    if (end === 'left') report({ ...toLeft(progress, call), replacesChunks: true });
  }
  const response = await call.collect(chunks);
  if (response === undefined || response === null)
    throw new TypeError(`streamModelWithHooks: "collect" must return a response, and returned ${response}.`);
  const outcome = await reportResponse(client, call, progress, { response, durationMs: Math.round(performance.now() - began) });
  const isChanged = outcome.status !== 'responded' || outcome.response !== response;
  const heldBack = passesOn || outcome.status !== 'responded' ? [] : isChanged ? [...call.toChunks(outcome.response)] : chunks;
  report({ ...outcome, replacesChunks: passesOn && isChanged && chunks.length > 0 });
  yield* heldBack;
}

function signalOf({ signal }: { readonly signal?: AbortSignal | undefined }): AbortSignal {
  return signal ?? new AbortController().signal;
}

/** Returns the end of a stream whose reader stopped reading. */
function toLeft<Request, Response>(
  progress: ModelProgress<Request>,
  call: { readonly signal?: AbortSignal | undefined },
): FinishedModelCall<Request, Response> {
  if (call.signal?.aborted) return toCancelled(call, progress);
  return { ...toEnded(progress, call), stopReason: 'The stream was left before its end.', status: 'stopped' };
}
