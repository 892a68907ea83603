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

/** What an argument is for, independent of its key. `file` is the file or folder that the tool works on. */
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
  /** The names of the tool. Hooks receive the first; matchers are compared with all. */
  readonly names: readonly [string, ...string[]];
  /** The keys of its arguments by role. Hooks receive the argument under the first key. An argument that is not listed keeps its key. */
  readonly keys?: Readonly<Partial<Record<ToolRole, readonly [string, ...string[]]>>>;
}

/** The tools of one agent by kind. If a kind is not listed, the agent has no tool of this kind. */
export type ToolTable = Readonly<Partial<Record<ToolKind, ToolEntry>>>;

/** Returns the kinds with this name. There may be several, because the agent may have one tool where others have several. */
export function kindsNamed(name: string, table: ToolTable): ToolKind[] {
  return (Object.entries(table) as [ToolKind, ToolEntry][]).filter(([, { names }]) => names.includes(name)).map(([kind]) => kind);
}

/** Returns the names of the same tools at another agent; empty if it has none. Used to translate texts such as matchers. */
export function namesElsewhere(name: string, from: ToolTable, to: ToolTable): string[] {
  return [...new Set(kindsNamed(name, from).flatMap((kind) => to[kind]?.names ?? []))];
}
