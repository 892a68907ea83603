import { coreOf, fitting, hasStar } from './glob-text.js';
import { mcpSubjectsOf } from './mcp-globs.js';
import type { HookLoss, PortableSubject } from './portable-hook.js';
import { canonicalNames, knownTools, type ToolSpelling } from './tool-spelling.js';

/** A matcher that is more than "everything", as its dialect reads it. */
export interface PatternText {
  readonly text: string;
  /** The same as texts in which `*` stands for any text; undefined where it says more than such a list. */
  readonly globs: readonly string[] | undefined;
  fits(name: string): boolean;
}

export interface ReadSubjects {
  readonly subjects: readonly PortableSubject[];
  readonly losses: readonly HookLoss[];
}

/** The tools that a pattern is for. What it fits beyond those that the tables know is a loss; MCP tools are told by their parts. */
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
  // Nobody knows a tool of this name, but whoever wrote it does. What was written as a pattern is no name: made into one, it would fit nothing.
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
