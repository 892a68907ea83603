import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
    // Nothing of who runs the tests is found: settings of the user lie in these two places.
    env: { ...process.env, HOME: options.home ?? options.cwd, XDG_CONFIG_HOME: '', NO_COLOR: '1', ...options.env },
  });
}
