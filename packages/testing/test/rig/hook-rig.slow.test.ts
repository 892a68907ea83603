import { type HookRig, hookRig } from '../../src/index.js';
import { endHosts, start } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('which run is next', () => {
  test('runs come in the order in which they started, also to those who asked before', async () => {
    const asked = [rig.nextRun(), rig.nextRun()];
    start(rig.command('a'));
    const a = await asked[0];
    start(rig.command('b'));
    const b = await asked[1];
    expect([a?.label, b?.label]).toEqual(['a', 'b']);
  });
});
