import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliRun, runCli, spawnCli } from '../support/run-cli.js';
import { type Expectation, parseScenario } from './scenario.js';

const folder = join(import.meta.dirname, 'scenarios');
const scenarios = readdirSync(folder)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => ({ file, ...parseScenario(readFileSync(join(folder, file), 'utf8')) }));

test.each(scenarios)('$file: $title', async ({ steps, files }) => {
  const cwd = mkdtempSync(join(tmpdir(), 'tenterhook-scenario-'));
  try {
    for (const { name, text, mode } of files) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text.replaceAll('$CWD', cwd), { mode });
    }
    for (const step of steps) {
      // Such a command needs its own process: the log reads DEBUG once, when its process starts, and /dev/stdin is that of a process.
      const needsProcess = 'DEBUG' in step.env || step.args.some((arg) => arg.startsWith('/dev/'));
      const runStep = needsProcess ? spawnCli : runCli;
      const run = await runStep(step.args, { cwd, env: step.env, ...(step.stdin === undefined ? {} : { stdin: step.stdin }) });
      expect(step.expected.length).toBeGreaterThan(0);
      for (const expected of step.expected)
        expect({ ...run, expected }).toEqual({
          ...run,
          expected: met({ ...expected, text: expected.text.replaceAll('$CWD', cwd) }, run) ? expected : 'this',
        });
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

function met({ stream, lacks, text }: Expectation, run: CliRun): boolean {
  if (stream === 'exit') return run.status === Number(text);
  if (lacks) return !run[stream].includes(text);
  const json = /^([\w.[\]-]+) = (.+)$/.exec(text);
  if (json === null) return text === 'empty' ? run[stream] === '' : oneBlank(run[stream]).includes(oneBlank(text));
  return JSON.stringify(valueAt(JSON.parse(run[stream]), json[1] as string)) === JSON.stringify(JSON.parse(json[2] as string));
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

/**
 * Replaces white space by one blank: the width of a column depends on other files, and a line break on the length of a line, which no
 * scenario tests.
 */
function oneBlank(text: string): string {
  return text.replace(/\s+/g, ' ');
}
