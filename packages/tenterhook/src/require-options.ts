import { isAbsolute } from 'node:path';
import type { Dialect } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName, suggestName } from '@tenterhook/runtime/text';
import type { AdvancedOptions, CreateHooksOptions } from './create-hooks-options.js';
import type { Extension } from './settings/extensions/extension.js';
import { requireTrust } from './trust/trust-options.js';

/** The options that most agents need come first, as in docs/library.md. */
const optionNames = Object.keys({
  projectDir: true,
  sessionId: true,
  settings: true,
  handlers: true,
  toolNames: true,
  watch: true,
  dialect: true,
  dialects: true,
  extensions: true,
  strict: true,
  bus: true,
  callbacks: true,
  isTrusted: true,
  trust: true,
  limits: true,
  http: true,
  circuitBreaker: true,
  advanced: true,
} satisfies Record<keyof CreateHooksOptions, true>);

const advancedNames = Object.keys({
  cwd: true,
  transcriptPath: true,
  sources: true,
  executors: true,
} satisfies Record<keyof AdvancedOptions, true>);

/** Throws a TypeError for an unknown option. If it were ignored, the guard that it should configure would be missing. */
export function requireOptions(options: object): void {
  for (const option of Object.keys(options)) {
    if (optionNames.includes(option)) continue;
    if (advancedNames.includes(option)) {
      throw new TypeError(`createHooks: "${option}" is an option of "advanced". Write createHooks({ advanced: { ${option} } }).`);
    }
    throw new TypeError(
      `createHooks has no option "${option}". ${suggestName(option, [...optionNames, ...advancedNames], `Its options are ${optionNames.join(', ')}.`)}`,
    );
  }
  const { advanced, callbacks, extensions, handlers, toolNames, trust, watch } = options as Record<string, unknown>;
  requireTrust(trust);
  requireAdvanced(advanced);
  requireWatch(watch);
  requireCallbacks(callbacks);
  requireHandlers(handlers);
  requireTools(toolNames);
  if (extensions === undefined) return;
  if (!Array.isArray(extensions))
    throw new TypeError('createHooks: "extensions" must be an array of { name, hooks, directory, dialect, active, frontMatterOf }.');
  for (const [index, extension] of extensions.entries()) requireExtension(extension, `extensions[${index}]`);
}

function requireAdvanced(advanced: unknown): void {
  if (advanced === undefined) return;
  if (!isPlainObject(advanced))
    throw new TypeError(`createHooks: "advanced" must be { ${advancedNames.join(', ')} }, and is ${formatOption(advanced)}.`);
  for (const option of Object.keys(advanced)) {
    if (advancedNames.includes(option)) continue;
    const remedy = optionNames.includes(option)
      ? `Write createHooks({ ${option} }).`
      : suggestName(option, advancedNames, `Its options are ${advancedNames.join(', ')}.`);
    throw new TypeError(`createHooks: "advanced" has no option "${option}". ${remedy}`);
  }
}

/**
 * Throws a TypeError for invalid tools. A tool that is read as another one could cause a warning about a correct matcher, or hide one about
 * a wrong matcher.
 */
function requireTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools))
    throw new TypeError(
      'createHooks: "toolNames" must be an array of strings, and of { name, server } for MCP tools, such as ["read_file", { name: "search", server: "docs" }].',
    );
  for (const [index, tool] of tools.entries()) requireTool(tool, `toolNames[${index}]`);
}

function requireTool(tool: unknown, what: string): void {
  if (isName(tool)) return;
  if (!isPlainObject(tool))
    throw new TypeError(`createHooks: "${what}" must be a string, or { name, server } for an MCP tool, and is ${formatOption(tool)}.`);
  const fields = ['name', 'server'];
  const unknown = Object.keys(tool).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new TypeError(`createHooks: "${what}" has no field "${unknown}"; its fields are ${fields.join(', ')}.`);
  for (const field of fields) {
    if (isName(tool[field])) continue;
    const remedy = field === 'server' ? '; for a tool of the agent itself write only its name' : '';
    throw new TypeError(`createHooks: "${what}.${field}" must be a non-empty string, and is ${formatOption(tool[field])}${remedy}.`);
  }
}

/** Throws a TypeError if the value is not an array of engines. If it were ignored, the guards in it would be missing. */
function requireHandlers(handlers: unknown): void {
  if (handlers === undefined) return;
  const isEngine = (value: unknown) =>
    ['hooksFor', 'run'].every((name) => typeof (value as Record<string, unknown>)?.[name] === 'function');
  if (Array.isArray(handlers) && handlers.every(isEngine)) {
    if (new Set(handlers).size === handlers.length) return;
    throw new TypeError('createHooks: "handlers" contains the same engine twice; its handlers would run twice. Pass each engine once.');
  }
  throw new TypeError(
    'createHooks: "handlers" must be an array of engines, such as [new HookEngine()] or [remoteHandlers(bus, { accept })].',
  );
}

