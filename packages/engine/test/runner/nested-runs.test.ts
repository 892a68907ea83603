import type { HookDefinition } from '@tenterhook/protocol';
import { jobKindOf, reentranceOf } from '../../src/runner/nested-runs.js';
import { hookOf } from '../engine-rig.js';

const variable = 'TENTERHOOK_JOB';
const before = process.env[variable];
afterEach(() => {
  if (before === undefined) delete process.env[variable];
  else process.env[variable] = before;
});

const command = (text: string, id = 'a'): HookDefinition => hookOf(id, { name: 'nest', action: { kind: 'command', command: text } });
/** The id of a job as the spawner makes it; its kind is in its last part. */
const chainOf = async (...kinds: readonly (string | undefined)[]): Promise<string> => {
  const { createJobId } = await import('../../../spawner/src/kill/job-ids.js');
  return kinds.map((kind) => createJobId(kind)).join('/');
};

test('a hook runs within itself three times, and not a fourth time', async () => {
  const hook = command('agent');
  const own = jobKindOf(hook);
  delete process.env[variable];
  expect(reentranceOf(hook)).toBeUndefined();
  process.env[variable] = await chainOf(own, own, own);
  expect(reentranceOf(hook)).toBeUndefined();
  process.env[variable] = await chainOf(own, own, own, own);
  expect(reentranceOf(hook)).toContain(
    'BeforeTool hook "nest" did not run: this agent runs inside 4 nested hooks, and one of them is this hook',
  );
});

test('four others around it, of which one is of its kind, are enough; other hooks run', async () => {
  const hook = command('agent');
  process.env[variable] = await chainOf(undefined, jobKindOf(hook), undefined, jobKindOf(command('b')));
  expect(reentranceOf(hook)).toBeDefined();
  expect(reentranceOf(command('b'))).toBeDefined();
  expect(reentranceOf(command('agent', 'c'))).toBeUndefined();
  expect(reentranceOf(command('agent of another project'))).toBeUndefined();
  expect(reentranceOf(hookOf('a'))).toBeUndefined();
});
