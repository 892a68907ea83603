/** Runs both tiers of the tests, with every run of each property, and then the soak for two minutes. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')];
const soak = ['--expose-gc', join(root, 'soak/dist/run.js'), '--minutes', '2', '--seed', '1'];

const statuses = [run(jest, { TEST_TIER: 'all' }), run(soak, {})];
process.exitCode = statuses.find((status) => status !== 0) ?? 0;

function run(args, env) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}
