import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, nearestName, suggestName } from '@tenterhook/runtime/text';
import { isSignal } from '../cancellation.js';
import type { AdvancedOptions, CreateHooksOptions } from '../create-hooks-options.js';
import { checkInspect } from '../inspect/inspect-options.js';
import { checkRecord } from '../record/record-options.js';
import { requireExtension } from '../settings/extensions/require-extension.js';
import { checkTrust } from '../trust/trust-options.js';

/** Throws a TypeError that names the option, what it must be, and its value. `path` names the option: `watch.debounceMs`. */
type Check = (value: unknown, path: string) => void;

/** The checks of the options of `createHooks`, in the order of docs/library.md. An option that is undefined is not checked. */
const optionChecks: Readonly<Record<keyof CreateHooksOptions, Check>> = {
  projectDir: must('a non-empty string', isName),
  sessionId: must('a non-empty string', isName),
  settings: checkSettings,
  handlers: checkHandlers,
  toolNames: eachOf(
    'an array of strings, and of { name, server } for MCP tools, such as ["read_file", { name: "search", server: "docs" }]',
    checkTool,
  ),
  watch: checkWatch,
  dialect: must('the name of a dialect, such as "llxprt"', isName),
  dialects: eachOf('an array of dialects, such as [llxprt(), claudeCode()]', checkDialect),
  extensions: eachOf('an array of { name, hooks, directory, dialect, active, frontMatterOf }', (extension, path) =>
    requireExtension(extension, { caller: 'createHooks', path }),
  ),
  strict: must('true or false', isBoolean),
  signal: must('an AbortSignal', isSignal),
  bus: must('a MessageBus', hasFunctions('request', 'publish', 'respond')),
  callbacks: checkCallbacks,
  isTrusted: must('a function', (value) => typeof value === 'function'),
  trust: checkTrust,
  // The engine checks the fields of these three options, and the functions of `callbacks`.
  limits: must('{ concurrency, queued, killGraceMs, stdoutBytes, stderrBytes }', isPlainObject),
  spawner: must('"auto", "lanes" or "direct"', (value) => value === 'auto' || value === 'lanes' || value === 'direct'),
  http: () => {},
  circuitBreaker: () => {},
  record: checkRecord,
  inspect: checkInspect,
  tracing: must('an object with begin(), such as otel()', hasFunctions('begin')),
  advanced: checkAdvanced,
};

const advancedChecks: Readonly<Record<keyof AdvancedOptions, Check>> = {
  cwd: must('a non-empty string', isName),
  transcriptPath: must('a string', (value) => typeof value === 'string'),
  sources: must('an array of sources of hooks', isArrayOf(hasFunctions('hooksFor'))),
  executors: must('an array of executors', isArrayOf(hasFunctions('run'))),
};

const optionNames = Object.keys(optionChecks);
const advancedNames = Object.keys(advancedChecks);

/**
 * Throws a TypeError for an unknown option, or one of the wrong type. If the option were ignored, a guard that it configures would not run.
 */
export function requireOptions(options: object): void {
  if (!isPlainObject(options)) throw new TypeError(`The options of createHooks must be an object, and are ${describeOption(options)}.`);
  checkFields(options, '', optionChecks, (option) => {
    if (advancedNames.includes(option)) {
      return `createHooks: "${option}" is an option of "advanced". Write createHooks({ advanced: { ${option} } }).`;
    }
    const remedy = suggestName(option, [...optionNames, ...advancedNames], `Its options are ${optionNames.join(', ')}.`);
    return `createHooks has no option "${option}". ${remedy}`;
  });
}

function checkAdvanced(advanced: unknown, path: string): void {
  if (!isPlainObject(advanced)) refuse(path, `{ ${advancedNames.join(', ')} }`, advanced);
  checkFields(advanced, `${path}.`, advancedChecks, (option) => {
    const remedy = optionNames.includes(option)
      ? `Write createHooks({ ${option} }).`
      : suggestName(option, advancedNames, `Its options are ${advancedNames.join(', ')}.`);
    return `createHooks: "${path}" has no option "${option}". ${remedy}`;
  });
}

function checkFields(
  options: Readonly<Record<string, unknown>>,
  prefix: string,
  checks: Readonly<Record<string, Check>>,
  describeUnknown: (option: string) => string,
): void {
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, option)) throw new TypeError(describeUnknown(option));
    if (value !== undefined) checks[option]?.(value, `${prefix}${option}`);
  }
}

