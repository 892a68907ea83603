import { fieldsOf, withFields } from '@tenterhook/agent/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { noteStep } from '../run-keys.js';
import { bindModel } from './hook-model.js';

/**
 * Binds a step to its run: its messages, which the tools receive, and its model. `step` is what the SDK passes to `prepareStep`, and
 * `prepared` what the function of the app returned. The key of the run is the list of its steps, which is the same in each of them.
 */
export function bindStep(step: unknown, prepared: unknown): unknown {
  const { steps, messages, model } = fieldsOf(step);
  if (!Array.isArray(steps)) return prepared;
  noteStep(messages, steps);
  const own = isPlainObject(prepared) ? prepared : {};
  const chosen = own['model'] ?? model;
  // The app may return the same list in each run, so the step gets a list of its own.
  const list = Array.isArray(own['messages']) ? [...(own['messages'] as unknown[])] : undefined;
  noteStep(list, steps);
  const bound = typeof chosen === 'object' && chosen !== null ? bindModel(chosen, steps) : undefined;
  const fields = {
    ...(list === undefined ? {} : { messages: list }),
    ...(bound === undefined || bound === chosen ? {} : { model: bound }),
  };
  return Object.keys(fields).length === 0 ? prepared : withFields(own, fields);
}
