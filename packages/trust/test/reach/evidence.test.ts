import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Collector } from '../../src/reach/files/collector.js';
import { ReachProject } from '../../src/reach/files/project.js';
import { timeSteps } from '../../src/reach/files/stamp.js';
import { walk } from '../../src/reach/walk/walk.js';
import { TestProject } from './project.js';

let files: TestProject;
let project: ReachProject;
/** The path that the check of owners refuses. */
let refused: string | undefined;

beforeEach(() => {
  refused = undefined;
  files = new TestProject({
    'hooks/guard.sh': '#!/bin/sh\n. "$(dirname "$0")"/lib.sh\n',
    'hooks/lib.sh': 'exit 0 #1',
    'hooks/inner/data': 'one',
    'rules.json': '{}',
    'linked.json': 'link:rules.json',
    'tool.py': 'import json\n',
  });
  const refusal = { code: 'foreign_owner', path: '', message: '', remedy: '' } as const;
  project = new ReachProject({
    directory: files.directory,
    createOwnerCheck: () => (path) => (path === refused ? { ...refusal, path } : undefined),
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  files.remove();
});

const command = 'hooks/guard.sh linked.json rules.json; python3 tool.py; sh ~/own.sh';
const found = (): Collector => {
  writeFileSync(join(files.home, 'own.sh'), 'exit 0 #1');
  return project.pass(() =>
    walk({ command: { kind: 'shell', text: command }, cwd: files.directory, variables: files.variables, isOwn: true }, project),
  );
};
const isSame = ({ evidence, stamps }: Collector) => project.pass(() => evidence.isSame(stamps, project));

test('what was read is the same as long as no file changes', () => {
  expect(isSame(found())).toBe(true);
});

/** Each change is compared with the stamps from before it, as if it had left them the same. */
test.each<[string, () => void]>([
  ['a file that the command names', () => files.write('rules.json', '[]')],
  ['a file in the folder of a script', () => files.write('hooks/lib.sh', 'exit 0 #2')],
  ['a file in an inner folder', () => files.write('hooks/inner/data', 'two')],
  ['a new file in the folder of a script', () => files.write('hooks/new.sh', 'exit 0')],
  ['a new folder beside the script', () => mkdirSync(files.path('hooks/more'))],
  ['a file in that folder that is now executable', () => chmodSync(files.path('hooks/lib.sh'), 0o755)],
  ['packages beside the script, which are not listed', () => mkdirSync(files.path('hooks/node_modules'))],
  ['a new link beside the script', () => symlinkSync('lib.sh', files.path('hooks/other.sh'))],
  ['a new module in a folder of modules', () => files.write('json.py', 'import os')],
  ['a script that was renamed', () => renameSync(files.path('hooks/guard.sh'), files.path('hooks/other.sh'))],
  [
    'a link with another target',
    () => {
      rmSync(files.path('linked.json'));
      files.write('linked.json', 'link:hooks/lib.sh');
    },
  ],
  ['a script of the user', () => writeFileSync(join(files.home, 'own.sh'), 'exit 0 #2')],
  ['the owner of a file', () => (refused = files.path('rules.json'))],
  ['the owner of a file in a folder', () => (refused = files.path('hooks/inner/data'))],
  ['the owner of a folder', () => (refused = files.path('hooks'))],
])('%s is noticed without its stamp', (_what, change) => {
  const before = found();
  change();
  expect(isSame(before)).toBe(false);
});

test('a look reads files that changed right before again, and does not search them again', () => {
  const reach = files.find(command, { project, isOwn: true });
  const locate = jest.spyOn(project, 'locate');
  const hash = jest.spyOn(project, 'hash');
  expect(reach.look()).toBe('same');
  expect(locate).not.toHaveBeenCalled();
  expect(hash).toHaveBeenCalled();
  // Files that changed seconds ago have another stamp after the next change, so they are read once more.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * timeSteps.longest);
  expect(reach.look()).toBe('same');
  hash.mockClear();
  expect(reach.look()).toBe('same');
  expect(hash).not.toHaveBeenCalled();
});

test('the latest state is the one that the look has found', () => {
  const reach = files.find(command, { project, isOwn: true });
  expect(reach.look()).toBe('same');
  expect(reach.latest()).toBe(reach);
  files.write('rules.json', '[]');
  expect(reach.look()).toBe('changed');
  expect(reach.latest().reach).toEqual(files.find(command, { project, isOwn: true }).reach);
  expect(reach.latest().look()).toBe('same');
});
