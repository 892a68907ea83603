import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeRigSocket } from '../../src/rig/hook-rig.js';

test('a temporary directory that is too long for the address of a socket is passed over', () => {
  const { path, remove } = makeRigSocket(`/tmp/${'long/'.repeat(20)}`);
  expect(Buffer.byteLength(path)).toBeLessThan(104);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  remove();
  remove();
  expect(existsSync(dirname(path))).toBe(false);
});
