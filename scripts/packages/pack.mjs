/**
 * Packs every package as it would be published: npm run pack [-- <folder>]. The tarballs can be installed together in any project, before
 * or in place of a release: npm install <folder>/*.tgz
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '../..');

/** Writes the tarballs into a folder. Resolves to what npm reports of each: its name, its file and its sizes in bytes. */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true });
  // One npm packs all packages, because npm itself takes a second to start.
  const workspaces = readdirSync(join(root, 'packages')).flatMap((name) => ['--workspace', `packages/${name}`]);
  const child = spawn('npm', ['pack', '--json', '--pack-destination', resolve(folder), ...workspaces], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((done, failed) => child.once('error', failed).once('close', done));
  const [printed, reported, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) throw new Error(`npm pack ended with ${status}:\n${reported}`);
  return JSON.parse(printed);
}

if (process.argv[1] === import.meta.filename) {
  const folder = process.argv[2] ?? join(root, 'packed');
  if (folder.startsWith('-')) {
    process.stderr.write(`npm run pack -- [folder]: writes the tarball of each package. "${folder}" is not a folder.\n`);
    process.exit(2);
  }
  const packages = await packPackages(folder);
  process.stdout.write(`${packages.length} packages are in ${relative(process.cwd(), folder) || '.'}.\n`);
}
