/** What a tool is for, independent of its name. */
export type ToolKind =
  | 'shell'
  | 'read'
  | 'read-many'
  | 'write'
  | 'edit'
  | 'find'
  | 'search'
  | 'list'
  | 'fetch'
  | 'web-search'
  | 'subagent'
  | 'question';

/** What an argument is for. The role does not depend on the argument's key. `file` is the file or folder that the tool works on. */
export type ToolRole =
  | 'command'
  | 'description'
  | 'timeout'
  | 'background'
  | 'file'
  | 'offset'
  | 'limit'
  | 'content'
  | 'old-text'
  | 'new-text'
  | 'every-match'
  | 'pattern'
  | 'include'
  | 'url'
  | 'prompt'
  | 'query'
  | 'agent'
  | 'model'
  | 'questions';

/** The arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** One kind of tool of an agent. */
export interface ToolEntry {
  /** The names of the tool. Hooks receive the first name. Matchers are compared with all names. */
  readonly names: readonly [string, ...string[]];
  /**
   * The keys of the tool's arguments by role. Hooks receive the argument under the first key. Arguments that are not listed keep
   * their key.
   */
  readonly keys?: Readonly<Partial<Record<ToolRole, readonly [string, ...string[]]>>>;
}

/** The tools of one agent by kind. If a kind is missing, the agent has no tool of this kind. */
export type ToolTable = Readonly<Partial<Record<ToolKind, ToolEntry>>>;

/**
 * Returns the kinds of the tool with this name. There may be several, because one tool may do what other agents split into several
 * tools.
 */
export function kindsNamed(name: string, table: ToolTable): ToolKind[] {
  return (Object.entries(table) as [ToolKind, ToolEntry][]).filter(([, { names }]) => names.includes(name)).map(([kind]) => kind);
}

/**
 * Converts a tool name in texts such as matchers from one agent to another. Returns all names that `to` has for the tools called
 * `name` in `from`. Returns an empty list if `to` has no such tools.
 */
export function namesElsewhere(name: string, from: ToolTable, to: ToolTable): string[] {
  return [...new Set(kindsNamed(name, from).flatMap((kind) => to[kind]?.names ?? []))];
}
