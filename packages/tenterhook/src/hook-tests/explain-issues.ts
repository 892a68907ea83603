import { describeValue, nearestName, suggestName } from '@tenterhook/runtime/text';
import { knownFields, statuses, warningCodes } from './test-case.js';

/** What is wrong with a part of a file. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An issue of the schema. Only the fields that are read here. */
interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

/** Explains why a file does not have the form of the schema. A misspelt field is reported once, and not also as a missing one. */
export function explainIssues(issues: readonly Issue[], document: unknown): Problem[] {
  const misspelt = issues.flatMap(({ path, keys = [] }) => keys.map((key) => [...path, nearestName(key, knownAt(path)) ?? key]));
  // An object whose only field is unknown counts as empty for the schema.
  const withUnknown = issues.filter(({ keys = [] }) => keys.length > 0).map(({ path }) => path);
  const isSecond = ({ code, path }: Issue) =>
    code !== 'unrecognized_keys' && [...misspelt, ...(code === 'custom' ? withUnknown : [])].some((other) => isSamePath(other, path));
  return issues.filter((issue) => !isSecond(issue)).flatMap((issue) => explain(issue, document));
}

function isSamePath(a: readonly PropertyKey[], b: readonly PropertyKey[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

function explain({ code, path, keys = [], message }: Issue, document: unknown): Problem[] {
  const place = placeOf(path);
  if (code === 'unrecognized_keys') {
    const known = knownAt(path);
    return keys.map((key) => ({
      path: [...path, key],
      message: `${place} has the unknown field ${describeValue(key)}. ${suggestName(key, known, `Its fields are ${known.join(', ')}.`)}`,
    }));
  }
  const value = path.reduce<unknown>((parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key], document);
  if (value === undefined) return [{ path, message: `${place} is missing. ${remedyFor(path)}` }];
  if (code === 'custom') return [{ path, message: `${place}: ${message}` }];
  return [{ path, message: `${place} is ${described(value, path)}. ${remedyFor(path, value)}` }];
}

function described(value: unknown, path: readonly PropertyKey[]): string {
  if (value === null && path.length === 0) return 'empty';
  return Array.isArray(value) && value.length === 0 ? 'an empty list' : describeValue(value);
}

/** What to write at a place, by the name of the field. */
function remedyFor(path: readonly PropertyKey[], value?: unknown): string {
  if (path.at(-2) === 'hooks') return suggestName(value, statuses, `It must be ${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}.`);
  if (path.at(-1) === 'verdict' && value === 'stop') return 'To expect a stop, write "stop: true".';
  if (path.at(-2) === 'warnings') return suggestName(value, warningCodes, 'Write the code of a warning, for example invalid_json.');
  const field = path.findLast((key) => typeof key === 'string') as string | undefined;
  return (field !== undefined && remedies[field]) || 'Write a list "cases"; each case has "name", "event", "input" and "expect".';
}

const remedies: Readonly<Record<string, string>> = {
  settings: 'Write the path of a settings file, or a list of paths.',
  project: 'Write the path of the project directory.',
  dialect: 'Write the name of a format, for example claude-code.',
  cases: 'Write a list of at least one case; each has "name", "event", "input" and "expect".',
  name: 'Write a text that describes the case.',
  event: 'Write the name of an event, for example BeforeTool.',
  input: 'Write an object with the fields of the event.',
  expect: 'Write an object with what the case expects, for example { "verdict": "deny" }.',
  verdict: 'It must be none, allow, ask or deny.',
  stop: 'It must be true or false.',
  reason: 'Write a part of the text, or { "equals": "…" }, or { "matches": "…" }.',
  context: 'Write a part of the text, or { "equals": "…" }, or { "matches": "…" }.',
  by: 'Write the name or the id of a hook, or a list of them.',
  rewrites: 'Write an object with the path and the new value of each rewrite, for example { "tool_input.path": "a.txt" }.',
  warnings: 'Write the code of a warning, for example invalid_json, or a list of codes.',
  hooks: 'Write an object with the name of a hook and its status, for example { "guard": "failed" }.',
};

/** Formats a place in a file, e.g. `cases[0].expect`. */
export function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The file';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`)).join('');
}

function knownAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return knownFields.file;
  const last = path.at(-1);
  if (typeof last === 'number') return knownFields.case;
  return last === 'expect' ? knownFields.expect : knownFields.text;
}
