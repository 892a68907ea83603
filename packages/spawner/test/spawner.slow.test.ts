import { expectNoLeaks, expectOwnAnswers } from './many-jobs.js';
import { openRig } from './process-rig.js';

describe('the concurrency limit', () => {
  test('200 jobs at once all settle, each with its own answer', async () => {
    const rig = openRig();
    await expectOwnAnswers(rig, 200);
    await rig.close();
  });
});

describe('leaks', () => {
  test('no descriptor, no file, no listener stays, whatever way jobs end', () => expectNoLeaks(10));
});
