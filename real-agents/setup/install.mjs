import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../', import.meta.url);
const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map((file) => new URL(file, folder));

/**
 * Installs the agents into this folder, unless they are there. No script of a package runs. Returns what npm printed if it failed, else
 * undefined. Optional dependencies were rejected: npm silently leaves out one that asks for a newer Node, and these run without it.
 */
export function installAgents() {
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return undefined;
  process.stderr.write('Installing the packages of real-agents …\n');
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  // The path of the npm that runs this script.
  const npm = process.env.npm_execpath;
  const [file, args] = npm ? [process.execPath, [npm, ...install]] : ['npm', install];
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd: fileURLToPath(folder), encoding: 'utf8' });
  return status === 0 ? undefined : `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim() || 'npm install failed';
}
