import { expectKind, openRig, type Rig } from '../process-rig.js';
import { lineOf } from './first-line.js';

describe('of a process', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = openRig();
  });
  afterEach(() => rig.close());

  test('and more of it', async () => {
    const { onFirstLine } = lineOf(({ replaceTimeout }) => replaceTimeout(600_000));
    const exit = await rig.sh('echo first; sleep 2; echo last', { onFirstLine, timeoutMs: 1500 });
    expect(expectKind(exit, 'exited').stdout).toBe('first\nlast\n');
  });
});
