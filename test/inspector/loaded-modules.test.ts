import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

const built = join(root, 'packages/tenterhook/dist/cli');

/** The files of the built command that have the server of the inspector. */
const filesOfInspector = readdirSync(built)
  .filter((file) => file.endsWith('.cjs') && readFileSync(join(built, file), 'utf8').includes('frame-ancestors'))
  .map((file) => join(built, file));

function loadedBy(args: readonly string[]): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'loaded-'));
  try {
    const [preload, list] = [join(directory, 'preload.cjs'), join(directory, 'list.json')];
    const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
    writeFileSync(preload, `process.on('exit', () => ${write});`);
    spawnCli(args, { cwd: directory, env: { NODE_OPTIONS: `--require ${preload}` } });
    return JSON.parse(readFileSync(list, 'utf8')) as string[];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('44. tenterhook fire loads nothing of the inspector, and tenterhook inspect loads it when it shows something', () => {
  expect(filesOfInspector).not.toEqual([]);
  const isOfInspector = (file: string) => filesOfInspector.includes(file) || file.includes('/packages/inspector/');
  const fired = loadedBy(['fire', 'SessionStart', '--input', '{"source":"startup"}']);
  expect(fired.filter((file) => file.startsWith(built)).length).toBeGreaterThan(1);
  expect(fired.filter(isOfInspector)).toEqual([]);
  expect(loadedBy(['inspect', '--list']).filter(isOfInspector)).toEqual([]);
  expect(loadedBy(['inspect', '--recording', 'missing']).filter(isOfInspector)).not.toEqual([]);
});
