import { canonicalTools, kindsNamed, namesElsewhere, type ToolTable } from '@tenterhook/dialects/parts';

/** How the names of MCP tools are composed. `mcp__server__tool` has the start `mcp__` and the separator `__`. */
export interface McpSpelling {
  readonly start: string;
  readonly separator: string;
  /** True if the name of a tool does not contain its server. The separator is then not used. @default it contains the server */
  readonly isWithoutServer?: true;
}

export interface ToolSpelling {
  readonly agent: string;
  readonly table: ToolTable;
  /** The prefix of all names of the agent's own tools. @default none */
  readonly ownStart?: string;
  /** The forms of MCP names. All are read, but only the first is written. */
  readonly mcp: readonly [McpSpelling, ...McpSpelling[]];
}

/** Tests whether the dialect uses the canonical names, which are those of LLxprt and Gemini CLI. */
function isCanonical({ table }: ToolSpelling): boolean {
  return table === canonicalTools;
}

export function namesIn(table: ToolTable): readonly string[] {
  return [...new Set(Object.values(table).flatMap(({ names }) => names))];
}

export function knownTools({ table, ownStart = '' }: ToolSpelling): readonly string[] {
  return namesIn(table).map((name) => `${ownStart}${name}`);
}

/**
 * Returns the canonical names of a tool of the dialect. `name` has no prefix. If no table has the tool, the result is `name`
 * itself.
 */
export function canonicalNames(name: string, spelling: ToolSpelling): readonly string[] {
  const names = isCanonical(spelling) ? [] : namesElsewhere(name, spelling.table, canonicalTools);
  return names.length === 0 ? [name] : names;
}

/** Returns the dialect's names of a canonical tool. `isKnown` reports whether a table lists the tool for this dialect. */
export function spelledNames(name: string, spelling: ToolSpelling): { readonly names: readonly string[]; readonly isKnown: boolean } {
  const { table } = spelling;
  if (isCanonical(spelling)) return { names: [name], isKnown: kindsNamed(name, table).length > 0 };
  const names = namesElsewhere(name, canonicalTools, table);
  return names.length > 0 ? { names, isKnown: true } : { names: [name], isKnown: kindsNamed(name, table).length > 0 };
}

/**
 * Returns the canonical names of other tools that have the same name in the dialect. A matcher with this name matches these tools
 * too.
 */
export function alsoCovered(canonical: readonly string[], spelled: readonly string[], spelling: ToolSpelling): readonly string[] {
  if (isCanonical(spelling)) return [];
  const meant = new Set(canonical.flatMap((name) => kindsNamed(name, canonicalTools)));
  const covered = new Set(spelled.flatMap((name) => kindsNamed(name, spelling.table)));
  return [...covered].filter((kind) => !meant.has(kind)).flatMap((kind) => canonicalTools[kind]?.names[0] ?? []);
}
