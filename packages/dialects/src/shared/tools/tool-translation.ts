import { absolutePath, expandHome } from '../paths.js';
import { argumentKeys, givenArguments, hasValue, returnedValues, rivalKeys, type ToolArgument, toolArguments } from './argument-keys.js';
import { canonicalTools, fileKeys } from './canonical-tools.js';
import type { HostTools } from './host-tool.js';
import { kindsNamed, type ToolArguments, type ToolKind, type ToolTable } from './tool-table.js';

/**
 * Translates names and arguments of the host's own tools into those of one dialect, and back. The arguments of MCP tools keep their keys.
 */
export interface ToolTranslation {
  /**
   * Returns the kind of the host's tool with this name, or undefined if the name is unknown. Names of the dialect are recognised
   * too.
   */
  kindOf(hostName: string): ToolKind | undefined;
  /**
   * Returns the dialect's names of a tool. Hooks receive the first name. Matchers are compared with all names. A tool without a
   * mapping keeps the host's name.
   */
  namesOf(hostName: string): readonly [string, ...string[]];
  /** Returns the arguments that hooks receive. Arguments without a mapping keep their key. */
  toDialect(hostName: string, input: ToolArguments, cwd: string): ToolArguments;
  /**
   * Converts the arguments that a hook wrote to the host's keys. `original` is the input that was passed to `toDialect`. Each
   * argument gets the key that it has in `original`. If the hook did not change a value, the host receives the original value.
   */
  toHost(hostName: string, returned: ToolArguments, original: ToolArguments, cwd: string): ToolArguments;
  /**
   * Converts a tool call from the form that hooks receive to the form of the host. This is the inverse of `namesOf` and
   * `toDialect`, for calls that were captured in the agent. The call stays unchanged if two of its arguments conflict, or if hooks
   * receive no tool of the host under this name.
   */
  toHostCall(name: string, input: ToolArguments): { readonly name: string; readonly input: ToolArguments };
  /**
   * Returns two keys of the host that mean the same argument but have different values, or undefined. A call with such keys must be
   * refused: a guard could check one value, and the tool could read the other.
   */
  rivals(hostName: string, input: ToolArguments): readonly [string, string] | undefined;
}

export interface TranslateOptions {
  /**
   * True if hooks receive the file of a tool as an absolute path. A relative path is then resolved against the working directory.
   * @default false: hooks receive the path that the host passes
   */
  readonly absoluteFiles?: boolean;
  /** The home directory. With `absoluteFiles`, it replaces a leading `~`. @default `~` is an ordinary character */
  readonly home?: string;
  /**
   * The dialect's key for a file, for tools that are not in the dialect's table. If an input has exactly one of the host's keys for
   * a file, the dialect's key replaces it. If the input has several, all of them stay, because each may have another meaning.
   * @default no key is replaced
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
 * Creates the translation between a host's tools and those of one dialect. `more` are the host's own tools. They have priority over
 * the canonical tools.
 */
export function translateTools(table: ToolTable, more: HostTools = {}, options: TranslateOptions = {}): ToolTranslation {
  const { absoluteFiles = false, fileOfOthers, home = '' } = options;
  let found: FoundTools | undefined;
  // Not before it is needed: a program creates all dialects and uses few of them, and the tables of all take as long as reading settings.
  const tools = (): FoundTools => {
    found ??= findTools(table, more);
    return found;
  };
  const otherFile: ToolArgument | undefined =
    fileOfOthers === undefined
      ? undefined
      : { dialectKeys: [fileOfOthers], hostKeys: [...new Set([...fileKeys, fileOfOthers])], isFile: true };

  const toolOf = (hostName: string): KnownTool =>
    tools().byName.get(hostName) ?? { kind: undefined, names: [hostName], known: [], isOther: true };
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
    absoluteFiles && isFile && typeof value === 'string' ? absolutePath(expandHome(value, home), cwd) : value;

  return {
    kindOf: (hostName) => toolOf(hostName).kind,
    namesOf: (hostName) => toolOf(hostName).names,
    toDialect: (hostName, input, cwd) => {
      const known = argumentsOf(hostName, input);
      if (known.length === 0) return input;
      const given = givenArguments(input, known);
      const values = new Map(given.map(({ argument, key }) => [key, toDialectValue(argument, input[key], cwd)]));
      const keys = [...argumentKeys(input, known, given)];
      // Built from entries, because an assignment to a key `__proto__` would set the prototype.
      return Object.fromEntries(keys.map(([key, name]) => [name, values.has(key) ? values.get(key) : input[key]]));
    },
    toHost,
    toHostCall: (name, input) => {
      const [hostName, tool] = tools().called.find(([, { names }]) => names[0] === name) ?? [];
      if (hostName === undefined || rivalKeys(input, tool?.known ?? []) !== undefined) return { name, input };
      return { name: hostName, input: toHost(hostName, input, {}, '') };
    },
    rivals: (hostName, input) => rivalKeys(input, toolOf(hostName).known),
  };
}

interface FoundTools {
  readonly byName: ReadonlyMap<string, KnownTool>;
  /** Those that a host can call, its own tools first. */
  readonly called: readonly [string, KnownTool][];
}

function findTools(table: ToolTable, more: HostTools): FoundTools {
  const ofHost = toolsOfHost(table, more);
  const ofCanon = canonical(table);
  return { byName: new Map([...toolsOfDialect(table), ...ofCanon, ...ofHost]), called: [...ofHost, ...ofCanon] };
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
 * Returns an entry for each tool name of the dialect. A host may also use such a name for its own tool, with other keys for the
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

/** Finds the tool with this name in the dialect. If several kinds have the name, returns the first. */
function toolNamed(name: string, keys: Readonly<Record<string, string>>, table: ToolTable): KnownTool {
  const [kind] = kindsNamed(name, table);
  const entry = kind === undefined ? undefined : table[kind];
  const others = (entry?.names ?? []).filter((other) => other !== name);
  const known = toolArguments(entry, kind === undefined ? undefined : canonicalTools[kind], keys);
  return { kind, names: [name, ...others], known, isOther: kind === undefined };
}