function refuse(path: string, expected: string, value: unknown, remedy = ''): never {
  throw new TypeError(`createHooks: "${path}" must be ${expected}, and is ${describeOption(value)}${remedy}.`);
}

function must(expected: string, isValid: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!isValid(value)) refuse(path, expected, value);
  };
}

function eachOf(expected: string, check: Check): Check {
  return (values, path) => {
    if (!Array.isArray(values)) refuse(path, expected, values);
    for (const [index, value] of values.entries()) check(value, `${path}[${index}]`);
  };
}

function checkSettings(settings: unknown, path: string): void {
  if (!Array.isArray(settings)) must('an object, or an array of objects and file names', isSettings)(settings, path);
  else eachOf('an array', must('an object or a file name', isSettings))(settings, path);
}

/** A file name outside of an array is accepted too: its meaning is clear. */
function isSettings(value: unknown): boolean {
  return isPlainObject(value) || isName(value);
}

/**
 * Checks an entry of `toolNames`. A wrong name or server could cause a warning about a correct matcher, or hide a warning about a wrong
 * one.
 */
function checkTool(tool: unknown, path: string): void {
  if (isName(tool)) return;
  if (!isPlainObject(tool)) refuse(path, 'a string, or { name, server } for an MCP tool', tool);
  const fields = ['name', 'server'];
  const unknown = Object.keys(tool).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new TypeError(`createHooks: "${path}" has no field "${unknown}"; its fields are ${fields.join(', ')}.`);
  for (const field of fields) {
    if (isName(tool[field])) continue;
    const remedy = field === 'server' ? '; for a tool of the agent itself write only its name' : '';
    refuse(`${path}.${field}`, 'a non-empty string', tool[field], remedy);
  }
}

function checkHandlers(handlers: unknown, path: string): void {
  must('an array of engines, such as [new HookEngine()] or [remoteHandlers(bus, { accept })]', isArrayOf(hasFunctions('hooksFor', 'run')))(
    handlers,
    path,
  );
  if (new Set(handlers as unknown[]).size === (handlers as unknown[]).length) return;
  throw new TypeError(`createHooks: "${path}" contains the same engine twice; its handlers would run twice. Pass each engine once.`);
}

function checkDialect(dialect: unknown, path: string): void {
  if (hasFunctions('locations', 'parse')(dialect) && isName((dialect as { name?: unknown }).name)) return;
  if (typeof dialect !== 'function') refuse(path, 'a dialect, such as claudeCode()', dialect);
  refuse(path, 'a dialect', dialect, `. Call it: ${dialect.name === '' ? 'dialect' : dialect.name}()`);
}

function checkWatch(watch: unknown, path: string): void {
  if (isBoolean(watch)) return;
  if (!isPlainObject(watch)) refuse(path, 'true, false or { debounceMs }', watch);
  const unknown = Object.keys(watch).find((key) => key !== 'debounceMs');
  if (unknown !== undefined) throw new TypeError(`createHooks: "${path}" has no option "${unknown}"; its option is debounceMs.`);
  const { debounceMs } = watch;
  if (debounceMs === undefined || (typeof debounceMs === 'number' && debounceMs >= 1 && debounceMs <= longestTimerMs)) return;
  refuse(`${path}.debounceMs`, `a number of milliseconds from 1 to ${longestTimerMs}`, debounceMs);
}

const callbackTypes = ['prompt', 'agent', 'mcp_tool'];

/**
 * Checks the names of callbacks, because a guard does not run if the name of its callback is misspelled. Other unknown names are accepted:
 * they may belong to a dialect outside of this package.
 */
function checkCallbacks(callbacks: unknown, path: string): void {
  if (!isPlainObject(callbacks)) return;
  for (const type of Object.keys(callbacks)) {
    const nearest = callbackTypes.includes(type) ? undefined : nearestName(type, callbackTypes);
    if (nearest !== undefined) throw new TypeError(`createHooks: "${path}" has no "${type}". Did you mean "${nearest}"?`);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Tests the methods instead of the class, so that objects of another copy of this package are accepted. */
function hasFunctions(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => names.every((name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function');
}

function isArrayOf(isEntry: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isEntry);
}
