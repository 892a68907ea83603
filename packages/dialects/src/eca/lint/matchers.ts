import type { PatternError } from '@tenterhook/patterns';
import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { MatcherPlace } from '../../shared/lint/plain-matcher.js';
import { explainInvalidMatcher, reportToolMatcher } from '../../shared/lint/tool-matcher.js';
import { formatValue } from '../../shared/text.js';
import { namesInstead } from '../../shared/tools/names-instead.js';
import { ecaTools } from '../tools.js';

const ownNames = Object.values(ecaTools).flatMap(({ names }) => [...names]);

/** The tool names that matchers of this format are compared with. The names of the host's own tools begin with ECA's server name. */
const tools: MatchedTools = {
  agent: 'ECA',
  table: ecaTools,
  known: ownNames.map((name) => `eca__${name}`),
  isWhole: true,
  exactly: (names) => names.map((name) => (name.includes('__') ? name : `eca__${name}`)).join('|'),
};

export function explainError(pattern: string, error: PatternError): PatternError {
  return explainInvalidMatcher(pattern, error, tools);
}

interface Doubt {
  readonly severity: 'warning' | 'note';
  readonly why: string;
  /** The pattern that the user probably meant. */
  readonly instead: string;
}

/** Reports a valid matcher that is probably a mistake. */
export function reportDoubtfulMatcher(pattern: string, test: (subject: string) => boolean, at: MatcherPlace): void {
  const doubt = findDoubt(pattern);
  if (doubt === undefined) {
    reportToolMatcher(pattern, test, at, tools);
    return;
  }
  const { severity, why, instead } = doubt;
  const { place, reporter, eventName } = at;
  reporter.report('unmatched_matcher', severity, place, `${formatValue(pattern)} ${why}`, { remedy: `Write "${instead}".`, eventName });
}

function findDoubt(pattern: string): Doubt | undefined {
  if (pattern === '') return { severity: 'warning', why: 'matches no tool: it must match the whole of server__tool.', instead: '.*' };
  const names = /^[\w|-]+$/.test(pattern) ? pattern.split('|') : [];
  if (names.length > 0 && names.every((name) => !name.includes('__'))) {
    const why = 'cannot match a tool: it must match the whole of server__tool, and contains no server.';
    return { severity: 'warning', why, instead: names.map(patternForName).join('|') };
  }
  if (!pattern.startsWith('mcp__')) return undefined;
  const why = 'begins with mcp__, a prefix of other agents. The names of ECA have the form server__tool.';
  return { severity: 'note', why, instead: pattern.slice('mcp__'.length) };
}

/** Returns the pattern for a tool. `name` is its name in any agent, without a server. */
function patternForName(name: string): string {
  if (name === 'eca') return 'eca__.*';
  const bare = name.replace(/^eca_/, '');
  const [known] = namesInstead(bare, ecaTools, ownNames);
  if (known !== undefined) return `eca__${known}`;
  return bare !== name || ownNames.includes(bare) ? `eca__${bare}` : `.*__${name}`;
}
