/**
 * publint and attw on every package as it would be published, then all of them installed together and used from ES modules, from
 * CommonJS and as a command. ESM only is meant (CONTRIBUTING says why), so attw is asked about that.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const packed = mkdtempSync(join(tmpdir(), 'tenterhook-pack-'));
const tarballs = [];
let failures = 0;
try {
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name);
    run(name, bin('publint'), ['run', folder, '--strict'], folder);
    const tarball = run(name, 'npm', ['pack', '--silent', '--pack-destination', packed], folder).trim().split('\n').at(-1);
    tarballs.push(join(packed, tarball ?? ''));
    run(name, bin('attw'), [join(packed, tarball ?? ''), '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], folder);
  }
  writeFileSync(join(packed, 'package.json'), '{ "private": true }');
  run('all packages', 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs], packed);
  const use = `createHooks({ settings: {} }).then((hooks) => hooks.dispose())`;
  run('as an ES module', 'node', ['--input-type=module', '-e', `import { createHooks } from 'tenterhook'; await ${use}`], packed);
  run('from CommonJS', 'node', ['-e', `const { createHooks } = require('tenterhook'); ${use}`], packed);
  run('as a command', join(packed, 'node_modules', '.bin', 'tenterhook'), ['--version'], packed);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.stdout.write(failures === 0 ? 'All packages pass publint and attw, and work once they are installed.\n' : `${failures} package checks failed.\n`);
process.exitCode = failures === 0 ? 0 : 1;

function run(name, file, args, cwd) {
  const result = spawnSync(file, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    failures += 1;
    process.stdout.write(`${name}: ${file} ${args.join(' ')}\n${result.stdout}${result.stderr}\n`);
  }
  return result.stdout ?? '';
}
