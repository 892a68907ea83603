import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScene, recordOf } from './scene.js';

const scene = makeScene('two-processes');
const { project, home, directory, folderOf, open } = scene;
afterAll(scene.dispose);

const built = fileURLToPath(new URL('../../dist/bundle.cjs', import.meta.url));

/** A process that opens the store of the project and runs code with it. Ends by itself when its code does. */
function startProcess(code: string): ChildProcess {
  const program = `
    const fs = require('node:fs');
    const { openTrustStore, pinOf } = require(${JSON.stringify(built)});
    const project = ${JSON.stringify(project)};
    const store = openTrustStore({ projectDir: project, home: ${JSON.stringify(home)}, environment: {}, platform: process.platform });
    const template = ${JSON.stringify(recordOf(project))};
    const recordOf = (command) => {
      const record = { ...template, hook: { ...template.hook, command, label: command }, definition: { ...template.definition, command } };
      const { hook: { dialect }, definition, environment, reach } = record;
      return { ...record, pin: pinOf({ project, dialect, definition, environment, reach }) };
    };
    ${code}`;
  return spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

const commandsOf = () => [...open().read().trusted.values()].map(({ hook }) => hook.command).sort();

test('case 26: two processes accept different hooks at once, and both are kept', async () => {
  const accepting = (name: string) =>
    startProcess(
      `process.once('message', () => { for (let n = 0; n < 20; n++) store.accept(recordOf('${name}' + n)); process.disconnect(); }); process.send('ready');`,
    );
  const both = [accepting('one'), accepting('two')];
  await Promise.all(both.map((child) => once(child, 'message')));
  for (const child of both) child.send('go');
  const ends = await Promise.all(both.map((child) => once(child, 'exit')));
  expect(ends).toEqual([
    [0, null],
    [0, null],
  ]);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  expect(commandsOf()).toEqual(numbers.flatMap((n) => [`one${n}`, `two${n}`]).sort());
  expect(open().read().problems).toEqual([]);
  open().revokeAll();
});

test('case 26: a process that is killed while it writes leaves no record, and the next one is not disturbed', async () => {
  // The process stops itself where the record is written but has no name yet. The rest of the store is the real one.
  const child = startProcess(`
    store.accept(recordOf('before'));
    const rename = fs.renameSync;
    fs.renameSync = (from, to) => { process.send(to); process.kill(process.pid, 'SIGSTOP'); return rename(from, to); };
    store.accept(recordOf('killed'));`);
  const [name] = await once(child, 'message');
  expect(name).toContain(folderOf(project));
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(readdirSync(join(directory, 'tmp'))).toHaveLength(1);
  expect([commandsOf(), open().read().problems]).toEqual([['before'], []]);
  open().accept(recordOf(project, 'after'));
  expect(commandsOf()).toEqual(['after', 'before']);
  open().revokeAll();
});

test('case 26: a process that is killed at any moment leaves whole records only', async () => {
  const child = startProcess(`
    for (let n = 0; ; n++) {
      store.accept(recordOf('loop' + n), new Map());
      if (n === 10) process.send('running');
      if (n % 3 === 0) store.revoke(recordOf('loop' + n).pin);
    }`);
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { trusted, problems } = open().read();
  expect(problems).toEqual([]);
  expect(trusted.size).toBeGreaterThanOrEqual(7);
  open().revokeAll();
});

test('case 34: a decision of another process changes the stamp', async () => {
  const store = open();
  store.accept(recordOf(project));
  const before = store.stamp();
  const child = startProcess(`store.revoke(${JSON.stringify(recordOf(project).pin)}); process.disconnect();`);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(store.stamp()).not.toBe(before);
  expect(store.read().trusted.size).toBe(0);
});
