import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readDocument } from '../../../src/settings/read/read-document.js';
import { readRegularFile } from '../../../src/settings/read/read-regular-file.js';
import { inPlace, toolHooks } from '../../hooks-rig.js';
import { withFiles } from '../settings-rig.js';

const special: Record<string, [make: (file: string) => void, what: string]> = {
  'a pipe': [(file) => execFileSync('mkfifo', [file]), 'a pipe'],
  'a link to a pipe': [
    (file) => {
      execFileSync('mkfifo', [`${file}.pipe`]);
      symlinkSync(`${file}.pipe`, file);
    },
    'a pipe',
  ],
  'a link to /dev/zero': [(file) => symlinkSync('/dev/zero', file), 'a device'],
  'a link to /dev/null': [(file) => symlinkSync('/dev/null', file), 'a device'],
  'a link to a directory': [(file) => symlinkSync('/', file), 'a directory'],
};

test.each(Object.entries(special))('%s is refused without being read, and the message says what it is', async (_, [make, what]) => {
  await withFiles({}, async ({ at }) => {
    make(at('settings.json'));
    for (const required of [true, false]) {
      const result = await readDocument(at('settings.json'), 'project', required);
      expect(result).toMatchObject({
        state: 'broken',
        diagnostics: [{ code: 'unreadable_file', message: `The settings file must be a regular file, and is ${what}.` }],
      });
      expect(JSON.stringify(result)).toContain('"remedy":"');
    }
  });
});

test.each([
  ['user', '8388609 bytes, more than the limit of 8388608 (8 MiB)'],
  ['managed', '8388609 bytes, more than the limit of 8388608 (8 MiB)'],
  ['settings:2', '8388609 bytes, more than the limit of 8388608 (8 MiB)'],
  ['project', '1048577 bytes, more than the limit of 1048576 (1 MiB)'],
  ['local', '1048577 bytes, more than the limit of 1048576 (1 MiB)'],
  ['extension:x', '1048577 bytes, more than the limit of 1048576 (1 MiB)'],
  ['a name that is not known', '1048577 bytes, more than the limit of 1048576 (1 MiB)'],
])('a file of the source %s is refused if it has %s', async (source, size) => {
  await withFiles({}, async ({ at }) => {
    writeFileSync(at('a.json'), '{}'.padEnd(Number.parseInt(size, 10)));
    expect(await readDocument(at('a.json'), source, true)).toMatchObject({
      diagnostics: [{ code: 'unreadable_file', message: `The settings file has ${size}.` }],
    });
  });
});

test('a file of the largest size is read', async () => {
  await withFiles({}, async ({ at }) => {
    writeFileSync(at('a.json'), '{}'.padEnd(1024 * 1024));
    expect(await readDocument(at('a.json'), 'project', true)).toMatchObject({ state: 'read' });
    writeFileSync(at('a.json'), '{}'.padEnd(8 * 1024 * 1024));
    expect(await readRegularFile(at('a.json'), 8 * 1024 * 1024)).toMatchObject({ text: expect.stringMatching(/^\{\}/) });
  });
});

test('a file that says it is empty and is not is read up to the bound', async () => {
  // Files in /proc report the size 0, so the limit cannot rely on the size.
  expect(await readRegularFile('/proc/self/cmdline', 10_000)).toMatchObject({ text: expect.stringContaining('node') });
});

test('a character that lies across two reads is whole', async () => {
  const text = `"${'é'.repeat(100_000)}"`;
  await withFiles({ 'a.json': text }, async ({ at }) => expect(await readRegularFile(at('a.json'), 1_000_000)).toEqual({ text }));
});

test('a reload with a pipe in the place of the settings settles, keeps the guard, and works again when the file is fixed', async () => {
  await inPlace(async ({ at, write, create }) => {
    const file = 'project/.llxprt/settings.json';
    write(file, { tools: { enableHooks: true }, ...toolHooks({ name: 'guard', command: 'exit 2' }) });
    const hooks = await create();
    rmSync(at(file));
    execFileSync('mkfifo', [at(file)]);
    await hooks.reload();
    expect(hooks.has('BeforeTool')).toBe(true);
    expect(hooks.diagnostics).toMatchObject([
      { code: 'unreadable_file', message: expect.stringMatching(/a pipe\. .*last good state stays in use\.$/) },
    ]);
    rmSync(at(file));
    write(file, { tools: { enableHooks: true } });
    await hooks.reload();
    expect([hooks.has('BeforeTool'), hooks.diagnostics]).toEqual([false, []]);
  });
});
