import { openRig, type Rig } from '../process-rig.js';
import { testStopsAfterTheEnd } from './stops-after-the-end.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

testStopsAfterTheEnd(() => rig, 20);
