/**
 * Runs the cases of the relay through the hook runners of real agents. This is not a part of `npm test`, because the agents are large and
 * belong to others.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installAgents } from './setup/install.mjs';
import { withoutNetwork } from './setup/without-network.mjs';

const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const problem = given.includes('--no-install') ? undefined : installAgents();
if (problem !== undefined) process.stderr.write(`${problem}\n`);

const jest = [
  process.execPath,
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  '--config',
  join(import.meta.dirname, 'jest.config.js'),
  ...given.filter((word) => word !== '--no-install'),
];
const isolated = withoutNetwork(jest);
if ('problem' in isolated) {
  process.stderr.write(
    `The agents run only without a network, and no such namespace can be made: ${isolated.problem}. Run the command as root on Linux.\n`,
  );
  process.exit(2);
}
const [file, ...args] = isolated.command;
const env = { ...process.env, REAL_AGENTS_PROBLEM: problem ?? '' };
const { status, error } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env });
if (error !== undefined) process.stderr.write(`${error.message}\n`);
process.exitCode = status ?? 1;
