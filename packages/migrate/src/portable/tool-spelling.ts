import { canonicalTools, kindsNamed, namesElsewhere, type ToolTable } from '@tenterhook/dialects/parts';

/** How the names of MCP tools are composed: `mcp__server__tool` begins with `mcp__`, and `__` is its separator. */
export interface McpSpelling {
  readonly start: string;
  readonly separator: string;
}

/** The tool names that the matchers of a dialect use. */
export interface ToolSpelling {
  /** The display name of the agent. */
  readonly agent: string;
  readonly table: ToolTable;
  /** The prefix of all names of the agent's own tools. @default none */
  readonly ownStart?: string;
  /** The forms of MCP names. All are read, and the first is written. */
  readonly mcp: readonly [McpSpelling, ...McpSpelling[]];
}

/** Tests whether the dialect uses the names of LLxprt and Gemini CLI. They are the canonical names. */
function isCanonical({ table }: ToolSpelling): boolean {
  return table === canonicalTools;
}

/** Returns all names in a table. */
export function namesIn(table: ToolTable): readonly string[] {
  return [...new Set(Object.values(table).flatMap(({ names }) => names))];
}

export function knownTools({ table, ownStart = '' }: ToolSpelling): readonly string[] {
  return namesIn(table).map((name) => `${ownStart}${name}`);
}

/** Returns the canonical names of a tool, given its name in the dialect without prefix. Returns the given name if no table has it. */
export function canonicalNames(name: string, spelling: ToolSpelling): readonly string[] {
  const names = isCanonical(spelling) ? [] : namesElsewhere(name, spelling.table, canonicalTools);
  return names.length === 0 ? [name] : names;
}

/** Returns the dialect's names of a canonical tool, and whether a table lists the tool for this dialect. */
export function spelledNames(name: string, spelling: ToolSpelling): { readonly names: readonly string[]; readonly isKnown: boolean } {
  const { table } = spelling;
  if (isCanonical(spelling)) return { names: [name], isKnown: kindsNamed(name, table).length > 0 };
  const names = namesElsewhere(name, canonicalTools, table);
  return names.length > 0 ? { names, isKnown: true } : { names: [name], isKnown: kindsNamed(name, table).length > 0 };
}

/** Returns the canonical names of other tools that the dialect calls by the same name. A matcher with this name matches these tools too. */
export function alsoCovered(canonical: readonly string[], spelled: readonly string[], spelling: ToolSpelling): readonly string[] {
  if (isCanonical(spelling)) return [];
  const meant = new Set(canonical.flatMap((name) => kindsNamed(name, canonicalTools)));
  const covered = new Set(spelled.flatMap((name) => kindsNamed(name, spelling.table)));
  return [...covered].filter((kind) => !meant.has(kind)).flatMap((kind) => canonicalTools[kind]?.names[0] ?? []);
}
