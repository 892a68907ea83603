import type { HookClient } from '@tenterhook/agent';
import type { Run } from '@tenterhook/agent/internal';
import { abortable } from '../abort.js';
import type { CallParams, StreamPart, StreamResult } from './find-model.js';
import type { CalledModel } from './hooked-model.js';
import { type CallFacts, noteCalls, streamNotes } from './note-calls.js';
import { observeStream } from './observe-stream.js';
import { openCall } from './review-request.js';
import { reviewResponse } from './review-response.js';
import { collectParts, streamOf, toParts, withStream } from './stream-parts.js';

/**
 * Fires the model events around `doStream`. While hooks of AfterModel exist, the stream is held until they have answered, unless the
 * option `afterModel` is `observe`. Without such hooks, the model's own stream is returned.
 */
export async function streamWithHooks(client: HookClient, hooked: CalledModel, params: CallParams): Promise<StreamResult> {
  const opened = await openCall(client, hooked, params);
  if (opened.kind === 'ended') return { stream: streamOf(toParts(opened.response)) };
  const signal = params.abortSignal;
  const began = performance.now();
  const result = await abortable(() => hooked.model.doStream(opened.request), signal);
  if (!client.has('AfterModel')) {
    // Only the calls in the stream are of interest. If there is nothing to note, the stream stays the same object.
    return opened.facts.isNeeded ? withStream(result, notedStream(hooked.run, result.stream, opened.facts)) : result;
  }
  if (hooked.options.afterModel === 'observe') {
    return withStream(result, observeStream(client, hooked, result.stream, { ...opened, began, signal }));
  }
  const held = await readAll(result.stream, signal);
  const failing = held.failure !== undefined || held.parts.some(({ type }) => type === 'error');
  // The response is incomplete, so hooks cannot check it, and its content is not passed on.
  if (failing) return withStream(result, streamOf(held.parts.filter(isEnvelope), held.failure));
  const response = collectParts(held.parts);
  const { response: final, facts } = await reviewResponse(client, hooked, { ...opened, response, began, signal });
  noteCalls(hooked.run, final.content, facts);
  return withStream(result, streamOf(final === response ? held.parts : toParts(final)));
}

/** Whether a part says nothing of the content. */
function isEnvelope({ type }: StreamPart): boolean {
  return type === 'stream-start' || type === 'response-metadata' || type === 'error';
}

function notedStream(run: Run, stream: ReadableStream<StreamPart>, facts: CallFacts) {
  const note = streamNotes(run, facts);
  return stream.pipeThrough(
    new TransformStream<StreamPart, StreamPart>({
      transform(part, controller) {
        note(part);
        controller.enqueue(part);
      },
    }),
  );
}

interface HeldStream {
  readonly parts: readonly StreamPart[];
  readonly failure?: { readonly error: unknown };
}

/** Reads a stream to its end. Throws the reason of the abort if the signal aborts; the stream is then left. */
async function readAll(stream: ReadableStream<StreamPart>, signal: AbortSignal | undefined): Promise<HeldStream> {
  const reader = stream.getReader();
  const parts: StreamPart[] = [];
  for (;;) {
    let next: Awaited<ReturnType<typeof reader.read>>;
    try {
      next = await abortable(() => reader.read(), signal);
    } catch (error) {
      if (!signal?.aborted) return { parts, failure: { error } };
      void reader.cancel(error).catch(() => {});
      throw error;
    }
    if (next.done) return { parts };
    parts.push(next.value);
  }
}
