import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realProject } from '../../src/store/project-path.js';
import { makeScene, recordOf } from './scene.js';

const scene = makeScene('project-path');
const { root, project, open } = scene;
afterAll(scene.dispose);

test('case 24: a link, `..` and a final slash are the same project', () => {
  symlinkSync(project, join(root, 'alias'));
  mkdirSync(join(project, 'src'));
  const spellings = [project, `${project}/`, join(root, 'alias'), `${project}/src/..`, `${root}/alias/src/../.`];
  open(spellings[2]).accept(recordOf(project));
  for (const spelling of spellings) {
    expect([spelling, realProject(spelling)]).toEqual([spelling, project]);
    expect(open(spelling).read().trusted.size).toBe(1);
  }
});

test('case 24: on a disk that ignores case, another case is the same project', () => {
  const folder = join(root, 'Shop-ß');
  mkdirSync(folder);
  const other = join(root, 'sHOP-ß');
  const ignoresCase = statSync(other, { throwIfNoEntry: false }) !== undefined;
  // On a disk that tells them apart, the other spelling is another project, and is not there.
  expect(realProject(other)).toBe(ignoresCase ? folder : other);
});

test('a folder beside one whose name differs in case only is its own project', () => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'case-')));
  const [lower, upper] = [join(parent, 'shop'), join(parent, 'SHOP')];
  for (const folder of [lower, upper]) mkdirSync(folder, { recursive: true });
  expect(realProject(lower)).toBe(lower);
  rmSync(parent, { recursive: true });
});

test('a project that does not exist has its absolute path', () => {
  expect(realProject(join(root, 'none/../absent'))).toBe(join(root, 'absent'));
});
