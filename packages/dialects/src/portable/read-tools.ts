import type { HookLoss, PortableSubject } from '@tenterhook/protocol';
import { coreOf, fitting, hasStar } from './glob-text.js';
import { mcpSubjectsOf } from './mcp-globs.js';
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
  const parts = pattern.globs?.map((glob) => readGlob(glob, known, spelling)) ?? [
    { subjects: toolsNamed(known.filter(pattern.fits), spelling), isOpen: true },
  ];
  const subjects = distinct(parts.flatMap((part) => part.subjects));
  if (subjects.length === 0) return { cannot: `Its matcher ${JSON.stringify(pattern.text)} fits none of the tools that are known.` };
  const isOpen = parts.some((part) => part.isOpen);
  return { subjects, losses: isOpen ? [narrowed(pattern.text, subjects)] : [] };
}

interface ReadGlob {
  readonly subjects: readonly PortableSubject[];
  /** It may fit tools that are not among the subjects. */
  readonly isOpen: boolean;
}

function readGlob(glob: string, known: readonly string[], spelling: ToolSpelling): ReadGlob {
  const { ownStart = '', mcp } = spelling;
  if (ownStart !== '') return readPrefixed(glob, known, spelling);
  const ofServers = mcpSubjectsOf(glob, mcp);
  return ofServers === undefined ? readOwn(glob, known, spelling) : { subjects: ofServers, isOpen: false };
}

function readOwn(glob: string, known: readonly string[], spelling: ToolSpelling): ReadGlob {
  if (!hasStar(glob)) return { subjects: toolsNamed([glob], spelling), isOpen: false };
  const names = fitting(glob, known);
  const core = coreOf(glob);
  // Nobody knows a tool of this name, but whoever wrote it does.
  const meant = names.length === 0 && /^[\w-]+$/.test(core) ? [core] : names;
  return { subjects: toolsNamed(meant, spelling), isOpen: true };
}

/** Where every tool has its server before it, the agent's own too. */
function readPrefixed(glob: string, known: readonly string[], spelling: ToolSpelling): ReadGlob {
  const { ownStart = '', mcp } = spelling;
  if (glob.startsWith(ownStart)) {
    const name = glob.slice(ownStart.length);
    if (name === '*') return { subjects: [{ kind: 'tool', name }], isOpen: false };
    return readOwn(glob, known, spelling);
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

function narrowed(text: string, subjects: readonly PortableSubject[]): HookLoss {
  const names = subjects.flatMap((subject) => (subject.kind === 'tool' ? [subject.name] : []));
  const message = `The pattern ${JSON.stringify(text)} fits any name like it. Written are the tools it fits among those that are known: ${names.join(', ')}.`;
  return { field: 'matcher', message };
}

function distinct(subjects: readonly PortableSubject[]): PortableSubject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}
