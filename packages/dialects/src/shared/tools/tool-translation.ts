import { absolutePath } from '../paths.js';
import { argumentKeys, givenArguments, hasValue, returnedValues, rivalKeys, type ToolArgument, toolArguments } from './argument-keys.js';
import { canonicalTools, fileKeys } from './canonical-tools.js';
import type { HostTools } from './host-tool.js';
import { kindsNamed, type ToolArguments, type ToolKind, type ToolTable } from './tool-table.js';

/**
 * Translates names and arguments of the host's own tools into those of one dialect, and back. Not for MCP tools, which keep their own keys.
 */
export interface ToolTranslation {
  /** Returns the kind of the host's tool with this name; undefined if it is unknown. Names of the dialect are known too. */
  kindOf(hostName: string): ToolKind | undefined;
  /**
   * Returns the dialect's names of the tool. Hooks receive the first; matchers are compared with all. For a tool without a mapping this is
   * the host's name.
   */
  namesOf(hostName: string): readonly [string, ...string[]];
  /** Returns the arguments that hooks receive. Arguments without a mapping keep their key. */
  toDialect(hostName: string, input: ToolArguments, cwd: string): ToolArguments;
  /**
   * Returns the arguments that a hook wrote, under the host's keys. `original` is the input that was passed to `toDialect`. An argument
   * gets the key that it has in `original`, and a value that the hook returned unchanged is replaced by the original value.
   */
  toHost(hostName: string, returned: ToolArguments, original: ToolArguments, cwd: string): ToolArguments;
  /**
   * Converts a tool call as hooks see it into the call of the host: the inverse of `namesOf` and `toDialect`, for a call that was captured
   * in the agent. Returns the call unchanged if hooks would not receive the same name for the result, or if two arguments conflict.
   */
  toHostCall(name: string, input: ToolArguments): { readonly name: string; readonly input: ToolArguments };
  /**
   * Returns two keys of the host that both mean the same argument but have different values; undefined if there are none. Such a call must
   * be refused, because a guard could check one of them while the tool reads the other.
   */
  rivals(hostName: string, input: ToolArguments): readonly [string, string] | undefined;
}

export interface TranslateOptions {
  /**
   * True if hooks receive the file of a tool as an absolute path, resolved against the working directory. @default false: hooks receive the
   * path that the host passes
   */
  readonly absoluteFiles?: boolean;
  /**
   * The dialect's key for the file of tools that are not in its table. It replaces the host's key for a file if the input has exactly one
   * such key. If there are several, all stay, because each may have another meaning. @default no key is replaced
   */
  readonly fileOfOthers?: string;
}

interface KnownTool {
  readonly kind: ToolKind | undefined;
  readonly names: readonly [string, ...string[]];
  readonly known: readonly ToolArgument[];
  readonly isOther: boolean;
}

/**
 * Creates the translation between a host's tools and those of one dialect. `more` are the host's own tools, which have precedence over the
 * canonical ones.
 */
export function translateTools(table: ToolTable, more: HostTools = {}, options: TranslateOptions = {}): ToolTranslation {
  const { absoluteFiles = false, fileOfOthers } = options;
  const ofHost = toolsOfHost(table, more);
  const ofCanon = canonical(table);
  const tools = new Map([...toolsOfDialect(table), ...ofCanon, ...ofHost]);
  const otherFile: ToolArgument | undefined =
    fileOfOthers === undefined
      ? undefined
      : { dialectKeys: [fileOfOthers], hostKeys: [...new Set([...fileKeys, fileOfOthers])], isFile: true };

  const toolOf = (hostName: string): KnownTool => tools.get(hostName) ?? { kind: undefined, names: [hostName], known: [], isOther: true };
  const argumentsOf = (hostName: string, input: ToolArguments): readonly ToolArgument[] => {
    const { known, isOther } = toolOf(hostName);
    if (!isOther || otherFile === undefined || known.some(({ dialectKeys }) => dialectKeys.includes(otherFile.dialectKeys[0])))
      return known;
    return otherFile.hostKeys.filter((key) => Object.hasOwn(input, key) && hasValue(input[key])).length === 1
      ? [...known, otherFile]
      : known;
  };
  const toHost = (hostName: string, returned: ToolArguments, original: ToolArguments, cwd: string): ToolArguments => {
    const known = argumentsOf(hostName, original);
    if (known.length === 0) return returned;
    return returnedValues(returned, original, known, (argument, value) => toDialectValue(argument, value, cwd));
  };
  const toDialectValue = ({ isFile }: ToolArgument, value: unknown, cwd: string): unknown =>
    absoluteFiles && isFile && typeof value === 'string' ? absolutePath(value, cwd) : value;

  return {
    kindOf: (hostName) => toolOf(hostName).kind,
    namesOf: (hostName) => toolOf(hostName).names,
    toDialect: (hostName, input, cwd) => {
      const known = argumentsOf(hostName, input);
      if (known.length === 0) return input;
      const given = givenArguments(input, known);
      const values = new Map(given.map(({ argument, key }) => [key, toDialectValue(argument, input[key], cwd)]));
      const keys = [...argumentKeys(input, known, given)];
      // The object is built from entries, not by assignments, because a key may be `__proto__`.
      return Object.fromEntries(keys.map(([key, name]) => [name, values.has(key) ? values.get(key) : input[key]]));
    },
    toHost,
    toHostCall: (name, input) => {
      const [hostName, tool] = [...ofHost, ...ofCanon].find(([, { names }]) => names[0] === name) ?? [];
      if (hostName === undefined || rivalKeys(input, tool?.known ?? []) !== undefined) return { name, input };
      return { name: hostName, input: toHost(hostName, input, {}, '') };
    },
    rivals: (hostName, input) => rivalKeys(input, toolOf(hostName).known),
  };
}

function canonical(table: ToolTable): [string, KnownTool][] {
  return (Object.keys(canonicalTools) as ToolKind[]).flatMap((kind) => {
    const entry = table[kind];
    const tool = entry === undefined ? undefined : { names: entry.names, known: toolArguments(entry, canonicalTools[kind]) };
    return (canonicalTools[kind]?.names ?? []).map((name): [string, KnownTool] => [
      name,
      { kind, isOther: tool === undefined, names: tool?.names ?? [name], known: tool?.known ?? [] },
    ]);
  });
}

/**
 * Returns the tools of the dialect's table as tools of a host, because a host may use the dialect's names, but other keys for the
 * arguments.
 */
function toolsOfDialect(table: ToolTable): [string, KnownTool][] {
  const names = Object.values(table).flatMap((entry) => entry.names);
  return [...new Set(names)].map((name) => [name, toolNamed(name, {}, table)]);
}

function toolsOfHost(table: ToolTable, more: HostTools): [string, KnownTool][] {
  return Object.entries(more).map(([hostName, tool]) =>
    typeof tool === 'string' ? [hostName, toolNamed(tool, {}, table)] : [hostName, toolNamed(tool.as, tool.keys ?? {}, table)],
  );
}

/** Finds the tool with this name in the dialect. If several kinds have the name, the first is used. */
function toolNamed(name: string, keys: Readonly<Record<string, string>>, table: ToolTable): KnownTool {
  const [kind] = kindsNamed(name, table);
  const entry = kind === undefined ? undefined : table[kind];
  const others = (entry?.names ?? []).filter((other) => other !== name);
  const known = toolArguments(entry, kind === undefined ? undefined : canonicalTools[kind], keys);
  return { kind, names: [name, ...others], known, isOther: kind === undefined };
}
