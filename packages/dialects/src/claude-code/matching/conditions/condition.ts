import { compileWildcard } from '@tenterhook/patterns';
import { hostsOf } from '../../conditions/hosts-of.js';
import { reaches } from '../../conditions/reached-files.js';
import { compilePathRule, type RuleRoots } from './path-rule.js';
import { compileShellRule } from './shell-rule.js';

/** A call of a tool as Claude Code's hooks know it. */
export interface RuledCall {
  /** Every name of the tool. */
  readonly names: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

export type PermissionRule =
  | { readonly ok: true; readonly fits: (call: RuledCall) => boolean }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** Tools that a rule of one name speaks of as well. */
const kin: Readonly<Record<string, readonly string[]>> = {
  Edit: ['Write', 'NotebookEdit', 'MultiEdit'],
  Read: ['Glob', 'Grep', 'NotebookRead'],
  Agent: ['Task'],
  Task: ['Agent'],
};

const example = 'Write a rule such as "Bash(git push *)" or "Edit(src/**)".';

/** `Tool` or `Tool(specifier)`, the form in which permissions are written as well. What a specifier means depends on the tool. */
export function compilePermissionRule(text: string, roots: RuleRoots): PermissionRule {
  const [, name, , specifier] = /^\s*([A-Za-z_][\w*-]*)\s*(\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (name === undefined) return { ok: false, message: `"if" is ${JSON.stringify(text)}, which is no permission rule`, remedy: example };
  const names = [name, ...(Object.hasOwn(kin, name) ? (kin[name] as readonly string[]) : [])];
  const fitsTool = toolTest(names);
  if (specifier === undefined || specifier === '' || specifier === '*') return { ok: true, fits: (call) => call.names.some(fitsTool) };
  const fitsInput = inputTest(name, specifier, roots);
  if ('problem' in fitsInput) return { ok: false, message: fitsInput.problem, remedy: fitsInput.remedy };
  return { ok: true, fits: (call) => call.names.some(fitsTool) && fitsInput.test(call) };
}

/** A server alone stands for all of its tools. */
function toolTest(names: readonly string[]): (name: string) => boolean {
  const tests = names.flatMap((name) => {
    const isServer = /^mcp__(?:(?!__).)+$/.test(name);
    return [compileWildcard(name), ...(isServer ? [compileWildcard(`${name}__*`)] : [])];
  });
  return (name) => tests.some((test) => test(name));
}

type InputTest = { readonly test: (call: RuledCall) => boolean } | { readonly problem: string; readonly remedy: string };

function inputTest(name: string, specifier: string, roots: RuleRoots): InputTest {
  switch (name) {
    case 'Bash':
    case 'PowerShell': {
      const fits = compileShellRule(specifier);
      return { test: ({ input }) => fitsText(input['command'], fits) };
    }
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
    case 'MultiEdit':
    case 'Read':
    case 'Glob':
    case 'Grep': {
      const rule = compilePathRule(specifier, roots);
      if (!rule.ok) return { problem: `"if" holds a path that cannot be read: ${rule.error.message}`, remedy: rule.error.remedy };
      return { test: ({ input, cwd }) => reaches(input, cwd, rule) };
    }
    case 'WebFetch': {
      const domain = /^domain:(.+)$/.exec(specifier)?.[1];
      if (domain === undefined)
        return { problem: `"if" holds ${JSON.stringify(specifier)}, which is no domain`, remedy: 'Write "WebFetch(domain:example.com)".' };
      const fits = compileWildcard(domain.toLowerCase());
      return { test: ({ input }) => fitsText(input['url'], (url) => hostsOf(url).some(fits)) };
    }
    case 'Agent':
    case 'Task': {
      const fits = compileWildcard(specifier);
      return { test: ({ input }) => fitsText(input['subagent_type'], fits) };
    }
    default:
      return {
        problem: `"if" says more of ${name} than its name, and nothing here can tell whether that holds`,
        remedy: `Write "${name}" alone, or a matcher, and decide in the hook.`,
      };
  }
}

/** What is not there, or no text, cannot be told to be harmless. */
function fitsText(value: unknown, fits: (text: string) => boolean): boolean {
  return typeof value !== 'string' || fits(value);
}
