import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvFile, createHooks, TenterhookError } from 'tenterhook';

/** The threads with which Node reads files. */
const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

let directory: string;
let fifo: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cancel-'));
  fifo = join(directory, 'fifo');
  execFileSync('mkfifo', [fifo]);
  // Loads the code, so that the calls below wait for the disk only.
  await (await createHooks({ settings: {} })).dispose();
  await (await createEnvFile()).dispose();
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/**
 * Runs work while no file can be read, as on a network folder that does not answer: every thread of Node waits for a writer of a pipe.
 * Afterwards the reading that was left behind goes on.
 */
async function withStuckDisk<Value>(work: () => Promise<Value>): Promise<Value> {
  const stuck = Array.from({ length: threads }, () => open(fifo, 'r'));
  try {
    return await work();
  } finally {
    execFileSync('sh', ['-c', ': > "$1"', 'sh', fifo]);
    for (const handle of await Promise.all<FileHandle>(stuck)) await handle.close();
  }
}

/** Calls with a signal that aborts while the call waits, and returns what it rejected with. */
async function abortedWhileWaiting(call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  return withStuckDisk(async () => {
    const control = new AbortController();
    const end = call(control.signal).then(
      () => 'it did not reject',
      (error: unknown) => error,
    );
    setImmediate(() => control.abort(new Error('the user pressed esc')));
    return end;
  });
}

const settingsOf = (name: string) => ({ hooks: { SessionStart: [{ hooks: [{ name, command: 'true' }] }] } });

function expectCancelled(error: unknown, message: string): void {
  expect(error).toBeInstanceOf(TenterhookError);
  expect(error).toMatchObject({ code: 'cancelled', message: expect.stringContaining(message), cause: new Error('the user pressed esc') });
}

test('createHooks stops waiting for settings that cannot be read, and leaves nothing open', async () => {
  const notes: string[] = [];
  const error = await abortedWhileWaiting((signal) =>
    createHooks({ projectDir: directory, watch: true, signal }).finally(() => notes.push('settled')),
  );
  expectCancelled(error, 'createHooks: The settings were not read to the end: the user pressed esc.');
  expect(notes).toEqual(['settled']);
});

test('a signal that has aborted before: nothing is read', async () => {
  const signal = AbortSignal.abort(new Error('the user pressed esc'));
  expectCancelled(await createHooks({ signal }).catch((error: unknown) => error), 'createHooks');
  await using hooks = await createHooks({ settings: settingsOf('own') });
  for (const call of [
    () => hooks.reload({ signal }),
    () => hooks.extensions.add({ name: 'more', ...settingsOf('more') }, { signal }),
    () => hooks.extensions.remove('more', { signal }),
    () => createEnvFile({ signal }),
  ]) {
    expectCancelled(await call().catch((error: unknown) => error), 'the user pressed esc');
  }
  await hooks.reload();
  expect(hooks.hooks.SessionStart.map(({ name }) => name)).toEqual(['own']);
});

test('reload, extensions.add and extensions.remove stop waiting, and what was begun goes on', async () => {
  await using hooks = await createHooks({ projectDir: directory, extensions: [{ name: 'first', ...settingsOf('first') }] });
  const names = () => hooks.hooks.SessionStart.map(({ name }) => name);
  const causes: string[] = [];
  hooks.onChange(({ cause }) => causes.push(cause));

  expectCancelled(await abortedWhileWaiting((signal) => hooks.reload({ signal })), 'reload: The settings were not read to the end');
  await hooks.reload();
  expect(causes).toEqual(['reload', 'reload']);

  const added = await abortedWhileWaiting((signal) => hooks.extensions.add({ name: 'second', ...settingsOf('second') }, { signal }));
  expectCancelled(added, 'extensions.add: The settings were not read to the end');
  await hooks.reload();
  expect(names()).toEqual(['first', 'second']);

  expectCancelled(await abortedWhileWaiting((signal) => hooks.extensions.remove('first', { signal })), 'extensions.remove');
  await hooks.reload();
  expect(names()).toEqual(['second']);
});

// The directory for temporary files is that of the process, so these tests need one of their own. It reads files with a single thread.
test('createEnvFile stops waiting, and removes what is created afterwards', () => {
  const program = `
    const stuck = open(process.env.FIFO, 'r');
    const control = new AbortController();
    const end = createEnvFile({ signal: control.signal }).catch(({ code, message, cause }) => ({ code, message, cause: cause.message }));
    setImmediate(() => control.abort(new Error('esc')));
    const error = await end;
    execFileSync('sh', ['-c', ': > "$FIFO"']);
    await (await stuck).close();
    // The thread does the work that was left behind before this.
    while (readdirSync(process.env.TMPDIR).length > 0) await (await createEnvFile()).dispose();
    console.log(JSON.stringify(error));`;
  expect(runAlone(program, { UV_THREADPOOL_SIZE: '1' })).toEqual({
    code: 'cancelled',
    message: 'createEnvFile: The file was not created: esc.',
    cause: 'esc',
  });
});

test('createEnvFile rejects with an error that has a code, where no directory can be created', () => {
  const program = `
    const error = await createEnvFile().catch((reason) => reason);
    const { code, message, cause } = error;
    console.log(JSON.stringify({ code, message, cause: cause.code, isOurs: error instanceof TenterhookError }));`;
  const absent = join(directory, 'absent');
  expect(runAlone(program, { TMPDIR: absent })).toEqual({
    code: 'not_created',
    message: `createEnvFile: No file can be created in ${absent} (ENOENT). Set TMPDIR to a directory that this user can write to.`,
    cause: 'ENOENT',
    isOurs: true,
  });
});

function runAlone(program: string, env: Readonly<Record<string, string>>): unknown {
  const imports = `
    import { execFileSync } from 'node:child_process';
    import { readdirSync } from 'node:fs';
    import { open } from 'node:fs/promises';
    import { createEnvFile, TenterhookError } from 'tenterhook';
    await (await createEnvFile().catch(() => undefined))?.dispose();`;
  const temporary = mkdtempSync(join(directory, 'tmp-'));
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', imports + program], {
    env: { ...process.env, TMPDIR: temporary, FIFO: fifo, ...env },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

test.each<[string, () => Promise<unknown>]>([
  ['createHooks: "signal" must be an AbortSignal, and is 3.', () => createHooks({ signal: 3 as never })],
  ['createEnvFile has no option "singal". Did you mean "signal"?', () => createEnvFile({ singal: 3 } as never)],
  ['createEnvFile: "signal" must be an AbortSignal', () => createEnvFile({ signal: 3 as never })],
])('%s', async (message, call) => {
  await expect(call()).rejects.toThrow(message);
});

test('a misspelt option of a call that waits is refused', async () => {
  await using hooks = await createHooks({ settings: {} });
  const misspelt = { singal: AbortSignal.abort() } as never;
  await expect(hooks.reload(misspelt)).rejects.toThrow('reload has no option "singal". Did you mean "signal"?');
  await expect(hooks.extensions.add({ name: 'a', hooks: {} }, misspelt)).rejects.toThrow('extensions.add has no option "singal"');
  await expect(hooks.extensions.remove('a', misspelt)).rejects.toThrow('extensions.remove has no option "singal"');
});
