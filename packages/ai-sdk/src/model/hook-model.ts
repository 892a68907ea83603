import { aiSdkTranslator, type HookClient } from '@tenterhook/agent';
import type { Hooked } from '../options.js';
import { callsOf } from '../session-calls.js';
import type { CallableModel, CallParams, GenerateResult, StreamResult } from './find-model.js';
import { generateWithHooks } from './generate-with-hooks.js';
import type { HookedModel } from './hooked-model.js';
import { notesCalls } from './note-calls.js';
import { streamWithHooks } from './stream-with-hooks.js';

/** The source of the client of each hooked model, so that settings that pass `withHooks` twice do not fire each event twice. */
const sources = new WeakMap<object, Hooked['source']>();

/**
 * Returns a model that asks the hooks. It is a proxy and no object of its own, so `specificationVersion` and everything else that the SDK
 * reads are the model's. `wrapLanguageModel` of the SDK was rejected: it would have to be imported, and makes a V4 model of every model.
 */
export function hookModel(hooked: Hooked, model: CallableModel): CallableModel {
  if (sources.get(model) === hooked.source) return model;
  const translator = aiSdkTranslator<CallParams, GenerateResult>(model);
  const own: HookedModel = { ...hooked, model, translator };
  const methods = {
    doGenerate: (params: CallParams): PromiseLike<GenerateResult> => {
      const client = hooked.client();
      return isIdle(client, own) ? model.doGenerate(params) : generateWithHooks(client, own, params);
    },
    doStream: (params: CallParams): PromiseLike<StreamResult> => {
      const client = hooked.client();
      return isIdle(client, own) ? model.doStream(params) : streamWithHooks(client, own, params);
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
  sources.set(proxy, hooked.source);
  return proxy;
}

/**
 * Whether there is nothing to do for a call of the model, so that the SDK's objects pass through as they are. If hooks have left something at
 * any call of the session, the calls of each response are entered, because a new call may have the id of that one.
 */
function isIdle(client: HookClient, { options }: HookedModel): boolean {
  if (client.has('BeforeModel') || client.has('AfterModel') || client.has('BeforeToolSelection')) return false;
  return !notesCalls(client, options) && !callsOf(client).hasLeft;
}
