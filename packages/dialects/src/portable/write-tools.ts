import type { HookLoss, PortableSubject } from '@tenterhook/protocol';
import { canonicalTools } from '../tools/canonical-tools.js';
import { mcpName } from './mcp-globs.js';
import { alsoCovered, knownTools, spelledNames, type ToolSpelling } from './tool-spelling.js';

/** Texts of a dialect in which `*` stands for any text. */
export interface WrittenSubjects {
  readonly globs: readonly string[];
  readonly losses: readonly HookLoss[];
}

/** The tools that a matcher is for, as the dialect spells them. */
export function writeTools(subjects: readonly PortableSubject[], spelling: ToolSpelling): WrittenSubjects | { readonly cannot: string } {
  const { ownStart = '', agent } = spelling;
  const named = subjects.flatMap((subject) => (subject.kind === 'tool' && subject.name !== '*' ? [subject.name] : []));
  const servers = subjects.filter((subject) => subject.kind === 'mcp');
  const isAllOwn = subjects.some((subject) => subject.kind === 'tool' && subject.name === '*');
  if (ownStart !== '' && servers.some(({ server, tool }) => server === '*' && tool === '*')) {
    return { cannot: `${agent} has no matcher for the tools of all servers but its own.` };
  }
  const losses: HookLoss[] = [];
  const own: string[] = [];
  if (isAllOwn) {
    own.push(...(ownStart === '' ? knownTools(spelling) : [`${ownStart}*`]));
    if (ownStart === '') losses.push(matcherLoss(`${agent} has no matcher for all of its own tools; written are those that are known.`));
  }
  const spelled = named.map((name) => ({ name, ...spelledNames(name, spelling) }));
  own.push(...spelled.flatMap(({ names }) => names).map((name) => `${ownStart}${name}`));
  const unknown = spelled.filter(({ isKnown }) => !isKnown).map(({ name }) => name);
  if (unknown.length > 0) losses.push(matcherLoss(`${agent} is not known to have ${quoted(unknown)}; the name is kept as it is.`));
  const covered = alsoCovered(
    isAllOwn ? allCanonical() : named,
    spelled.flatMap(({ names }) => names),
    spelling,
  );
  if (covered.length > 0) losses.push(matcherLoss(`It also runs for ${quoted(covered)}, which ${agent} does not tell apart.`));
  const ofServers = servers.map((subject) => mcpName(subject, spelling.mcp[0]));
  if (ownStart !== '' && servers.some(({ server }) => server === '*')) {
    losses.push(matcherLoss(`It also runs for tools of ${agent}'s own that have such a name.`));
  }
  return { globs: [...new Set([...own, ...ofServers])], losses };
}

function allCanonical(): string[] {
  return Object.values(canonicalTools).flatMap(({ names }) => names);
}

function matcherLoss(message: string): HookLoss {
  return { field: 'matcher', message };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
