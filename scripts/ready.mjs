/**
 * Installs and builds what is missing, so that `npm start` and `npm test` work right after a clone.
 * It has no dependencies, because it runs before any are installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Tenterhook needs Node 20.19 or later; this is ${process.version}.`);

if (needsInstall()) {
  say('Installing packages …');
  // `npm ci` was rejected: it refuses a lockfile without the optional binaries of other platforms, and a registry without these binaries
  // writes such a lockfile. This command uses the locked versions, too, and does not change the lockfile.
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // The path of the npm that runs this script. On Windows `npm` cannot be started by its name.
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, ...install]);
  else run('npm', install, { shell: process.platform === 'win32' });
}

say('Building what has changed …');
run(
  process.execPath,
  [join(root, 'node_modules', 'turbo', 'bin', 'turbo'), 'run', 'build', '--output-logs=errors-only', '--log-order=grouped'],
  {
    quiet: true,
  },
);

function needsInstall() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
}

function run(file, args, { quiet = false, shell = false } = {}) {
  const result = spawnSync(file, args, {
    cwd: root,
    shell,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', FORCE_COLOR: '0' },
  });
  if (result.error) fail(`${file} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    fail(`"${[file, ...args].join(' ')}" ended with ${result.status ?? result.signal}.`);
  }
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
