import { canonicalTools } from '@tenterhook/dialects/parts';
import type { HookLoss, PortableSubject } from './portable-hook.js';
import { mcpName } from './read-tools.js';
import { alsoCovered, spelledNames, type ToolSpelling } from './tool-spelling.js';

/** The names in a dialect, in which `*` matches any text. */
export interface WrittenSubjects {
  readonly globs: readonly string[];
  readonly losses: readonly HookLoss[];
}

type Written = WrittenSubjects | { readonly cannot: string };

export function writeTools(subjects: readonly PortableSubject[], spelling: ToolSpelling): Written {
  const parts = [
    writeNamed(
      subjects.flatMap((subject) => (subject.kind === 'tool' && subject.name !== '*' ? [subject.name] : [])),
      spelling,
    ),
    subjects.some((subject) => subject.kind === 'tool' && subject.name === '*') ? writeAllOwn(spelling) : nothing,
    writeOfServers(
      subjects.filter((subject) => subject.kind === 'mcp'),
      spelling,
    ),
  ];
  const globs: string[] = [];
  const losses: HookLoss[] = [];
  for (const part of parts) {
    if ('cannot' in part) return part;
    globs.push(...part.globs);
    losses.push(...part.losses);
  }
  return { globs: [...new Set(globs)], losses };
}

const nothing: Written = { globs: [], losses: [] };

function writeNamed(canonical: readonly string[], spelling: ToolSpelling): Written {
  const { ownStart = '', agent } = spelling;
  const spelled = canonical.map((name) => ({ name, ...spelledNames(name, spelling) }));
  const names = spelled.flatMap((tool) => tool.names);
  const unknown = spelled.filter(({ isKnown }) => !isKnown).map(({ name }) => name);
  const covered = alsoCovered(canonical, names, spelling);
  return {
    globs: names.map((name) => `${ownStart}${name}`),
    losses: [
      ...(unknown.length === 0 ? [] : [loss(`${quoted(unknown)} is not a known tool of ${agent}. The name is kept unchanged.`)]),
      ...(covered.length === 0 ? [] : [loss(`The hook also runs for ${quoted(covered)}, because the name in ${agent} is the same.`)]),
    ],
  };
}

/**
 * Writes the subject "all of the agent's own tools". If the names of these tools have no common prefix, all known tools are listed,
 * also those of other agents.
 */
function writeAllOwn(spelling: ToolSpelling): Written {
  const { ownStart = '', agent } = spelling;
  if (ownStart !== '') return { globs: [`${ownStart}*`], losses: [] };
  const canonical = Object.values(canonicalTools).flatMap(({ names }) => names);
  const message = `${agent} has no matcher for all of its own tools; only the known tools are written.`;
  return { globs: canonical.flatMap((name) => spelledNames(name, spelling).names), losses: [loss(message)] };
}

function writeOfServers(tools: readonly Extract<PortableSubject, { kind: 'mcp' }>[], { ownStart = '', agent, mcp }: ToolSpelling): Written {
  const ofAny = ownStart === '' ? [] : tools.filter(({ server }) => server === '*');
  if (ofAny.some(({ tool }) => tool === '*'))
    return { cannot: `${agent} has no matcher that selects the tools of all MCP servers but not its own tools.` };
  const ofOne = mcp[0].isWithoutServer ? tools.filter(({ server }) => server !== '*') : [];
  return {
    globs: tools.map((tool) => mcpName(tool, mcp[0])),
    losses: [
      ...(ofAny.length === 0 ? [] : [loss(`The hook also runs for ${agent}'s own tools with such a name.`)]),
      ...(ofOne.length === 0
        ? []
        : [loss(`The hook also runs for tools of other servers with such a name: ${agent} has no servers in matchers.`)]),
    ],
  };
}

function loss(message: string): HookLoss {
  return { field: 'matcher', message };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
