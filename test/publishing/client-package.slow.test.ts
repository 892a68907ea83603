import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWithPrograms } from '../support/program.js';
import { root } from '../support/sources.js';

const script = join(root, 'scripts/release/client-package.mjs');
const system = `${process.platform}-${process.arch}`;

testWithPrograms(['cc', 'tar'], 'the package of this system has the compiled client, and it is used if it is installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-client-'));
  try {
    execFileSync(process.execPath, [script, 'write', folder], { stdio: 'ignore' });
    const own = join(folder, `relay-client-${system}`);
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({
      name: `@tenterhook/relay-client-${system}`,
      os: [process.platform],
      cpu: [process.arch],
      publishConfig: { access: 'public', provenance: true },
    });
    const { filename } = (
      JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: own, encoding: 'utf8' })) as { filename: string }[]
    )[0] as { filename: string };

    // A project with the packed package, and with the package that looks for it.
    const scope = join(folder, 'project/node_modules/@tenterhook');
    const installed = join(scope, `relay-client-${system}`);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(own, filename), '-C', installed, '--strip-components=1']);
    const relayClient = join(scope, 'relay-client');
    mkdirSync(relayClient);
    for (const part of ['package.json', 'dist']) symlinkSync(join(root, 'packages/relay-client', part), join(relayClient, part));
    const program = "import { clientProgram } from '@tenterhook/relay-client'; console.log(clientProgram());";
    const printed = spawnSync(process.execPath, ['--preserve-symlinks', '--input-type=module', '--eval', program], {
      cwd: join(folder, 'project'),
      encoding: 'utf8',
    });
    expect({ ...printed, stdout: printed.stdout.trim() }).toMatchObject({ stdout: join(installed, 'tenterhook-hook'), stderr: '' });
    expect(existsSync(printed.stdout.trim())).toBe(true);
    const started = spawnSync(printed.stdout.trim(), [], { encoding: 'utf8', input: '' });
    expect(started).toMatchObject({ status: 64, stderr: expect.stringContaining('usage: tenterhook-hook') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
