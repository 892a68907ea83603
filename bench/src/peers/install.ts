import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { say } from '../run-benches.js';

const folder = new URL('../../peers/', import.meta.url);
const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map((file) => new URL(file, folder)) as [URL, URL];

/** Installs the peer into `bench/peers`, unless it is there. If that fails, its rows are reported as not measured. */
export function installPeers(): void {
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return;
  say('Installing the packages of bench/peers …');
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  // The path of the npm that runs this script. On Windows `npm` cannot be started by its name.
  const npm = process.env['npm_execpath'];
  const [file, args] = npm ? [process.execPath, [npm, ...install]] : ['npm', install];
  const result = spawnSync(file, args, { cwd: fileURLToPath(folder), encoding: 'utf8', shell: !npm && process.platform === 'win32' });
  if (result.status === 0) return;
  say(`${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`.trim());
  say('bench/peers could not be installed, so the rows of the peer are not measured. Run npm install in bench/peers to see why.');
}

/** The versions of what is compared, for the description of the machine. */
export function peerVersions(): Record<string, string> {
  const file = new URL('node_modules/@google/gemini-cli-core/package.json', folder);
  const version = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'not installed';
  return {
    peer: `@google/gemini-cli-core ${version}`,
    sh: shOf(),
    cc: firstLineOf('cc', ['--version']),
    python: firstLineOf('python3', ['--version']),
  };
}

function shOf(): string {
  return firstLineOf('readlink', ['-f', '/bin/sh']);
}

function firstLineOf(file: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8' });
  return status === 0 ? (stdout.split('\n')[0] as string) : 'not found';
}
