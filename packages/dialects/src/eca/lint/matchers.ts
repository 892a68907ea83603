import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { canonicalTools } from '../../shared/tools/canonical-tools.js';
import { namesElsewhere, type ToolTable } from '../../shared/tools/tool-table.js';
import { ecaTools } from '../tools.js';

/** What Claude Code and agents like it call these tools: users copy matchers from there. */
const foreignTools: ToolTable = {
  shell: { names: ['Bash', 'Shell'] },
  read: { names: ['Read'] },
  write: { names: ['Write'] },
  edit: { names: ['Edit', 'MultiEdit'] },
  list: { names: ['LS'] },
  search: { names: ['Grep'] },
  subagent: { names: ['Agent', 'Task'] },
};

interface Doubt {
  readonly severity: 'warning' | 'note';
  readonly why: string;
  /** The pattern that was probably meant. */
  readonly instead: string;
}

/** Reports a matcher that compiles but is most likely a mistake: the names and globs of other agents. */
export function reportDoubtfulMatcher(pattern: string, place: DocumentPath, eventName: HookEventName, reporter: Reporter): void {
  const doubt = findDoubt(pattern);
  if (doubt === undefined) return;
  const { severity, why, instead } = doubt;
  reporter.report('unmatched_matcher', severity, place, `${formatValue(pattern)} ${why}`, { remedy: `Write "${instead}".`, eventName });
}

function findDoubt(pattern: string): Doubt | undefined {
  if (pattern === '') return { severity: 'warning', why: 'matches no tool: it must match the whole of server__tool.', instead: '.*' };
  const names = /^[\w|-]+$/.test(pattern) ? pattern.split('|') : [];
  if (names.length > 0 && names.every((name) => !name.includes('__'))) {
    const why = 'cannot match a tool: it is compared with the whole of server__tool, and names no server.';
    return { severity: 'warning', why, instead: names.map(patternForName).join('|') };
  }
  if (/__\*/.test(pattern)) {
    const why = 'is a regular expression, in which "_*" means any number of "_"; it looks like a glob.';
    return { severity: 'warning', why, instead: pattern.replaceAll('__*', '__.*') };
  }
  if (!pattern.startsWith('mcp__')) return undefined;
  const why = 'begins with mcp__, which only other agents put before server__tool.';
  return { severity: 'note', why, instead: pattern.slice('mcp__'.length) };
}

/** The pattern for a tool, given its name without a server, in the words of any agent. */
function patternForName(name: string): string {
  if (name === 'eca') return 'eca__.*';
  const bare = name.replace(/^eca_/, '');
  const [known] = [foreignTools, canonicalTools, ecaTools].flatMap((table) => namesElsewhere(bare, table, ecaTools));
  if (known !== undefined) return `eca__${known}`;
  return bare !== name ? `eca__${bare}` : `.*__${name}`;
}
