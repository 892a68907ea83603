import { aiSdkTranslator, type HookClient } from '@tenterhook/agent';
import { fieldsOf, findRuns, runsOf, withFields } from '@tenterhook/agent/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Hooked } from '../options.js';
import { keyOfStep, noteStep } from '../run-keys.js';
import type { CallableModel, CallParams, GenerateResult, StreamResult } from './find-model.js';
import { generateWithHooks } from './generate-with-hooks.js';
import type { HookedModel } from './hooked-model.js';
import { notesCalls } from './note-calls.js';
import { streamWithHooks } from './stream-with-hooks.js';

/** The hooked models, by what they are returned as, so that settings that pass `withHooks` twice do not fire each event twice. */
const hookedModels = new WeakMap<object, HookedModel>();

/** The models that are bound to a run, by the key of the run. The steps of a run have the same model most of the time. */
const boundModels = new WeakMap<object, { readonly from: HookedModel; readonly model: CallableModel }>();

/**
 * Returns a model that asks the hooks. It is a proxy and no object of its own, so `specificationVersion` and everything else that the SDK
 * reads are the model's. `wrapLanguageModel` of the SDK was rejected: it would have to be imported, and makes a V4 model of every model.
 */
export function hookModel(hooked: Hooked, model: CallableModel): CallableModel {
  if (hookedModels.get(model)?.source === hooked.source) return model;
  return wrap({ ...hooked, model, translator: aiSdkTranslator<CallParams, GenerateResult>(model) }, undefined);
}

/** Returns the model for one run. A model that is not hooked is returned as it is. */
function bindModel(model: object, key: object): object {
  const from = hookedModels.get(model);
  if (from === undefined) return model;
  const known = boundModels.get(key);
  if (known?.from === from) return known.model;
  const bound = wrap(from, key);
  boundModels.set(key, { from, model: bound });
  return bound;
}

/**
 * Binds a step to its run: its messages, which the tools receive, and its model. `step` is what the SDK passes to `prepareStep`, and
 * `prepared` what the function of the app returned. The key of the run is the list of its steps, which is the same in each of them, if it does
 * not continue with an answer of the user.
 */
export function bindStep(step: unknown, prepared: unknown): unknown {
  const { steps, messages, model } = fieldsOf(step);
  if (!Array.isArray(steps)) return prepared;
  const key = keyOfStep(steps, messages);
  noteStep(messages, key);
  const own = isPlainObject(prepared) ? prepared : {};
  const chosen = own['model'] ?? model;
  // The app may return the same list in each run, so the step gets a list of its own.
  const list = Array.isArray(own['messages']) ? [...(own['messages'] as unknown[])] : undefined;
  noteStep(list, key);
  const bound = typeof chosen === 'object' && chosen !== null ? bindModel(chosen, key) : undefined;
  const fields = {
    ...(list === undefined ? {} : { messages: list }),
    ...(bound === undefined || bound === chosen ? {} : { model: bound }),
  };
  return Object.keys(fields).length === 0 ? prepared : withFields(own, fields);
}

function wrap(own: HookedModel, key: object | undefined): CallableModel {
  const { model } = own;
  const called = (client: HookClient) => ({ ...own, run: runsOf(client).at(key) });
  const methods = {
    doGenerate: (params: CallParams): PromiseLike<GenerateResult> => {
      const client = own.client();
      return isIdle(client, own) ? model.doGenerate(params) : generateWithHooks(client, called(client), params);
    },
    doStream: (params: CallParams): PromiseLike<StreamResult> => {
      const client = own.client();
      return isIdle(client, own) ? model.doStream(params) : streamWithHooks(client, called(client), params);
    },
  };
  // The target is not the model, because a proxy of a frozen object must return the object's own methods. Getters and methods of the model
  // get the model as `this`, because a proxy has no private fields.
  const proxy = new Proxy(Object.create(model) as CallableModel, {
    get(_target, key) {
      if (key === 'doGenerate' || key === 'doStream') return methods[key];
      const value: unknown = Reflect.get(model, key, model);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(model) : value;
    },
    set: (_target, key, value) => Reflect.set(model, key, value, model),
  });
  hookedModels.set(proxy, own);
  return proxy;
}

/**
 * Whether there is nothing to do for a call of the model, so that the SDK's objects pass through as they are. If hooks have left something at
 * any call of the session, the prompt is searched for that call.
 */
function isIdle(client: HookClient, { options }: HookedModel): boolean {
  if (client.has('BeforeModel') || client.has('AfterModel') || client.has('BeforeToolSelection')) return false;
  return !notesCalls(client, options) && findRuns(client)?.hasLeft !== true;
}
