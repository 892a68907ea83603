import { existsSync } from 'node:fs';
import { openRig, type Rig } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig({ concurrency: 1 });
});
afterEach(() => rig.close());

test.each([
  ['returns false', () => false],
  [
    'throws',
    () => {
      throw new Error('cannot tell');
    },
  ],
])('a job whose mayStart %s is not started', async (_, mayStart) => {
  const exit = await rig.sh(`touch ${rig.path('ran')}`, { mayStart });
  expect(exit).toEqual({ kind: 'not-started', reason: 'refused', durationMs: 0 });
  expect(existsSync(rig.path('ran'))).toBe(false);
  expect(await rig.sh('echo next')).toMatchObject({ kind: 'exited', stdout: 'next\n' });
});

test('it is called after the job has waited for its turn', async () => {
  const ended: string[] = [];
  const first = rig.sh('echo first').then(() => ended.push('first'));
  const second = rig.sh('echo second', { mayStart: () => ended.includes('first') });
  expect(await second).toMatchObject({ kind: 'exited', stdout: 'second\n' });
  await first;
});
