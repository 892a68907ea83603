import { coreOf, fitting, hasStar } from './globs.js';
import type { HookLoss, PortableSubject } from './portable-hook.js';
import { canonicalNames, knownTools, type McpSpelling, type ToolSpelling } from './tool-spelling.js';

/** A matcher that is more than "everything", as its dialect reads it. */
export interface PatternText {
  readonly text: string;
  /** The same as texts in which `*` means any text; undefined where it says more than such a list. */
  readonly globs: readonly string[] | undefined;
  fits(name: string): boolean;
}

export interface ReadSubjects {
  readonly subjects: readonly PortableSubject[];
  readonly losses: readonly HookLoss[];
}

/** The tools that a pattern is for. What it fits beyond those that the tables know is a loss; MCP tools are recognised by the parts of their names. */
export function readTools(pattern: PatternText, spelling: ToolSpelling): ReadSubjects | { readonly cannot: string } {
  const known = knownTools(spelling);
  const parts = pattern.globs?.map((glob) => readGlob(glob, known, spelling, pattern.text)) ?? [
    { subjects: toolsNamed(known.filter(pattern.fits), spelling), isOpen: true },
  ];
  const subjects = distinct(parts.flatMap((part) => part.subjects));
  if (subjects.length === 0) return { cannot: `Its matcher ${JSON.stringify(pattern.text)} fits none of the tools that are known.` };
  const strange = distinct(parts.flatMap((part) => (part.isStrange ? part.subjects : [])));
  const open = distinct(parts.flatMap((part) => (part.isOpen && !part.isStrange ? part.subjects : [])));
  return { subjects, losses: [...narrowed(pattern.text, open), ...unknown(pattern.text, strange)] };
}

interface ReadGlob {
  readonly subjects: readonly PortableSubject[];
  /** It may fit tools that are not among the subjects. */
  readonly isOpen: boolean;
  /** It fits none of the tools that are known. */
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
  // No table has a tool of this name, but its author may. What was written as a pattern stays a pattern: as a name it would match nothing.
  const meant = /^[\w|-]+$/.test(text) ? coreOf(glob) : glob;
  return { subjects: /\w/.test(meant) ? toolsNamed([meant], spelling) : [], isOpen: true, isStrange: true };
}

/** Where every tool has its server before it, the agent's own too. */
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
  const written = `Written are the tools it fits among those that are known: ${namesOf(subjects)}.`;
  return [{ field: 'matcher', message: `The pattern ${JSON.stringify(text)} fits any name like it. ${written}` }];
}

function unknown(text: string, subjects: readonly PortableSubject[]): HookLoss[] {
  if (subjects.length === 0) return [];
  const message = `No known tool fits the pattern ${JSON.stringify(text)}, or this part of it; it is written as it is: ${namesOf(subjects)}.`;
  return [{ field: 'matcher', message }];
}

function namesOf(subjects: readonly PortableSubject[]): string {
  return subjects.flatMap((subject) => (subject.kind === 'tool' ? [subject.name] : [])).join(', ');
}

function distinct(subjects: readonly PortableSubject[]): PortableSubject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

type McpSubject = Extract<PortableSubject, { kind: 'mcp' }>;

/** Shorter beginnings are those of other words. */
const shortestStart = 3;

/** The tools of MCP servers that a text with `*` in it names, in every way in which it can be taken apart; undefined where it names none. */
function mcpSubjectsOf(glob: string, spellings: readonly McpSpelling[]): McpSubject[] | undefined {
  // The longer start first: `mcp_` begins `mcp__` as well. Then patterns that end within a start: `mcp.*`.
  const longestFirst = [...spellings].sort((a, b) => b.start.length - a.start.length);
  for (const rest of [behind, behindPartOf]) {
    for (const { start, separator } of longestFirst) {
      const text = rest(glob, start);
      const subjects = text === undefined ? [] : splitAt(separator, text, start !== '');
      if (subjects.length > 0) return subjects;
    }
  }
  return undefined;
}

export function mcpName({ server, tool }: McpSubject, { start, separator }: McpSpelling): string {
  return `${start}${server}${separator}${tool}`;
}

/** What follows the start. Nothing else has it in its name, so that it may be searched for. */
function behind(glob: string, start: string): string | undefined {
  const text = start !== '' && glob.startsWith('*') ? glob.slice(1) : glob;
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}

function behindPartOf(glob: string, start: string): string | undefined {
  const text = glob.startsWith('*') ? glob.slice(1) : glob;
  const star = text.indexOf('*');
  return star >= shortestStart && start.startsWith(text.slice(0, star)) ? text.slice(star) : undefined;
}

/** At every separator, because servers and tools may have one in their names. `isMcp`: it is known to be one, so that a `*` may hide it. */
function splitAt(separator: string, rest: string, isMcp: boolean): McpSubject[] {
  const found: McpSubject[] = [];
  for (let at = rest.indexOf(separator, 1); at > 0; at = rest.indexOf(separator, at + 1)) {
    const [server, tool] = [rest.slice(0, at), rest.slice(at + separator.length)];
    if (tool !== '') found.push({ kind: 'mcp', server, tool });
  }
  if (found.length > 0 || !isMcp) return found;
  return [...rest.matchAll(/\*/g)].map(({ index }) => ({ kind: 'mcp', server: rest.slice(0, index + 1), tool: rest.slice(index) }));
}
