import type { PortableSubject } from './portable-hook.js';
import type { McpSpelling } from './tool-spelling.js';

type McpSubject = Extract<PortableSubject, { kind: 'mcp' }>;

/** Shorter beginnings are those of other words. */
const shortestStart = 3;

/** The tools of MCP servers that a text with `*` in it names, in every way in which it can be taken apart; undefined where it names none. */
export function mcpSubjectsOf(glob: string, spellings: readonly McpSpelling[]): McpSubject[] | undefined {
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
