import { chmodSync } from 'node:fs';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { withFiles } from '../settings-rig.js';

test('a dialect can look at files, and what is not there is no error', async () => {
  await withFiles({ 'bin/hook.sh': '#!/bin/sh\n', 'plain.txt': 'Grüße' }, async ({ path, at }) => {
    chmodSync(at('bin/hook.sh'), 0o755);
    const { files, projectDir } = dialectContext(path);
    expect(projectDir).toBe(path);
    const names = ['bin/hook.sh', 'plain.txt', 'bin', 'none'];
    expect(names.map((name) => files.isFile(at(name)))).toEqual([true, true, false, false]);
    expect(names.map((name) => files.isExecutable(at(name)))).toEqual([true, false, false, false]);
    expect(names.map((name) => files.head(at(name), 2))).toEqual(['#!', 'Gr', undefined, undefined]);
    expect(files.head(at('plain.txt'), 1000)).toBe('Grüße');
  });
});
