import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { concurrency } from '../../at-most.js';
import { type Contender, tool } from './contender.js';

export const posixSpawnName = 'C, posix_spawn of sh -c';
const source = fileURLToPath(new URL('../../../peers/posix-spawn.c', import.meta.url));

/** A C program that does nothing but start commands and check what they print. Compiled for each benchmark into a temporary directory. */
export const posixSpawn: Contender = {
  name: posixSpawnName,
  start: async ({ command, count = 1, sequential = false, prints }, input) => {
    const folder = mkdtempSync(join(tmpdir(), 'tenterhook-bench-'));
    const [program, file] = [join(folder, 'posix-spawn'), join(folder, 'input')];
    try {
      execFileSync('cc', ['-O2', '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw new Error(`no C compiler (cc): ${(error as Error).message.split('\n')[0]}`);
    }
    writeFileSync(file, `${JSON.stringify({ tool_name: tool, tool_input: input })}\n`);
    const expected = prints === '' ? '' : `${prints}\n`;
    const child = spawn(program, ['sh', command, String(count), String(sequential ? 1 : concurrency), file, expected], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const measure = async () => {
      child.stdin.write('\n');
      const { value } = await lines.next();
      const nanoseconds = Number(value);
      if (!(nanoseconds > 0)) throw new Error(`${posixSpawnName}: ${value ?? 'the program has ended'}`);
      return nanoseconds / 1e6;
    };
    return {
      name: posixSpawnName,
      measure,
      fire: async () => void (await measure()),
      dispose: async () => {
        child.stdin.end();
        await exited;
        rmSync(folder, { recursive: true });
      },
    };
  },
};
