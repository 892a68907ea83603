import { isAbsolute } from 'node:path';
import { type Dialect, isPlainObject, nearestName } from '@tenterhook/protocol';

const known = [
  'bus',
  'circuitBreaker',
  'cwd',
  'dialect',
  'dialects',
  'executors',
  'extensions',
  'handlers',
  'isTrusted',
  'limits',
  'projectDir',
  'sessionId',
  'settings',
  'sources',
  'strict',
  'toolNames',
  'transcriptPath',
  'watch',
];

const extensionFields = ['name', 'hooks', 'active', 'dialect', 'directory'];

/** A timer with more would fire at once. */
const maxTimerMs = 2147483647;

/** An option that is not known would be a guard that is not there: wrong use, said at once. Throws a TypeError. */
export function requireOptions(options: object): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const nearest = nearestName(option, known);
    throw new TypeError(
      `createHooks has no option "${option}". ${nearest === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${nearest}"?`}`,
    );
  }
  const { extensions, handlers, toolNames, watch } = options as Record<string, unknown>;
  requireWatch(watch);
  requireHandlers(handlers);
  requireTools(toolNames);
  if (extensions === undefined) return;
  if (!Array.isArray(extensions))
    throw new TypeError('createHooks: "extensions" must be an array of { name, hooks, active, dialect, directory }.');
  for (const [index, extension] of extensions.entries()) requireExtension(extension, `extensions[${index}]`);
}

/** A tool that is read as another would make a warning of a good matcher, or none of a bad one. */
function requireTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools))
    throw new TypeError(
      'createHooks: "toolNames" must be an array of texts, and of { name, server } for MCP tools, such as ["read_file", { name: "search", server: "docs" }].',
    );
  for (const [index, tool] of tools.entries()) requireTool(tool, `toolNames[${index}]`);
}

function requireTool(tool: unknown, what: string): void {
  if (isName(tool)) return;
  if (!isPlainObject(tool))
    throw new TypeError(`createHooks: "${what}" must be a text, or { name, server } for an MCP tool, and is ${shown(tool)}.`);
  const fields = ['name', 'server'];
  const unknown = Object.keys(tool).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new TypeError(`createHooks: "${what}" has no field "${unknown}"; it has ${fields.join(', ')}.`);
  for (const field of fields) {
    if (isName(tool[field])) continue;
    const remedy = field === 'server' ? '; for a tool of the agent itself write its name alone' : '';
    throw new TypeError(`createHooks: "${what}.${field}" must be a text that is not empty, and is ${shown(tool[field])}${remedy}.`);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What a program handed over, short: it may be anything. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' || value === null || typeof value === 'number' ? JSON.stringify(value) : typeof value;
}

/** An engine that is no part of an array, or no engine, would be guards that are not there. */
function requireHandlers(handlers: unknown): void {
  if (handlers === undefined) return;
  const isEngine = (value: unknown) =>
    ['hooksFor', 'run'].every((name) => typeof (value as Record<string, unknown>)?.[name] === 'function');
  if (Array.isArray(handlers) && handlers.every(isEngine)) {
    if (new Set(handlers).size === handlers.length) return;
    throw new TypeError('createHooks: "handlers" has the same engine twice; its handlers would run twice.');
  }
  throw new TypeError(
    'createHooks: "handlers" must be an array of engines, such as [new HookEngine()] or [remoteHandlers(bus, { accept })].',
  );
}

function requireWatch(watch: unknown): void {
  if (watch === undefined || typeof watch === 'boolean') return;
  if (!isPlainObject(watch)) throw new TypeError('createHooks: "watch" must be true, false or { debounceMs }.');
  const unknown = Object.keys(watch).find((key) => key !== 'debounceMs');
  if (unknown !== undefined) throw new TypeError(`createHooks: "watch" has no option "${unknown}"; it has debounceMs.`);
  const { debounceMs } = watch;
  if (debounceMs === undefined || (typeof debounceMs === 'number' && debounceMs >= 1 && debounceMs <= maxTimerMs)) return;
  throw new TypeError(
    `createHooks: "watch.debounceMs" must be a number of milliseconds from 1 to ${maxTimerMs}, and is ${String(debounceMs)}.`,
  );
}

export function requireExtension(extension: unknown, what: string): void {
  if (!isPlainObject(extension) || !isName(extension['name']) || !('hooks' in extension)) {
    throw new TypeError(`createHooks: ${what} must be { name, hooks, active, dialect, directory } with a name and hooks.`);
  }
  for (const field of Object.keys(extension)) {
    if (extensionFields.includes(field)) continue;
    // A host may hand its manifests over as they are; a slip in a name of ours is another thing.
    const nearest = nearestName(field, extensionFields);
    if (nearest !== undefined) throw new TypeError(`createHooks: ${what} has no field "${field}". Did you mean "${nearest}"?`);
  }
  const { dialect, directory } = extension;
  if (dialect !== undefined && !isName(dialect)) {
    throw new TypeError(`createHooks: "${what}.dialect" must be the name of a dialect, such as "llxprt", and is ${shown(dialect)}.`);
  }
  if (directory !== undefined && !(isName(directory) && isAbsolute(directory))) {
    throw new TypeError(`createHooks: "${what}.directory" must be an absolute path, and is ${shown(directory)}.`);
  }
}

/** The hooks of an extension in a format that nothing here reads would be hooks that are not there. */
export function requireKnownDialect({ dialect }: { readonly dialect?: string }, what: string, dialects: readonly Dialect[]): void {
  if (dialect === undefined || dialects.some(({ name }) => name === dialect)) return;
  const loaded = dialects.map(({ name }) => name).join(', ') || 'none';
  throw new TypeError(`createHooks: ${what} has the dialect "${dialect}", which is not loaded; loaded are ${loaded}.`);
}
