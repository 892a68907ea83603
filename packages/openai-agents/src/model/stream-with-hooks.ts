import type { HookClient } from '@tenterhook/agent';
import { newCallId, outputTexts, tellMessage } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { type ModelRequest, type ModelResponse, type StreamEvent, Usage } from '../agents-sdk.js';
import type { CalledModel } from './hooked-model.js';
import { type CallFacts, enterCalls, openCall, reviewResponse } from './model-events.js';

type DoneEvent = Extract<StreamEvent, { readonly type: 'response_done' }>;

/**
 * Fires the model events around a stream. While hooks of AfterModel exist, the events of the stream are held until the hooks have answered,
 * unless the option `afterModel` is `observe`.
 */
export async function* streamWithHooks(client: HookClient, hooked: CalledModel, request: ModelRequest): AsyncGenerator<StreamEvent> {
  const opened = await openCall(client, hooked, request);
  if (opened.kind === 'ended') {
    yield* toEvents(opened.response);
    return;
  }
  const began = performance.now();
  const stream = hooked.model.getStreamedResponse(opened.request);
  if (!client.has('AfterModel')) {
    yield* entered(hooked, stream, opened.facts);
    return;
  }
  const holds = hooked.options.afterModel !== 'observe';
  const held: StreamEvent[] = [];
  for await (const event of stream) {
    if (event.type !== 'response_done') {
      if (holds) held.push(event);
      else yield event;
      continue;
    }
    const response = toResponse(event);
    const reviewed = await reviewResponse(client, hooked, { request: opened.request, response, began, facts: opened.facts });
    const isChanged = reviewed.response !== response;
    if (holds) {
      enterCalls(hooked, reviewed.response, reviewed.facts);
      yield* isChanged ? toEvents(reviewed.response, event) : [...held.splice(0), event];
    } else {
      enterCalls(hooked, response, reviewed.facts, reviewed.stop);
      if (isChanged) tellNoEffect(hooked);
      yield event;
    }
  }
  // Events without an end are of an incomplete answer, which hooks cannot check. They are not passed on.
}

/** Passes a stream on, and enters the tool calls of its answer. */
export async function* entered(hooked: CalledModel, stream: AsyncIterable<StreamEvent>, facts: CallFacts): AsyncGenerator<StreamEvent> {
  for await (const event of stream) {
    if (event.type === 'response_done') enterCalls(hooked, toResponse(event), facts);
    yield event;
  }
}

function tellNoEffect({ options }: CalledModel): void {
  const text = 'Hooks of AfterModel changed a response that was passed on already, so the change had no effect (no_effect).';
  tellMessage(options.onMessage, { text, audience: 'user', eventName: 'AfterModel' });
}

function toResponse({ response }: DoneEvent): ModelResponse {
  const { id, usage, output, providerData } = response;
  return {
    usage: new Usage(usage as ConstructorParameters<typeof Usage>[0]),
    output,
    responseId: id,
    ...omitUndefined({ providerData }),
  } as ModelResponse;
}

/** Writes a response as the events of a stream: each text in one piece. `done` is the event that the model sent. */
function* toEvents({ output, usage, responseId, providerData }: ModelResponse, done?: DoneEvent): Generator<StreamEvent> {
  yield { type: 'response_started' };
  for (const delta of outputTexts(output)) yield { type: 'output_text_delta', delta };
  const { id = responseId ?? newCallId('resp_'), usage: counted = usage, requestId } = done?.response ?? {};
  // The rest of the event is left out, because it contains the answer as the service sent it.
  yield { type: 'response_done', response: { id, usage: counted, output, ...omitUndefined({ requestId, providerData }) } } as DoneEvent;
}
