import { coreOf, fitting, hasStar } from './globs.js';
import type { HookLoss, PortableSubject } from './portable-hook.js';
import { canonicalNames, knownTools, type McpSpelling, type ToolSpelling } from './tool-spelling.js';

/** A matcher of a dialect that does not match everything. */
export interface PatternText {
  readonly text: string;
  /** The names that the pattern matches, with `*` for any text. Undefined if no list of such names expresses the pattern. */
  readonly globs: readonly string[] | undefined;
  fits(name: string): boolean;
}

export interface ReadSubjects {
  readonly subjects: readonly PortableSubject[];
  readonly losses: readonly HookLoss[];
}

/**
 * Converts a pattern into the tools that it matches. MCP tools are recognised by their prefix. If the pattern may also match
 * unknown tools, the result has a loss that reports this.
 */
export function readTools(pattern: PatternText, spelling: ToolSpelling): ReadSubjects | { readonly cannot: string } {
  const known = knownTools(spelling);
  const parts = pattern.globs?.map((glob) => readGlob(glob, known, spelling, pattern.text)) ?? [
    { subjects: toolsNamed(known.filter(pattern.fits), spelling), isOpen: true },
  ];
  const subjects = distinct(parts.flatMap((part) => part.subjects));
  if (subjects.length === 0) return { cannot: `Its matcher ${JSON.stringify(pattern.text)} matches none of the known tools.` };
  const strange = distinct(parts.flatMap((part) => (part.isStrange ? part.subjects : [])));
  const open = distinct(parts.flatMap((part) => (part.isOpen && !part.isStrange ? part.subjects : [])));
  return { subjects, losses: [...narrowed(pattern.text, open), ...unknown(pattern.text, strange)] };
}

interface ReadGlob {
  readonly subjects: readonly PortableSubject[];
  /** Whether the pattern may match tools that are not among the subjects. */
  readonly isOpen: boolean;
  /** Whether the pattern matches none of the known tools. */
  readonly isStrange?: true;
}

function readGlob(glob: string, known: readonly string[], spelling: ToolSpelling, text: string): ReadGlob {
  const { ownStart = '', mcp } = spelling;
  if (ownStart !== '') return readPrefixed(glob, known, spelling, text);
  const ofServers = mcpSubjectsOf(glob, mcp);
  return ofServers === undefined ? readOwn(glob, known, spelling, text) : { subjects: ofServers, isOpen: false };
}

function readOwn(glob: string, known: readonly string[], spelling: ToolSpelling, text: string): ReadGlob {
  if (!hasStar(glob)) return { subjects: toolsNamed([glob], spelling), isOpen: false };
  const names = fitting(glob, known);
  if (names.length > 0) return { subjects: toolsNamed(names, spelling), isOpen: true };
  // No table has a tool of this name, but the agent may have one. So a plain word is used as the tool's name, and any other pattern
  // is kept unchanged.
  const meant = /^[\w|-]+$/.test(text) ? coreOf(glob) : glob;
  return { subjects: /\w/.test(meant) ? toolsNamed([meant], spelling) : [], isOpen: true, isStrange: true };
}

/** Reads a name in a dialect in which every name begins with a server, also those of the agent's own tools: `eca__read_file`. */
function readPrefixed(glob: string, known: readonly string[], spelling: ToolSpelling, text: string): ReadGlob {
  const { ownStart = '', mcp } = spelling;
  if (glob.startsWith(ownStart)) {
    const name = glob.slice(ownStart.length);
    if (name === '*') return { subjects: [{ kind: 'tool', name }], isOpen: false };
    return readOwn(glob, known, spelling, text);
  }
  const own = toolsNamed(fitting(glob, known), spelling);
  const ofServers = mcpSubjectsOf(glob, mcp) ?? (hasStar(glob) ? [{ kind: 'mcp' as const, server: '*', tool: glob }] : []);
  return { subjects: [...own, ...ofServers], isOpen: false };
}

