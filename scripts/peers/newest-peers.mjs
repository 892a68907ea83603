/**
 * Tests with the newest versions of frameworks and libraries that users bring: node scripts/peers/newest-peers.mjs [--report <file>]
 * [--dry-run]. It installs them into node_modules and changes no manifest; npm ci restores the locked versions.
 *
 * The report is written only if something fails. The exit status is 0 in this case too, because the report becomes an issue.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedPackages, readJson } from '../release/workspace.mjs';
import { newMajors, peersToTest, testsWithPeers } from './peer-plan.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { report: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } });
const lastLines = 60;

const packages = publishedPackages(root).map(({ folder, manifest }) => ({ folder, ...manifest }));
const peers = peersToTest(readJson(join(root, 'package.json')), packages);
const tests = testsWithPeers(packages, (folder) => existsSync(join(root, folder)));
if (values['dry-run']) {
  process.stdout.write(`npm install ${peers.map(({ install }) => install).join(' ')}\nnpm test -- ${tests.join(' ')}\n`);
  process.exit(0);
}

const npm = (...args) => ['npm', ...args];
const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
const steps = [
  ['the locked versions are installed', npm('install', ...quiet)],
  ['the newest versions are installed', npm('install', ...quiet, ...peers.map(({ install }) => install))],
  ['the packages are built', npm('run', 'build')],
  ['the types fit', npm('run', 'typecheck')],
  ['the tests pass', ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...tests]],
];
const problems = [];
for (const [title, command] of steps) {
  const failure = run(command);
  if (failure === undefined) continue;
  problems.push(`It fails that ${title}:\n\n\`\`\`text\n$ ${command.join(' ')}\n${failure}\n\`\`\``);
  // Without the packages, the later steps say nothing.
  if (command[1] === 'install') break;
}
problems.push(...newMajors(peers, packages, newestVersions()));
const installed = peers.map(({ alias }) => `- ${alias} ${versionOf(alias)}`);
const report = `${problems.join('\n\n')}\n\nTested versions:\n\n${installed.join('\n')}\n`;
if (problems.length > 0 && values.report !== undefined) writeFileSync(values.report, report);
process.stdout.write(problems.length > 0 ? report : `Everything passes.\n${installed.join('\n')}\n`);

/** Runs a command. Returns the end of its output if it failed. */
function run([file, ...args]) {
  // A test that needs a program of the machine is skipped if it is missing: this run is about peers.
  const env = { ...process.env, CI: '' };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: root, encoding: 'utf8', env, maxBuffer: 256 * 1024 * 1024 });
  return status === 0 ? undefined : `${stdout}${stderr}`.trimEnd().split('\n').slice(-lastLines).join('\n');
}

function newestVersions() {
  const names = [...new Set(peers.map(({ name }) => name))];
  return new Map(
    names.flatMap((name) => {
      const { stdout, status } = spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' });
      return status === 0 ? [[name, stdout.trim()]] : [];
    }),
  );
}

function versionOf(alias) {
  const file = join(root, 'node_modules', alias, 'package.json');
  return existsSync(file) ? readJson(file).version : 'not installed';
}
