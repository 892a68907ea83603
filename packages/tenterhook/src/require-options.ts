import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { requireCallbacks } from './require-callbacks.js';
import { requireExtension } from './require-extension.js';
import { isName, shown } from './shown-option.js';

const known = [
  'bus',
  'callbacks',
  'circuitBreaker',
  'cwd',
  'dialect',
  'dialects',
  'executors',
  'extensions',
  'handlers',
  'http',
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
  const { callbacks, extensions, handlers, toolNames, watch } = options as Record<string, unknown>;
  requireWatch(watch);
  requireCallbacks(callbacks);
  requireHandlers(handlers);
  requireTools(toolNames);
  if (extensions === undefined) return;
  if (!Array.isArray(extensions))
    throw new TypeError('createHooks: "extensions" must be an array of { name, hooks, directory, dialect, active, frontMatterOf }.');
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
