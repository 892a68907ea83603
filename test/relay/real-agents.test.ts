import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const folder = join(root, 'real-agents');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly dependencies: Record<string, string> };
const page = readFileSync(join(root, 'docs/relay.md'), 'utf8');

const packages: Readonly<Record<string, string>> = {
  'Claude Code': '@anthropic-ai/claude-code',
  Codex: '@openai/codex',
  Copilot: '@github/copilot',
  'hook runner of Copilot': '@github/copilot',
  'Gemini CLI': '@google/gemini-cli-core',
};

/** The numbers in "1 to 3, 72". */
function numbersIn(cell: string): number[] {
  return [...cell.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

/** The agent of a file with cases, its version, and the numbers in the titles. */
function casesIn(file: string) {
  const text = readFileSync(join(folder, 'cases', file), 'utf8');
  const agent = /describeAgent\('([^']+)'/.exec(text)?.[1] ?? '';
  const numbers = [...text.matchAll(/^ {2}test\('([\d and]+)\./gm)].flatMap(([, title = '']) => numbersIn(title));
  return { agent, version: manifest.dependencies[packages[agent] ?? ''], cases: [...new Set(numbers)].sort((a, b) => a - b) };
}

test('the page of the relay has the cases and the versions of the job with real agents', () => {
  const section = page.slice(page.indexOf('## Seen with real agents'));
  const rows = [...section.matchAll(/^\| ([^|]+) \| (\d[^|]*) \| [^|]+ \| ([^|]+) \|$/gm)];
  const written = rows.map(([, agent = '', version, cases = '']) => ({ agent, version, cases: numbersIn(cases) }));
  const declared = readdirSync(join(folder, 'cases')).map(casesIn);
  const byAgent = (list: readonly { readonly agent: string }[]) => [...list].sort((a, b) => a.agent.localeCompare(b.agent));
  expect(written.length).toBeGreaterThan(0);
  expect(byAgent(written)).toEqual(byAgent(declared));
});

test('the job has its own lockfile without addresses, and the pinned versions are in it', () => {
  const text = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages: locked } = JSON.parse(text) as {
    readonly packages: Record<string, { readonly version: string; readonly resolved?: string }>;
  };
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(locked[`node_modules/${name}`]?.version).toBe(version);
  expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
