import type { ClientSource } from '@tenterhook/agent/internal';
import { describeOption } from '@tenterhook/runtime/text';
import type { Model, ModelProvider } from '../agents-sdk.js';
import { type HookOptions, toHooked } from '../options.js';
import { hookModel } from './hook-model.js';

/**
 * Returns a provider whose models ask the hooks: for `new Runner({ modelProvider })`, so that agents that name their model have the events
 * BeforeToolSelection, BeforeModel and AfterModel. Throws a TypeError for wrong use.
 */
export function hookedModelProvider(client: ClientSource, provider: ModelProvider, options?: HookOptions): ModelProvider {
  const hooked = toHooked('hookedModelProvider', client, options);
  if (typeof provider?.getModel !== 'function') {
    throw new TypeError(`hookedModelProvider: the provider must have getModel(), and is ${describeOption(provider)}.`);
  }
  // The SDK asks for the model at each call, and providers return the same model for the same name.
  const models = new WeakMap<Model, Model>();
  return {
    async getModel(name) {
      const model = await provider.getModel(name);
      const known = models.get(model) ?? hookModel(hooked, model, name);
      models.set(model, known);
      return known;
    },
  };
}
