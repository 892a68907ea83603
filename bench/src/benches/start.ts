import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Bench, Mark, Variant } from '../bench.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const cli = here('../../../packages/tenterhook/bin/tenterhook.js');
const bare = 'node -e 0';

/**
 * Measures the cost of a start, for the import of the library and for the command line: the processor time of the whole child process,
 * including its exit.
 */
export async function start(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-bench-'));
  const variant = (name: string, args: readonly string[], prints = ''): Variant => ({
    name,
    run: () => {},
    measure: async () => {
      const ended = await cpuOf(args, folder);
      if (ended.status !== 0 || !ended.stdout.includes(prints)) throw new Error(`${name} did not work: ${JSON.stringify(ended)}`);
      return ended.cpuMs;
    },
  });
  // The child process runs in a folder from which the library cannot be imported by name, so it imports the library by URL.
  const importing = `import { createHooks } from '${import.meta.resolve('tenterhook')}'; if (typeof createHooks !== 'function') process.exit(1);`;
  return {
    name: 'start: import and command line',
    note: 'processor time of the started process; "own cpu" is what starting it costs the bench.',
    unit: 'ms',
    warmup: 2,
    rounds: 40,
    variants: [
      variant(bare, ['-e', '0']),
      variant("import 'tenterhook'", ['--input-type=module', '-e', importing]),
      variant('tenterhook --version', [cli, '--version'], '.'),
      variant(
        'tenterhook fire, no hooks',
        [cli, 'fire', 'BeforeTool', '--input', '{"tool_name":"a","tool_input":{}}', '--json'],
        '"success":true',
      ),
    ],
    marks: [
      costsAtMost(3.5, "import 'tenterhook'"),
      costsAtMost(1.6, 'tenterhook --version'),
      costsAtMost(2.5, 'tenterhook fire, no hooks'),
    ],
    dispose: async () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Runs Node in an empty folder that is also the home directory, so that no settings are found. The shell measures the time: Node does not
 * know the processor time of its children, or its own time before its first and after its last line, and both belong to a start.
 */
async function cpuOf(args: readonly string[], folder: string): Promise<{ status: number | null; stdout: string; cpuMs: number }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TIMEFORMAT: '%3U %3S' };
  const counted = 'time "$@" 2>/dev/null';
  const child = spawn('bash', ['-c', counted, 'bash', process.execPath, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [stdout, times, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const [user = Number.NaN, system = Number.NaN] = times.trim().split(' ').map(Number);
  return { status, stdout, cpuMs: (user + system) * 1000 };
}

function costsAtMost(times: number, name: string): Mark {
  return {
    text: `${name} costs at most ${times} times ${bare}`,
    reached: (median) => ({ reached: median(name) <= times * median(bare), measured: `${(median(name) / median(bare)).toFixed(2)}x` }),
  };
}
