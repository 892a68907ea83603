import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Variant } from '../../bench.js';
import { atMostTimes } from '../marks.js';
import type { Case } from './case.js';

const name = 'the command line, from a cold start';
const empty = 'node -e 0';
const cli = fileURLToPath(new URL('../../../../packages/tenterhook/bin/tenterhook.js', import.meta.url));
const run = promisify(execFile);

/** The command line in an empty folder, which is also the home directory. */
export const commandLine: Case = {
  name,
  make: () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenterhook-bench-'));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const started = (variant: string, args: readonly string[], prints: string): Variant => ({
      name: variant,
      run: async () => {
        const { stdout } = await run(process.execPath, [...args], { cwd: folder, env });
        if (!stdout.includes(prints)) throw new Error(`${variant} printed ${JSON.stringify(stdout)}`);
      },
    });
    const fire = ['fire', 'BeforeTool', '--input', '{"tool_name":"a","tool_input":{}}', '--json'];
    return {
      name,
      unit: 'ms',
      warmup: 1,
      rounds: 20,
      variants: [
        started(empty, ['-e', '0'], ''),
        started('tenterhook --version', [cli, '--version'], '.'),
        started('tenterhook fire, no hooks', [cli, ...fire], '"success":true'),
      ],
      marks: [atMostTimes(1.6, 'tenterhook --version', 'tenterhook --version', empty)],
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
};
