import { compileWildcard } from '@tenterhook/patterns';
import { formatValue } from '../../../shared/text.js';
import { factsOf } from '../../input/event-table.js';
import type { HandlerContext } from '../../settings/parse-context.js';
import { compilePathRule, type RuleRoots, reaches } from './path-rule.js';
import { compileShellRule, shellLineOf } from './shell-rule.js';

/** The permission rule in `if`, as text and compiled. */
export interface Condition {
  readonly text: string;
  /** Tests a tool call. Missing on events without a tool call: the condition is then always false. */
  readonly fits?: (call: RuledCall) => boolean;
}

/** A tool call with the names that Claude Code's hooks use. */
export interface RuledCall {
  /** All names of the tool. */
  readonly names: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  /**
   * The key under which the parsed command line is cached. It must be the same object for all rules that are tested on this call.
   * @default input
   */
  readonly origin?: object;
}

export type PermissionRule =
  | { readonly ok: true; readonly fits: (call: RuledCall) => boolean }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** Tools that a rule also covers, by the tool that the rule names. */
const relatedTools: Readonly<Record<string, readonly string[]>> = {
  Edit: ['Write', 'NotebookEdit', 'MultiEdit'],
  Read: ['Glob', 'Grep', 'NotebookRead'],
  Agent: ['Task'],
  Task: ['Agent'],
};

/** The maximum number of characters and of stars in a rule. The time to compare a rule with a call grows with both. */
const maxRuleLength = 1000;
const maxStars = 10;

const example = 'Write a rule such as "Bash(git push *)" or "Edit(src/**)".';

/**
 * Reads the condition of a hook. An invalid condition is reported and dropped. The hook then runs for every call, because it may be
 * a guard.
 */
export function conditionField(
  value: unknown,
  roots: RuleRoots,
  { reporter, path, event, eventName, hookId }: HandlerContext,
): Condition | undefined {
  if (value === undefined || value === '') return undefined;
  const place = [...path, 'if'];
  const about = { eventName, hookId };
  if (typeof value !== 'string') {
    const message = `"if" must be a permission rule, and is ${formatValue(value)}; it is ignored, and the hook runs without a condition.`;
    reporter.report('invalid_condition', 'error', place, message, { remedy: 'Write a rule such as "Bash(git push *)".', ...about });
    return undefined;
  }
  if (factsOf(event).ofTool !== true) {
    const message = `"if" needs a tool call, and ${event} has none; the hook never runs.`;
    reporter.report('invalid_condition', 'error', place, message, { remedy: 'Remove the condition, and decide in the hook.', ...about });
    return { text: value };
  }
  // A rule for paths is compiled to two patterns: one for the path itself, and one for the files below it.
  reporter.countPattern(2 * value.length, place);
  const rule = compilePermissionRule(value, roots);
  if (rule.ok) return { text: value, fits: rule.fits };
  reporter.report('invalid_condition', 'error', place, `${rule.message}; it is ignored, and the hook runs without a condition.`, {
    remedy: rule.remedy,
    ...about,
  });
  return undefined;
}

