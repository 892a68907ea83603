import type { HookClient } from '@tenterhook/agent';
import { tellMessage } from '@tenterhook/agent/internal';
import type { StreamPart } from './find-model.js';
import type { CalledModel } from './hooked-model.js';
import { callIds, streamNotes } from './note-calls.js';
import { type AnsweredCall, reviewResponse } from './review-response.js';
import { collectParts } from './stream-parts.js';

/**
 * Passes the parts of a stream on at once, and fires AfterModel with the whole response before the part `finish`. What the hooks would
 * change has no effect, and the user receives a message. Only a stop has an effect: the next model call is not made.
 */
export function observeStream(
  client: HookClient,
  hooked: CalledModel,
  stream: ReadableStream<StreamPart>,
  call: Omit<AnsweredCall, 'response'>,
): ReadableStream<StreamPart> {
  const parts: StreamPart[] = [];
  const note = streamNotes(hooked.run, { ...call.facts, additions: [] });
  let isReviewed = false;
  const review = async () => {
    if (isReviewed || parts.some(({ type }) => type === 'error')) return;
    isReviewed = true;
    const response = collectParts(parts);
    const { response: final, facts, stop } = await reviewResponse(client, hooked, { ...call, response });
    const [first] = callIds(response.content);
    if (first !== undefined) hooked.run.leave(first, { texts: facts.additions, stop });
    if (final === response) return;
    const text = 'Hooks of AfterModel changed a response that was passed on already, so the change had no effect (no_effect).';
    tellMessage(hooked.options.onMessage, { text, audience: 'user', eventName: 'AfterModel' });
  };
  return stream.pipeThrough(
    new TransformStream<StreamPart, StreamPart>({
      async transform(part, controller) {
        parts.push(part);
        note(part);
        if (part['type'] === 'finish') await review();
        controller.enqueue(part);
      },
      flush: review,
    }),
  );
}
