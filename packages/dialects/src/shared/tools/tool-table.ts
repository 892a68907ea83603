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

/** What an argument is for, independent of its key. `file` is the file or folder that a tool works on. */
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
export type ToolInput = Readonly<Record<string, unknown>>;

/** One kind of tool of an agent. */
export interface ToolEntry {
  /** Its names: hooks get the first, and matchers are tested against all. */
  readonly names: readonly [string, ...string[]];
  /** The keys of its arguments by role; hooks get the first. An argument that is not listed keeps its key. */
  readonly keys?: Readonly<Partial<Record<ToolRole, readonly [string, ...string[]]>>>;
}

/** The tools of one agent. A kind that is not listed does not exist there. */
export type ToolTable = Readonly<Partial<Record<ToolKind, ToolEntry>>>;

/** The kinds with this name; several where an agent has one tool for what others have several for. */
export function kindsNamed(name: string, table: ToolTable): ToolKind[] {
  return (Object.entries(table) as [ToolKind, ToolEntry][]).filter(([, { names }]) => names.includes(name)).map(([kind]) => kind);
}

/** All names of these tools at another agent; empty where it has none. For texts that are translated, such as a matcher. */
export function namesElsewhere(name: string, from: ToolTable, to: ToolTable): string[] {
  return [...new Set(kindsNamed(name, from).flatMap((kind) => to[kind]?.names ?? []))];
}