/** Compiles a permission rule of Claude Code: `Tool` or `Tool(specifier)`. The tool determines what the specifier means. */
export function compilePermissionRule(text: string, roots: RuleRoots): PermissionRule {
  const cost = findCost(text);
  if (cost !== undefined) return { ok: false, message: cost, remedy: 'Write several hooks with a shorter rule each.' };
  const [, name, , specifier] = /^\s*([A-Za-z_][\w*-]*)\s*(\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (name === undefined) return { ok: false, message: `"if" must be a permission rule, and is ${JSON.stringify(text)}`, remedy: example };
  const names = [name, ...(Object.hasOwn(relatedTools, name) ? (relatedTools[name] as readonly string[]) : [])];
  const fitsTool = compileToolTest(names);
  if (specifier === undefined || specifier === '' || specifier === '*') return { ok: true, fits: (call) => call.names.some(fitsTool) };
  const fitsInput = compileInputTest(name, specifier, roots);
  if ('problem' in fitsInput) return { ok: false, message: fitsInput.problem, remedy: fitsInput.remedy };
  return { ok: true, fits: (call) => call.names.some(fitsTool) && fitsInput.test(call) };
}

/**
 * Returns an error message for a rule that is too long: the comparison could block the agent. Adjacent stars, as in `**`, count as
 * one star.
 */
function findCost(text: string): string | undefined {
  if (text.length > maxRuleLength) return `"if" has ${text.length} characters, and a rule may have at most ${maxRuleLength}`;
  const stars = text.match(/\*+/g)?.length ?? 0;
  return stars > maxStars ? `"if" has ${stars} stars, and a rule may have at most ${maxStars}` : undefined;
}

/** Compiles the test of a tool name. The name of an MCP server covers all tools of the server. */
function compileToolTest(names: readonly string[]): (name: string) => boolean {
  const tests = names.flatMap((name) => {
    const isServer = /^mcp__(?:(?!__).)+$/.test(name);
    return [compileWildcard(name), ...(isServer ? [compileWildcard(`${name}__*`)] : [])];
  });
  return (name) => tests.some((test) => test(name));
}

type InputTest = { readonly test: (call: RuledCall) => boolean } | { readonly problem: string; readonly remedy: string };

function compileInputTest(name: string, specifier: string, roots: RuleRoots): InputTest {
  switch (name) {
    case 'Bash':
    case 'PowerShell': {
      // On every platform, PowerShell treats upper and lower case alike.
      const fits = compileShellRule(specifier, roots.ignoreCase || name === 'PowerShell');
      return { test: ({ input, origin = input }) => fitsText(input['command'], (line) => fits(shellLineOf(line, origin))) };
    }
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
    case 'MultiEdit':
    case 'Read':
    case 'Glob':
    case 'Grep': {
      const rule = compilePathRule(specifier, roots);
      if (!rule.ok) return { problem: `"if" contains an invalid path: ${rule.error.message}`, remedy: rule.error.remedy };
      return { test: ({ input, cwd }) => reaches(input, cwd, rule) };
    }
    case 'WebFetch': {
      const domain = /^domain:(.+)$/.exec(specifier)?.[1];
      if (domain === undefined)
        return {
          problem: `"if" contains ${JSON.stringify(specifier)}, which is not a domain`,
          remedy: 'Write "WebFetch(domain:example.com)".',
        };
      const fits = compileWildcard(domain.toLowerCase());
      return { test: ({ input }) => fitsText(input['url'], (url) => getHosts(url).some(fits)) };
    }
    case 'Agent':
    case 'Task': {
      const fits = compileWildcard(specifier);
      return { test: ({ input }) => fitsText(input['subagent_type'], fits) };
    }
    default:
      return {
        problem: `"if" has a condition on the arguments of ${name} that Tenterhook cannot check`,
        remedy: `Write "${name}" alone, or a matcher, and decide in the hook.`,
      };
  }
}

/** Tests a value of a call. A value that is missing or not a string counts as a match, because the call may be harmful. */
function fitsText(value: unknown, fits: (text: string) => boolean): boolean {
  return typeof value !== 'string' || fits(value);
}

/** Every supported runtime has `URL`, but the TypeScript libraries of this package do not declare it. */
declare const URL: new (url: string) => { readonly hostname: string };

/** The maximum number of characters. A longer text is not treated as a URL. */
const maxUrlLength = 10_000;

/** Returns the hosts that a URL may lead to: the host that a URL parser finds, and the host that a person reads in the text. */
function getHosts(url: string): string[] {
  const looks =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:\\]*)/i.exec(url.trim())?.[1] ?? url.trim().split(/[/?#:\\]/)[0] ?? '';
  const within = [...url.slice(0, maxUrlLength).matchAll(/https?:\/\/[^\s>"']+/gi)].flatMap(([text]) => parseHost(text));
  return [...new Set([looks, ...within, ...parseHost(url), ...parseHost(`https://${url.trim()}`)])].map((host) =>
    host.toLowerCase().replace(/\.$/, ''),
  );
}

function parseHost(url: string): string[] {
  try {
    return [new URL(url).hostname];
  } catch {
    return [];
  }
}
