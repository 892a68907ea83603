import { type Decoded, type HookOutput, type HookWarning, unusableValue } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a dialect read, without the values that break whoever writes them as JSON: the next hook of an agent that has nothing to do with this
 * one would fail for them, and let through what it guards. Field by field, so that a deny beside such a value counts. Asked of every dialect
 * and here, not in the dialects alone: whoever writes one forgets it, and a handler or an executor of the host answers with what no text holds.
 */
export function withUsableOutput(decoded: Decoded): Decoded {
  const { output, ...rest } = decoded;
  if (output === undefined) return decoded;
  if (!isPlainObject(output)) {
    const problem = { code: 'not_an_object', message: 'What the hook answered was read as something that is no object; it is no opinion.' };
    return { ...rest, warnings: [...rest.warnings, problem] };
  }
  const warnings: HookWarning[] = [];
  const usable = usableFields(output, '', warnings);
  return warnings.length === 0 ? decoded : { ...rest, output: usable as HookOutput, warnings: [...rest.warnings, ...warnings] };
}

function usableFields(fields: Fields, path: string, warnings: HookWarning[]): Fields {
  const kept = Object.keys(fields).flatMap((name): [string, unknown][] => {
    const at = `${path}${name}`;
    try {
      const value = fields[name];
      // Looked at a field at a time: one that is too deep must not take those beside it along.
      if (at === 'hookSpecificOutput' && isPlainObject(value)) return [[name, usableFields(value, `${at}.`, warnings)]];
      const problem = unusableValue(at, value);
      if (problem === undefined) return [[name, value]];
      warnings.push(problem);
    } catch (error) {
      const message = `${at} cannot be read (${error instanceof Error ? error.message : String(error)}); it was dropped.`;
      warnings.push({ code: 'wrong_type', message });
    }
    return [];
  });
  return Object.fromEntries(kept);
}
