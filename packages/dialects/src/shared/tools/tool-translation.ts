import { absolutePath } from '../paths.js';
import { givenArguments, hasValue, returnedValues, rivalKeys, type ToolArgument, toldKeys, toolArguments } from './argument-keys.js';
import { canonicalTools, fileKeys } from './canonical-tools.js';
import type { HostTools } from './host-tool.js';
import { kindsNamed, type ToolInput, type ToolKind, type ToolTable } from './tool-table.js';

export type { HostTool, HostTools } from './host-tool.js';

/** Tools of the host in the words of one dialect, and back. All of it is for the host's own tools: a tool of an MCP server has its own keys. */
export interface ToolTranslation {
  /** What the host's tool of this name is for; undefined where nobody knows. A name of the dialect's own counts too. */
  kindOf(hostName: string): ToolKind | undefined;
  /** The dialect's names for it: hooks are told the first, matchers are tried with all. The host's own name where there is no mapping. */
  namesOf(hostName: string): readonly [string, ...string[]];
  /** The arguments as hooks are told them. What has no mapping keeps its key. */
  toDialect(hostName: string, input: ToolInput, cwd: string): ToolInput;
  /**
   * What a hook returned, under the host's keys. `original` is the input that `toDialect` was given: an argument comes back under the keys that it
   * has there, and a value that comes back as it was told is the one that stands there.
   */
  toHost(hostName: string, returned: ToolInput, original: ToolInput, cwd: string): ToolInput;
  /**
   * Two keys of the host that could both be one argument, with different values; undefined where there is no doubt. Refuse such a call: a guard
   * that is told the one while the tool reads the other is no guard, and it is the model that chooses the arguments.
   */
  rivals(hostName: string, input: ToolInput): readonly [string, string] | undefined;
}

export interface TranslateOptions {
  /** Hooks are told the file of a tool as an absolute path, counted from the working directory. @default false: as the host gives it */
  readonly absoluteFiles?: boolean;
  /**
   * What the dialect calls the file of tools that its table does not have: where the input of one has exactly one of the host's keys for files,
   * it is told under this. Of several, each may have its own meaning, and all are told as they are. @default they are passed as they are
   */
  readonly fileOfOthers?: string;
}

interface KnownTool {
  readonly kind: ToolKind | undefined;
  readonly names: readonly [string, ...string[]];
  readonly known: readonly ToolArgument[];
  readonly isOther: boolean;
}

/** The translation between a host's tools and those of one dialect. `more` are tools of the host's own; of one name they count before the canonical. */
export function translateTools(table: ToolTable, more: HostTools = {}, options: TranslateOptions = {}): ToolTranslation {
  const { absoluteFiles = false, fileOfOthers } = options;
  const tools = new Map([...toolsOfDialect(table), ...canonical(table), ...toolsOfHost(table, more)]);
  const otherFile: ToolArgument | undefined =
    fileOfOthers === undefined
      ? undefined
      : { dialectKeys: [fileOfOthers], hostKeys: [...new Set([...fileKeys, fileOfOthers])], isFile: true };

  const toolOf = (hostName: string): KnownTool => tools.get(hostName) ?? { kind: undefined, names: [hostName], known: [], isOther: true };
  const argumentsOf = (hostName: string, input: ToolInput): readonly ToolArgument[] => {
    const { known, isOther } = toolOf(hostName);
    if (!isOther || otherFile === undefined || known.some(({ dialectKeys }) => dialectKeys.includes(otherFile.dialectKeys[0])))
      return known;
    return otherFile.hostKeys.filter((key) => Object.hasOwn(input, key) && hasValue(input[key])).length === 1
      ? [...known, otherFile]
      : known;
  };
  const told = ({ isFile }: ToolArgument, value: unknown, cwd: string): unknown =>
    absoluteFiles && isFile && typeof value === 'string' ? absolutePath(value, cwd) : value;

  return {
    kindOf: (hostName) => toolOf(hostName).kind,
    namesOf: (hostName) => toolOf(hostName).names,
    toDialect: (hostName, input, cwd) => {
      const known = argumentsOf(hostName, input);
      if (known.length === 0) return input;
      const given = givenArguments(input, known);
      const values = new Map(given.map(({ argument, key }) => [key, told(argument, input[key], cwd)]));
      const keys = [...toldKeys(input, known, given)];
      // Not by assignment: a key may be `__proto__`.
      return Object.fromEntries(keys.map(([key, name]) => [name, values.has(key) ? values.get(key) : input[key]]));
    },
    toHost: (hostName, returned, original, cwd) => {
      const known = argumentsOf(hostName, original);
      if (known.length === 0) return returned;
      return returnedValues(returned, original, known, (argument, value) => told(argument, value, cwd));
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

/** A host may call its tools as the dialect does, and have other keys for their arguments all the same. */
function toolsOfDialect(table: ToolTable): [string, KnownTool][] {
  const names = Object.values(table).flatMap((entry) => entry.names);
  return [...new Set(names)].map((name) => [name, toolNamed(name, {}, table)]);
}

function toolsOfHost(table: ToolTable, more: HostTools): [string, KnownTool][] {
  return Object.entries(more).map(([hostName, tool]) =>
    typeof tool === 'string' ? [hostName, toolNamed(tool, {}, table)] : [hostName, toolNamed(tool.as, tool.keys ?? {}, table)],
  );
}

/** A tool that has this name in the dialect. Where that has one name for several kinds, the first is meant. */
function toolNamed(name: string, keys: Readonly<Record<string, string>>, table: ToolTable): KnownTool {
  const [kind] = kindsNamed(name, table);
  const entry = kind === undefined ? undefined : table[kind];
  const others = (entry?.names ?? []).filter((other) => other !== name);
  const known = toolArguments(entry, kind === undefined ? undefined : canonicalTools[kind], keys);
  return { kind, names: [name, ...others], known, isOther: kind === undefined };
}
