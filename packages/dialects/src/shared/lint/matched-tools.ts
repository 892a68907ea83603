import type { ToolTable } from '../tools/tool-table.js';

/** The tool names of a format, and how its matchers are compared with them. */
export interface MatchedTools {
  /** The display name of the agent. */
  readonly agent: string;
  readonly table: ToolTable;
  /** Every name that a matcher may use for a tool of the agent, including the host's names. */
  readonly known: readonly string[];
  /** True if a matcher must match the whole name. False if a match of a part is enough. */
  readonly isWhole: boolean;
  /** True if a matcher is a list of names with `|` or `,` between them. False if it is a regular expression. @default false */
  readonly isList?: boolean;
  /** Returns the names that hooks receive for a tool that the host has mapped. @default no tool is mapped */
  readonly namesOf?: (hostName: string) => readonly string[];
  /** Returns a matcher for exactly these names. */
  exactly(names: readonly string[]): string;
  /** The remedy for a matcher that is a file pattern. @default a matcher for the tools that write files */
  readonly fileRemedy?: string;
  /**
   * Returns the remedy for a matcher that is a permission rule. `matcher` matches the tool of the rule.
   * @default the remedy is to compare inside the hook
   */
  readonly ruleRemedy?: (matcher: string, rule: string) => string;
}

/** A probable mistake in a valid matcher. */
export interface Doubt {
  readonly message: string;
  readonly remedy: string;
}
