import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenOnSocket as listenAtOnce } from '../../src/hub/listen-on-socket.js';
import { connectToSocket, listenOnSocket, SocketTransportError } from '../../src/index.js';
import { SocketScene } from '../socket-scene.js';

let scene: SocketScene;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(() => scene.end());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Creates a socket file without a listening process, as a killed process leaves it. */
async function makeStale(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.tmp`, resolve));
  renameSync(`${path}.tmp`, path);
  await new Promise((resolve) => server.close(resolve));
}

test('the socket is private, the directory that was missing too, and close() leaves no file', async () => {
  const path = join(scene.directory, 'a/b/bus');
  const hub = await listenOnSocket({ path });
  expect([modeOf(path), modeOf(join(scene.directory, 'a/b')), modeOf(join(scene.directory, 'a'))]).toEqual(['600', '700', '700']);
  expect(readdirSync(join(scene.directory, 'a/b'))).toEqual(['bus']);
  await hub.close();
  expect(readdirSync(join(scene.directory, 'a/b'))).toEqual([]);
});

test('a directory that exists keeps its mode', async () => {
  const directory = join(scene.directory, 'shared');
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  await scene.hub({ path: join(directory, 'bus') });
  expect(modeOf(directory)).toBe('755');
});

test('a stale socket is replaced', async () => {
  await makeStale(scene.path);
  await scene.hub();
  await scene.client();
  expect(readdirSync(scene.directory)).toEqual(['bus']);
});

test('of several that replace a stale socket at once, one listens and the others are refused', async () => {
  await makeStale(scene.path);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => scene.hub()));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'address_in_use' });
  }
  await scene.client();
  expect(readdirSync(scene.directory)).toEqual(['bus']);
});

test('if another process listens, the address is in use, and that process is not affected', async () => {
  await scene.hub();
  const error = await scene.hub().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SocketTransportError);
  expect(error).toMatchObject({
    name: 'SocketTransportError',
    code: 'address_in_use',
    message: `Another process already listens at ${scene.path}. Connect to it, close it, or choose another path.`,
    remedy: 'Connect to it, close it, or choose another path.',
  });
  await scene.client();
});

test('a file that is not a socket is not changed', async () => {
  writeFileSync(scene.path, 'mine');
  await expect(scene.hub()).rejects.toMatchObject({ code: 'address_in_use', message: expect.stringContaining('is not a socket') });
  expect(statSync(scene.path).size).toBe(4);
});

test('close() leaves a socket that is not ours any more', async () => {
  const first = await scene.hub();
  rmSync(scene.path);
  await scene.hub();
  await first.close();
  expect(existsSync(scene.path)).toBe(true);
  await scene.client();
});

test('a path that is too long says how long it may be', async () => {
  const path = join(scene.directory, 'x'.repeat(100));
  for (const open of [listenOnSocket, connectToSocket]) {
    await expect(open({ path })).rejects.toMatchObject({
      code: 'invalid_path',
      message: expect.stringMatching(/has \d+ bytes, but the address of a socket can have at most 10[37]\. Choose a shorter path/),
    });
  }
});

test('a directory that cannot be created is an invalid path', async () => {
  writeFileSync(join(scene.directory, 'file'), '');
  await expect(scene.hub({ path: join(scene.directory, 'file/bus') })).rejects.toMatchObject({ code: 'invalid_path' });
});

test('a directory that nothing can be made in is an invalid path, by its name', async () => {
  await expect(scene.hub({ path: '/proc/bus.sock' })).rejects.toMatchObject({
    code: 'invalid_path',
    message: expect.stringContaining('directory of /proc/bus.sock'),
  });
});

test.each<[string, object, string]>([
  ['no path', { path: '' }, 'path must be a non-empty string'],
  ['a null character', { path: 'a\0b' }, 'path must be a non-empty string without null characters'],
  ['too few bytes', { maxMessageBytes: 5 }, 'maxMessageBytes must be an integer from 1024 to 268435456, and is 5.'],
  ['a text as a bound', { maxWaitingBytes: '1mb' }, 'maxWaitingBytes must be an integer from 1024'],
  ['a misspelt option', { maxConnection: 5 }, 'listenOnSocket has no option "maxConnection". Did you mean "maxConnections"?'],
  ['a signal of another kind', { signal: 5 }, 'listenOnSocket: signal must be an AbortSignal, and is 5.'],
  ['no connections', { maxConnections: 0 }, 'maxConnections must be an integer from 1'],
])('%s is wrong use', async (_, options, message) => {
  await expect(scene.hub(options)).rejects.toThrow(TypeError);
  await expect(scene.hub(options)).rejects.toThrow(message);
});

test('the options of another library name the function and the options', async () => {
  await expect(listenOnSocket({ file: 'a' } as never)).rejects.toThrow('listenOnSocket has no option "file". Its options are path,');
  await expect(listenOnSocket({} as never)).rejects.toThrow('listenOnSocket: path must be a non-empty string');
});

test('a signal ends the attempt to listen, and nothing listens afterwards', async () => {
  const path = join(scene.directory, 'new/bus');
  const before = listenOnSocket({ path, signal: AbortSignal.abort() });
  await expect(before).rejects.toMatchObject({ code: 'cancelled' });
  expect(existsSync(join(scene.directory, 'new'))).toBe(false);

  const control = new AbortController();
  // `listenAtOnce` does not import the code first, so the attempt begins with the call.
  const attempt = listenAtOnce({ path, signal: control.signal });
  expect(existsSync(join(scene.directory, 'new'))).toBe(true);
  control.abort(new Error('the user pressed esc'));
  await expect(attempt).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining(`listen at ${path}: the user pressed esc.`),
    cause: new Error('the user pressed esc'),
  });
  // The socket that was being created is closed as soon as it exists. Until then another attempt finds that the path is in use.
  for (let isOpen = false; !isOpen; ) {
    isOpen = await scene.hub({ path }).then(
      () => true,
      ({ code }: SocketTransportError) => {
        expect(code).toBe('address_in_use');
        return false;
      },
    );
  }
  expect(readdirSync(join(scene.directory, 'new'))).toEqual(['bus']);
});
