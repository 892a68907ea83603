import { canonicalTools, kindsNamed, namesElsewhere, type ToolTable } from '@tenterhook/dialects/parts';

/** How names of MCP tools are composed: `mcp__` server `__` tool. */
export interface McpSpelling {
  readonly start: string;
  readonly separator: string;
}

/** How the matchers of a dialect spell tools. */
export interface ToolSpelling {
  /** The display name of the agent. */
  readonly agent: string;
  readonly table: ToolTable;
  /** The prefix of the names of the agent's own tools. @default none */
  readonly ownStart?: string;
  /** The first is used for writing, all for reading. */
  readonly mcp: readonly [McpSpelling, ...McpSpelling[]];
}

/** The names of LLxprt and Gemini, which are the canonical ones. */
function isCanonical({ table }: ToolSpelling): boolean {
  return table === canonicalTools;
}

/** All names of a table. */
export function namesIn(table: ToolTable): readonly string[] {
  return [...new Set(Object.values(table).flatMap(({ names }) => names))];
}

/** The names of the agent's own tools in the tables, in the spelling of the dialect. */
export function knownTools({ table, ownStart = '' }: ToolSpelling): readonly string[] {
  return namesIn(table).map((name) => `${ownStart}${name}`);
}

/** The canonical names of a tool with this name in the dialect, without the prefix; the name itself if no table has it. */
export function canonicalNames(name: string, spelling: ToolSpelling): readonly string[] {
  const names = isCanonical(spelling) ? [] : namesElsewhere(name, spelling.table, canonicalTools);
  return names.length === 0 ? [name] : names;
}

/** The dialect's names of a canonical tool, and whether the dialect is known to have it. */
export function spelledNames(name: string, spelling: ToolSpelling): { readonly names: readonly string[]; readonly isKnown: boolean } {
  const { table } = spelling;
  if (isCanonical(spelling)) return { names: [name], isKnown: kindsNamed(name, table).length > 0 };
  const names = namesElsewhere(name, canonicalTools, table);
  return names.length > 0 ? { names, isKnown: true } : { names: [name], isKnown: kindsNamed(name, table).length > 0 };
}

/** What else these names mean in the dialect: canonical names of further kinds of tools. */
export function alsoCovered(canonical: readonly string[], spelled: readonly string[], spelling: ToolSpelling): readonly string[] {
  if (isCanonical(spelling)) return [];
  const meant = new Set(canonical.flatMap((name) => kindsNamed(name, canonicalTools)));
  const covered = new Set(spelled.flatMap((name) => kindsNamed(name, spelling.table)));
  return [...covered].filter((kind) => !meant.has(kind)).flatMap((kind) => canonicalTools[kind]?.names[0] ?? []);
}
