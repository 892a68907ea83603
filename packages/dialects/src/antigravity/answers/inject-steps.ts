import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { wrongType } from '../../shared/output/fields/printed-fields.js';
import { isText } from '../../shared/text.js';

/** The steps with a text for the model. Antigravity's documents do not have `systemMessage`, but its editor obeys it. */
const textSteps = ['userMessage', 'ephemeralMessage', 'systemMessage'];

/** No hook injects more. */
const maxSteps = 100;

/** Returns the texts that a hook adds for the model. Other steps are reported. */
export function textsOf(steps: unknown, warnings: HookWarning[]): readonly string[] {
  if (!Array.isArray(steps)) return [];
  if (steps.length > maxSteps) {
    const message = `injectSteps has ${steps.length} steps; only the first ${maxSteps} are read.`;
    warnings.push({ code: 'too_many_fields', message });
  }
  return steps.slice(0, maxSteps).flatMap((step, index) => {
    const [key, ...others] = isPlainObject(step) ? Object.keys(step) : [];
    const text = isPlainObject(step) && key !== undefined ? step[key] : undefined;
    if (key === 'toolCall' && others.length === 0) {
      const message = `injectSteps[${index}].toolCall has no effect: hooks cannot call tools in Tenterhook. Ask the model in a userMessage.`;
      warnings.push({ code: 'no_effect', message });
      return [];
    }
    if (key !== undefined && textSteps.includes(key) && others.length === 0 && typeof text === 'string') return isText(text) ? [text] : [];
    warnings.push(wrongType(`injectSteps[${index}]`, step, 'Write { "userMessage": "…" }.'));
    return [];
  });
}
