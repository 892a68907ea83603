import { writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { ReachProject } from '../../src/reach/files/project.js';
import { isSettled, statsOf, timeSteps } from '../../src/reach/files/stamp.js';
import { TestProject } from './project.js';

const projects: TestProject[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const project of projects.splice(0)) project.remove();
});

/** Hashes a file, changes its content, and hashes it again with the stamp of the first time, as after two changes in one step of time. */
function hashTwice(now: number): { readonly isSame: boolean } {
  const files = new TestProject({ 'guard.sh': 'exit 0 #1' });
  projects.push(files);
  const path = files.path('guard.sh');
  const stamp = statsOf(path);
  if (stamp === undefined) throw new Error('the file is not there');
  jest.spyOn(Date, 'now').mockReturnValue(now);
  const project = new ReachProject({ directory: files.directory });
  const hash = () => project.pass(() => project.hash(path, stamp));
  const before = hash();
  writeFileSync(path, 'exit 0 #2');
  const after = hash();
  if (typeof before === 'string' || typeof after === 'string') throw new Error('the file was not hashed');
  return { isSame: before.sha256 === after.sha256 };
}

test('a file that changed right before it was hashed is read again, although its stamp is the same', () => {
  expect(hashTwice(Date.now())).toEqual({ isSame: false });
});

test('a file that changed seconds before it was hashed is not read again as long as its stamp is the same', () => {
  expect(hashTwice(Date.now() + 10_000)).toEqual({ isSame: true });
});

test.each([
  ['before the step', -1, true],
  ['at its begin', 0, false],
  ['within the step', 1, false],
  ['later than the clock', timeSteps.usual + 5_000, false],
] as const)('a change %s: with an offset of %i ms, settled is %s', (_when, offset, expected) => {
  const at = 1_790_000_000_000;
  const ctimeNs = BigInt(at - timeSteps.usual + offset) * 1_000_000n;
  expect(isSettled({ ctimeNs }, at, timeSteps.usual)).toBe(expected);
});

test('a file that does not exist is settled', () => {
  expect(isSettled(undefined, Date.now(), timeSteps.longest)).toBe(true);
});