function requireWatch(watch: unknown): void {
  if (watch === undefined || typeof watch === 'boolean') return;
  if (!isPlainObject(watch)) throw new TypeError('createHooks: "watch" must be true, false or { debounceMs }.');
  const unknown = Object.keys(watch).find((key) => key !== 'debounceMs');
  if (unknown !== undefined) throw new TypeError(`createHooks: "watch" has no option "${unknown}"; its option is debounceMs.`);
  const { debounceMs } = watch;
  if (debounceMs === undefined || (typeof debounceMs === 'number' && debounceMs >= 1 && debounceMs <= longestTimerMs)) return;
  throw new TypeError(
    `createHooks: "watch.debounceMs" must be a number of milliseconds from 1 to ${longestTimerMs}, and is ${String(debounceMs)}.`,
  );
}

const extensionFields = ['name', 'hooks', 'directory', 'dialect', 'active', 'frontMatterOf'];
const frontMatterOwners = ['skill', 'subagent'];

/** Throws a TypeError for an invalid extension. If it were ignored, its guards would be missing. */
export function requireExtension(extension: unknown, what: string): asserts extension is Extension {
  if (!isPlainObject(extension) || !isName(extension['name'])) {
    throw new TypeError(`createHooks: ${what} must be { ${extensionFields.join(', ')} } with a name, and with hooks or a directory.`);
  }
  for (const field of Object.keys(extension)) {
    if (extensionFields.includes(field)) continue;
    // Other unknown fields are accepted, because a host may pass its manifests unchanged. Only a misspelled field is an error.
    const nearest = nearestName(field, extensionFields);
    if (nearest !== undefined) throw new TypeError(`createHooks: ${what} has no field "${field}". Did you mean "${nearest}"?`);
  }
  const { name, hooks, dialect, directory, frontMatterOf } = extension;
  if (hooks === undefined && directory === undefined) {
    const remedy = 'Pass its hooks, or its directory.';
    throw new TypeError(`createHooks: ${what}, "${name}", has neither "hooks" nor a "directory" to read them from. ${remedy}`);
  }
  if (dialect !== undefined && !isName(dialect)) {
    throw new TypeError(`createHooks: "${what}.dialect" must be the name of a dialect, such as "llxprt", and is ${formatOption(dialect)}.`);
  }
  if (directory !== undefined && !(isName(directory) && isAbsolute(directory))) {
    throw new TypeError(`createHooks: "${what}.directory" must be an absolute path, and is ${formatOption(directory)}.`);
  }
  if (frontMatterOf !== undefined && !frontMatterOwners.includes(frontMatterOf as string)) {
    throw new TypeError(`createHooks: "${what}.frontMatterOf" must be "skill" or "subagent", and is ${formatOption(frontMatterOf)}.`);
  }
}

/**
 * Throws a TypeError for an extension whose format is not loaded, or cannot be read from a directory. If it were ignored, its hooks would
 * be missing.
 */
export function requireReadable({ hooks, dialect: name }: Extension, what: string, dialects: readonly Dialect[]): void {
  const named = name === undefined ? dialects : dialects.filter((dialect) => dialect.name === name);
  if (name !== undefined && named.length === 0) {
    const loaded = dialects.map((dialect) => dialect.name).join(', ') || 'none';
    throw new TypeError(`createHooks: ${what} has the dialect "${name}", which is not loaded. Loaded dialects: ${loaded}.`);
  }
  if (hooks !== undefined || named.some((dialect) => dialect.extensionFiles !== undefined)) return;
  const whose = name === undefined ? 'no loaded dialect reads' : `the dialect "${name}" does not read`;
  throw new TypeError(`createHooks: ${what} has no "hooks", and ${whose} them from a directory. Pass them as "hooks".`);
}

const callbackTypes = ['prompt', 'agent', 'mcp_tool'];

/**
 * Throws a TypeError for a misspelled name of a callback, because the guards that need it would not run. Other names may be types of a
 * dialect outside of this package. The engine checks whether a callback is a function.
 */
export function requireCallbacks(callbacks: unknown): void {
  if (!isPlainObject(callbacks)) return;
  for (const type of Object.keys(callbacks)) {
    const nearest = callbackTypes.includes(type) ? undefined : nearestName(type, callbackTypes);
    if (nearest !== undefined) throw new TypeError(`createHooks: "callbacks" has no "${type}". Did you mean "${nearest}"?`);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Formats a value of any type in a few characters. `describeOption` of the runtime is not used, because its wording does not fit these
 * messages.
 */
function formatOption(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' || value === null || typeof value === 'number' ? JSON.stringify(value) : typeof value;
}
