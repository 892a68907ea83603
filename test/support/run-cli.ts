import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { noOtherHome } from './environment.js';
import { root } from './sources.js';

export const bin = join(root, 'packages/tenterhook/bin/tenterhook.js');

/** The command line as built, in a process of its own. */
export function runCli(
  args: readonly string[],
  options: { cwd: string; home?: string; stdin?: string; env?: Readonly<Record<string, string>> },
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    encoding: 'utf8',
    input: options.stdin ?? '',
    // Nothing of who runs the tests is found: settings of the user lie at home, or where a variable says.
    env: { ...process.env, ...noOtherHome, HOME: options.home ?? options.cwd, NO_COLOR: '1', ...options.env },
  });
}
