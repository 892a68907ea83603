import { canonicalOutputSchema, eventEntry, type HookEventName, type HookOutput, hookOutputSchema } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';

/** Deeper than anything that may be passed on, and not so deep that the search itself runs out of stack. */
const deepest = 2000;

/**
 * Where a value is not what JSON would make of it again, and what stands there; undefined when it is plain JSON. Objects of classes pass by
 * their data.
 */
export function notPlainJson(value: unknown, path: readonly (string | number)[] = []): string | undefined {
  const found = (what: string) => `${path.length === 0 ? 'it' : pathText(path)} ${what}`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : found(`is ${value}`);
    case 'object':
      break;
    default:
      return found(`is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`);
  }
  if (value === null) return undefined;
  if (path.length > deepest) return found('is nested too deeply');
  if (!Array.isArray(value)) {
    if (Object.prototype.toString.call(value) !== '[object Object]' || 'toJSON' in value)
      return found('is an object that JSON does not have');
    const symbol = Object.getOwnPropertySymbols(value)[0];
    if (symbol !== undefined) return found(`has a field ${String(symbol)}`);
  }
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = notPlainJson(item, [...path, key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why an output is none that the rest of the system reads; undefined when it is one. */
export function notCanonical(output: HookOutput, eventName: HookEventName): string | undefined {
  const problem = notPlainJson(output);
  if (problem !== undefined) return problem;
  // What it inherits is read like its own, and is lost on the way to another process.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(output))) return 'it inherits from another object';
  const specific = output.hookSpecificOutput;
  const parts = [
    { schema: hookOutputSchema, value: output, at: [] },
    { schema: canonicalOutputSchema, value: specific, at: ['hookSpecificOutput'] },
    { schema: eventEntry(eventName).specificOutput, value: specific, at: ['hookSpecificOutput'] },
  ];
  for (const { schema, value, at } of parts) {
    const issue = value === undefined ? undefined : schema.safeParse(value).error?.issues[0];
    if (issue !== undefined) return `${pathText([...at, ...issue.path])}: ${issue.message}`;
  }
  return undefined;
}
