import type { HookClient } from '@tenterhook/agent';
import { findRuns, runsOf } from '@tenterhook/agent/internal';
import type { Model, ModelRequest, ModelResponse, StreamEvent } from '../agents-sdk.js';
import { clientOf, type Hooked } from '../options.js';
import { keyOfRequest, noteHookedModel } from '../run-keys.js';
import type { CalledModel, HookedModel } from './hooked-model.js';
import { hasNotes } from './input-notes.js';
import { type CallFacts, enterCalls, openCall, reviewResponse } from './model-events.js';
import { entered, streamWithHooks } from './stream-with-hooks.js';
import { sdkTranslator } from './translator.js';

/** The models that are hooked, by what they are returned as, so that no event is fired twice. */
const hookedModels = new WeakMap<object, HookedModel>();

/**
 * Returns a model that asks the hooks. It is a proxy, because the SDK reads further fields of a model, and compares the models of two runs by
 * their own fields. `name` is what the model was found by.
 */
export function hookModel(hooked: Hooked, model: Model, name?: string): Model {
  const known = hookedModels.get(model);
  if (known?.source === hooked.source) {
    known.options = hooked.options;
    return model;
  }
  const own: HookedModel = { ...hooked, model, translator: sdkTranslator(name) };
  const methods: Pick<Model, 'getResponse' | 'getStreamedResponse'> = {
    getResponse: (request) => respond(own, request),
    getStreamedResponse: (request) => stream(own, request),
  };
  // The target is not the model, because a proxy of a frozen object must return the methods of the object. Methods get the model as `this`,
  // because a proxy has no private fields.
  const proxy = new Proxy(Object.create(model) as Model, {
    get(_target, key) {
      if (key === 'getResponse' || key === 'getStreamedResponse') return methods[key];
      const value: unknown = Reflect.get(model, key, model);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(model) : value;
    },
    set: (_target, key, value) => Reflect.set(model, key, value, model),
    ownKeys: () => Reflect.ownKeys(model),
    getOwnPropertyDescriptor(_target, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(model, key);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
  hookedModels.set(proxy, own);
  return proxy;
}

function respond(hooked: HookedModel, request: ModelRequest): Promise<ModelResponse> {
  const client = clientOf(hooked);
  noteHookedModel(request);
  if (!isIdle(client, request)) return respondWithHooks(client, toCalled(client, hooked, request), request);
  const answer = hooked.model.getResponse(request);
  if (hasToolHooks(client)) {
    // The SDK receives the very promise. Its failure is reported there, and so is an answer that cannot be read.
    const called = toCalled(client, hooked, request);
    answer.then((response) => enterCalls(called, response, factsOf(request))).catch(() => {});
  }
  return answer;
}

async function respondWithHooks(client: HookClient, hooked: CalledModel, request: ModelRequest): Promise<ModelResponse> {
  const opened = await openCall(client, hooked, request);
  if (opened.kind === 'ended') return opened.response;
  const began = performance.now();
  const response = await hooked.model.getResponse(opened.request);
  const reviewed = await reviewResponse(client, hooked, { request: opened.request, response, began, facts: opened.facts });
  enterCalls(hooked, reviewed.response, reviewed.facts);
  return reviewed.response;
}

function stream(hooked: HookedModel, request: ModelRequest): AsyncIterable<StreamEvent> {
  const client = clientOf(hooked);
  noteHookedModel(request);
  if (!isIdle(client, request)) return streamWithHooks(client, toCalled(client, hooked, request), request);
  const events = hooked.model.getStreamedResponse(request);
  // Only approvals need to know the calls of a stream: the SDK gives them no signal.
  const isEntered = hooked.options.approvals === 'framework' && hasToolHooks(client);
  return isEntered ? entered(toCalled(client, hooked, request), events, factsOf(request)) : events;
}

/** Whether there is nothing to do for a call of the model, so that the SDK's objects pass through as they are. */
function isIdle(client: HookClient, request: ModelRequest): boolean {
  if (client.has('BeforeModel') || client.has('AfterModel') || client.has('BeforeToolSelection')) return false;
  const runs = findRuns(client);
  return runs?.hasLeft !== true || !hasNotes(runs.at(keyOfRequest(request)), request);
}

function toCalled(client: HookClient, hooked: HookedModel, request: ModelRequest): CalledModel {
  return { ...hooked, run: runsOf(client).at(keyOfRequest(request)) };
}

/** What is known of a model call without hooks. */
function factsOf({ signal, input }: ModelRequest): CallFacts {
  return { signal, notes: [], before: input };
}

function hasToolHooks(client: HookClient): boolean {
  return client.has('BeforeTool') || client.has('AfterTool') || client.has('PermissionRequest');
}
