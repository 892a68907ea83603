/**
 * The packages with the compiled client of the relay, one for each system.
 *
 * client-package.mjs write <folder>     writes the package of this system, with the program that compile.mjs has compiled
 * client-package.mjs depend <folder>    makes the packages in the folder optional dependencies of @tenterhook/relay-client
 * client-package.mjs publish <folder>   publishes the packages in the folder whose version is not published
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJson, writeJson } from './workspace.mjs';

const root = resolve(import.meta.dirname, '../..');
const relayClient = join(root, 'packages/relay-client');
const program = 'tenterhook-hook';
const actions = { write, depend, publish };

const [action, folder] = process.argv.slice(2);
if (actions[action] === undefined || folder === undefined) {
  process.stderr.write(`"${action}" must be write, depend or publish, and the folder of the packages must follow it.\n`);
  process.exit(64);
}
actions[action](resolve(folder));

function write(parent) {
  const compiled = join(relayClient, 'dist', program);
  if (!existsSync(compiled))
    throw new Error(`There is no ${compiled}. Install a C compiler, and run node packages/relay-client/compile.mjs.`);
  const { version, license, engines, publishConfig } = readJson(join(relayClient, 'package.json'));
  const system = `${process.platform}-${process.arch}`;
  const name = `@tenterhook/relay-client-${system}`;
  const own = join(parent, `relay-client-${system}`);
  mkdirSync(own, { recursive: true });
  writeJson(join(own, 'package.json'), {
    name,
    version,
    description: `The compiled client of the relay of Tenterhook, for ${system}`,
    keywords: ['coding-agent', 'hooks', 'tenterhook'],
    license,
    os: [process.platform],
    cpu: [process.arch],
    engines,
    files: [program],
    publishConfig,
  });
  writeFileSync(
    join(own, 'README.md'),
    `# ${name}\n\nThis package has the program that agents start as their hook, compiled for ${system}. npm installs it with \`@tenterhook/relay-client\`, which describes it.\n`,
  );
  copyFileSync(join(root, 'LICENSE'), join(own, 'LICENSE'));
  copyFileSync(compiled, join(own, program));
}

function depend(parent) {
  const file = join(relayClient, 'package.json');
  const optionalDependencies = Object.fromEntries(manifestsIn(parent).map(({ manifest }) => [manifest.name, manifest.version]));
  writeJson(file, { ...readJson(file), optionalDependencies });
}

function publish(parent) {
  for (const { at, manifest } of manifestsIn(parent)) {
    // An artifact of a workflow loses the mode of its files.
    chmodSync(join(at, program), 0o755);
    const known = npm(['view', `${manifest.name}@${manifest.version}`, 'version'], at);
    if (known.stdout.trim() === manifest.version) continue;
    const { status, stderr } = npm(['publish'], at);
    if (status !== 0) throw new Error(`${manifest.name} was not published:\n${stderr}`);
    process.stdout.write(`${manifest.name} ${manifest.version}\n`);
  }
}

function manifestsIn(parent) {
  const found = readdirSync(parent).map((name) => ({ at: join(parent, name), manifest: readJson(join(parent, name, 'package.json')) }));
  if (found.length === 0) throw new Error(`${parent} has no package.`);
  return found;
}

function npm(args, cwd) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8' });
}