function toolsNamed(names: readonly string[], spelling: ToolSpelling): PortableSubject[] {
  const { ownStart = '' } = spelling;
  const canonical = names.flatMap((name) => canonicalNames(name.startsWith(ownStart) ? name.slice(ownStart.length) : name, spelling));
  return canonical.map((name) => ({ kind: 'tool', name }));
}

function narrowed(text: string, subjects: readonly PortableSubject[]): HookLoss[] {
  if (subjects.length === 0) return [];
  const written = `Only the known tools that it matches are written: ${namesOf(subjects)}.`;
  return [{ field: 'matcher', message: `The pattern ${JSON.stringify(text)} can also match tools that are not known. ${written}` }];
}

function unknown(text: string, subjects: readonly PortableSubject[]): HookLoss[] {
  if (subjects.length === 0) return [];
  const message = `In the pattern ${JSON.stringify(text)}, these parts match no known tool. They are written unchanged: ${namesOf(subjects)}.`;
  return [{ field: 'matcher', message }];
}

function namesOf(subjects: readonly PortableSubject[]): string {
  return subjects.flatMap((subject) => (subject.kind === 'tool' ? [subject.name] : [])).join(', ');
}

function distinct(subjects: readonly PortableSubject[]): PortableSubject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

type McpSubject = Extract<PortableSubject, { kind: 'mcp' }>;

/**
 * The minimum number of characters before the `*` in a pattern such as `mcp*`. Fewer characters could be the start of another word
 * than `mcp`.
 */
const shortestStart = 3;

/**
 * Returns the MCP tools that a text with `*` may mean: one for each way to split the text into server and tool. Returns undefined
 * if it cannot mean an MCP tool.
 */
function mcpSubjectsOf(glob: string, spellings: readonly McpSpelling[]): McpSubject[] | undefined {
  // Longer prefixes are tried first, because `mcp_` is also the beginning of `mcp__`. A pattern that ends within a prefix, such as
  // `mcp.*`, is tried last.
  const longestFirst = [...spellings].sort((a, b) => b.start.length - a.start.length);
  for (const rest of [behind, behindPartOf]) {
    for (const { start, separator, isWithoutServer } of longestFirst) {
      const text = rest(glob, start);
      if (text !== undefined && isWithoutServer) return [{ kind: 'mcp', server: '*', tool: text }];
      const subjects = text === undefined ? [] : splitAt(separator, text, start !== '');
      if (subjects.length > 0) return subjects;
    }
  }
  return undefined;
}

export function mcpName({ server, tool }: McpSubject, { start, separator, isWithoutServer }: McpSpelling): string {
  return isWithoutServer ? `${start}${tool}` : `${start}${server}${separator}${tool}`;
}

/** Returns the text after the prefix. A `*` before the prefix is ignored, because names contain the prefix only at their start. */
function behind(glob: string, start: string): string | undefined {
  const text = start !== '' && glob.startsWith('*') ? glob.slice(1) : glob;
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}

function behindPartOf(glob: string, start: string): string | undefined {
  const text = glob.startsWith('*') ? glob.slice(1) : glob;
  const star = text.indexOf('*');
  return star >= shortestStart && start.startsWith(text.slice(0, star)) ? text.slice(star) : undefined;
}

/**
 * Splits a text into server and tool in every possible way, because their names may contain the separator too. A text without a
 * separator may still mean an MCP tool (`isMcp`); a `*` in it may then match the separator.
 */
function splitAt(separator: string, rest: string, isMcp: boolean): McpSubject[] {
  const found: McpSubject[] = [];
  for (let at = rest.indexOf(separator, 1); at > 0; at = rest.indexOf(separator, at + 1)) {
    const [server, tool] = [rest.slice(0, at), rest.slice(at + separator.length)];
    if (tool !== '') found.push({ kind: 'mcp', server, tool });
  }
  if (found.length > 0 || !isMcp) return found;
  return [...rest.matchAll(/\*/g)].map(({ index }) => ({ kind: 'mcp', server: rest.slice(0, index + 1), tool: rest.slice(index) }));
}
