import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportOtherSpellings } from './printed-fields.js';

/** The object in which the API of the model nests the fields. Published hooks print it, and no format reads it. */
const apiNames = ['functionCallingConfig', 'function_calling_config'];

/**
 * Returns a printed `toolConfig` without the object of the API, or undefined if nothing else is in it. The fields in that object are not
 * used, because the agents do not use them. A warning reports it, because the author expects that the hook limits the tools.
 */
export function usableToolConfig(printed: unknown, path: string, warnings: HookWarning[]): unknown {
  if (!isPlainObject(printed)) return printed;
  reportOtherSpellings(printed, ['mode', 'allowedFunctionNames'], path, warnings);
  const nested = apiNames.filter((name) => Object.hasOwn(printed, name));
  if (nested.length === 0) return printed;
  for (const name of nested) {
    const message = `${path}.${name} has no effect; it was dropped. Write its "mode" and "allowedFunctionNames" directly into toolConfig.`;
    warnings.push({ code: 'no_effect', message });
  }
  const kept = Object.entries(printed).filter(([name]) => !nested.includes(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
