import type { ToolTable } from '../tools/tool-table.js';

/** The tool names of a format, and how its matchers are compared with them. */
export interface MatchedTools {
  /** The display name of the agent. */
  readonly agent: string;
  readonly table: ToolTable;
  /** Every name that a matcher may use for a tool of the agent, including the host's names. */
  readonly known: readonly string[];
  /** True if a matcher is compared with the whole name; false if it is searched for in the name. */
  readonly isWhole: boolean;
  /** True if the matcher is a list of names with `|` or `,` between them, and not a regular expression. @default false */
  readonly isList?: boolean;
  /** The names that hooks receive for a tool that the host has mapped. @default no tool is mapped */
  readonly namesOf?: (hostName: string) => readonly string[];
  /** Returns a matcher for exactly these names. */
  exactly(names: readonly string[]): string;
  /** The remedy for a matcher that is a file pattern. @default a matcher for the tools that write files */
  readonly fileRemedy?: string;
  /** The remedy for a matcher that is a permission rule, given the matcher for its tool. @default to compare inside the hook */
  readonly ruleRemedy?: (matcher: string, rule: string) => string;
}

/** A probable mistake in a valid matcher. */
export interface Doubt {
  readonly message: string;
  readonly remedy: string;
}
