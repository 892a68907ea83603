import type { HookToolConfig } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, isSameList, listOf, withFields } from '../fields.js';
import { filterItems, isAllowed, resolveToolConfig, type ToolLimits, toToolConfig } from '../tool-config.js';

/**
 * The modes that hooks see. Hooks see `VALIDATED` as `AUTO`, because the model chooses in both. `VALIDATED` also checks the calls, and
 * hooks have no name for this.
 */
const shownModes: ReadonlyMap<unknown, NonNullable<HookToolConfig['mode']>> = new Map([
  ['AUTO', 'AUTO'],
  ['VALIDATED', 'AUTO'],
  ['ANY', 'ANY'],
  ['NONE', 'NONE'],
]);

export function showGenAiToolConfig(config: Fields): HookToolConfig | undefined {
  const { mode, allowedFunctionNames } = callingConfigOf(config);
  return toToolConfig(shownModes.get(mode), Array.isArray(allowedFunctionNames) ? allowedFunctionNames.map(String) : undefined);
}

/** Returns the names of the functions. The names of a `CallableTool` are missing, because it lists them only when the SDK asks. */
export function genAiToolNames(config: Fields): string[] {
  return toolsOf(config).flatMap((tool) => declarationsOf(tool).map(nameOf));
}

/**
 * Removes the declarations of functions that the hooks do not allow. Writing only `allowedFunctionNames` was rejected, because the API
 * accepts it only with the modes `ANY` and `VALIDATED`. If no tool is left, the fields that choose among tools are removed too. Tools that
 * the server runs, e.g. a search, stay unless the mode is `NONE`.
 */
export function withGenAiToolConfig<Config extends Fields>(config: Config, wanted: HookToolConfig): Config {
  const limits = resolveToolConfig(showGenAiToolConfig(config), wanted);
  if (limits === undefined) return config;
  const tools = filterTools(toolsOf(config), limits);
  const isAnyFunctionLeft = tools.some((tool) => isCallable(tool) || declarationsOf(tool).length > 0);
  const calling = isAnyFunctionLeft ? callingConfig(config, tools, limits) : undefined;
  return withFields(config, {
    tools: tools.length === 0 ? undefined : tools === toolsOf(config) ? config['tools'] : tools,
    toolConfig: withCallingConfig(config['toolConfig'], calling),
  });
}

function filterTools(tools: readonly unknown[], limits: ToolLimits): readonly unknown[] {
  if (limits.mode === 'NONE') return [];
  const filtered = tools.flatMap((tool) => filterTool(tool, limits));
  return isSameList(filtered, tools) ? tools : filtered;
}

/** Filters one tool, which may contain declarations and a search on the server. It is removed only if it becomes empty. */
function filterTool(tool: unknown, limits: ToolLimits): unknown[] {
  if (isCallable(tool)) return [limits.names === undefined ? tool : filterCallable(tool, limits)];
  const declarations = declarationsOf(tool);
  const kept = filterItems(declarations, (declaration) => isAllowed(limits, nameOf(declaration)));
  if (kept === declarations) return [tool];
  const filtered = withFields(tool as Fields, { functionDeclarations: kept.length === 0 ? undefined : kept });
  return Object.keys(filtered).length === 0 ? [] : [filtered];
}

interface CallableTool {
  tool(): Promise<unknown>;
  callTool(calls: readonly unknown[]): Promise<unknown>;
}

/**
 * Wraps a callable tool, and filters its declarations when the SDK asks for them. The calls of this tool are filtered here too, because the
 * SDK runs them itself. All other calls are checked in the agent loop.
 */
function filterCallable(callable: CallableTool, limits: ToolLimits): CallableTool {
  return {
    async tool() {
      const tool = await callable.tool();
      const kept = declarationsOf(tool).filter((declaration) => isAllowed(limits, nameOf(declaration)));
      return withFields(tool as Fields, { functionDeclarations: kept });
    },
    callTool: (calls) => callable.callTool(calls.filter((call) => isAllowed(limits, nameOf(call)))),
  };
}

function callingConfig(config: Fields, tools: readonly unknown[], { mode, names }: ToolLimits): unknown {
  const current = callingConfigOf(config);
  if (mode === 'AUTO') {
    const isSaid = current['mode'] !== undefined || current['allowedFunctionNames'] !== undefined;
    const said = shownModes.get(current['mode']) === 'AUTO' ? current['mode'] : 'AUTO';
    return isSaid
      ? withFields(current, { mode: said, allowedFunctionNames: undefined })
      : fieldsOf(config['toolConfig'])['functionCallingConfig'];
  }
  const isOpen = tools.some(isCallable);
  const offered = new Set(genAiToolNames({ tools }));
  return withFields(current, { mode, allowedFunctionNames: names?.filter((name) => isOpen || offered.has(name)) });
}

function withCallingConfig(toolConfig: unknown, functionCallingConfig: unknown): unknown {
  const changed = withFields(fieldsOf(toolConfig), { functionCallingConfig });
  if (changed === toolConfig) return toolConfig;
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function callingConfigOf(config: Fields): Fields {
  return fieldsOf(fieldsOf(config['toolConfig'])['functionCallingConfig']);
}

function toolsOf({ tools }: Fields): readonly unknown[] {
  return listOf(tools);
}

function declarationsOf(tool: unknown): readonly unknown[] {
  return listOf(fieldsOf(tool)['functionDeclarations']);
}

function nameOf(named: unknown): string {
  return String(fieldsOf(named)['name'] ?? '');
}

function isCallable(tool: unknown): tool is CallableTool {
  return isPlainObject(tool) && typeof tool['callTool'] === 'function' && typeof tool['tool'] === 'function';
}
