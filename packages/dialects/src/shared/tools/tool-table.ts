/** What a tool is for, whatever it is called. */
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

/** What an argument is for, whatever its key is. `file` is the file or folder that a tool is about. */
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

/** One kind of tool as an agent has it. */
export interface ToolEntry {
  /** Its names: hooks are told the first, and a matcher is tried with all. */
  readonly names: readonly [string, ...string[]];
  /** The keys of its arguments by what they are for; hooks are told the first. An argument that is not here keeps its key. */
  readonly keys?: Readonly<Partial<Record<ToolRole, readonly [string, ...string[]]>>>;
}

/** The tools of one agent. A kind that is not here has no counterpart there. */
export type ToolTable = Readonly<Partial<Record<ToolKind, ToolEntry>>>;

/** The kinds that an agent calls so; several where it has one name for what others tell apart. */
export function kindsNamed(name: string, table: ToolTable): ToolKind[] {
  return (Object.entries(table) as [ToolKind, ToolEntry][]).filter(([, { names }]) => names.includes(name)).map(([kind]) => kind);
}

/** All names that the tools of this name have with another agent; none where it has no such tool. For what is written anew, such as a matcher. */
export function namesElsewhere(name: string, from: ToolTable, to: ToolTable): string[] {
  return [...new Set(kindsNamed(name, from).flatMap((kind) => to[kind]?.names ?? []))];
}
