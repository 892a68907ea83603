import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MessageBus } from '@tenterhook/bus';
import { connectToSocket, listenOnSocket, type SocketTransport } from '@tenterhook/transport-socket';
import { attack } from './attack.js';

const isRoot = process.geteuid?.() === 0;
const stranger = 65534;
const ends: { close(): Promise<void> }[] = [];
const programs: ChildProcess[] = [];
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'th-strangers-'));
  path = join(directory, 'bus');
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end.close();
  for (const child of programs.splice(0)) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

function keep(end: SocketTransport): SocketTransport {
  ends.push(end);
  return end;
}

/** For attacks by another user: only root can start a program as another user. As root, which includes CI, these tests always run. */
const asRoot = isRoot ? {} : { skippedBecause: 'only root can be two users' };

/** Runs a program as another user, and reads the lines that it prints. */
function strangersProgram(program: string): { readonly child: ChildProcess; nextLine(): Promise<string> } {
  const child = spawn(process.execPath, ['-e', program, path], {
    uid: stranger,
    gid: stranger,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  programs.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return { child, nextLine: async () => (await lines.next()).value };
}

/** A server that pretends to be a hub and reports everything that it receives. */
const falseHub = `
  const { createServer } = require('node:net');
  const server = createServer((socket) => {
    console.log('connected');
    socket.on('error', () => {});
    socket.on('data', (data) => console.log('received ' + data.length));
  });
  process.umask(0);
  server.listen(process.argv[1], () => console.log('listening'));
`;

attack(
  {
    id: 'strangers-socket',
    attacker: 'another user of the machine',
    attempt: 'listens in a directory that everybody can write to, at the path where the agent expects its hook service',
    result: 'the client does not connect to the socket of another user: `not_ours`',
  },
  async () => {
    chmodSync(directory, 0o1777);
    const { nextLine, child } = strangersProgram(falseHub);
    expect(await nextLine()).toBe('listening');
    await expect(connectToSocket({ path })).rejects.toMatchObject({
      code: 'not_ours',
      message: expect.stringContaining(`uid ${stranger}`),
    });
    // If the server had received anything before this connection of the test, it would report it first.
    const own = connect(path);
    expect(await nextLine()).toBe('connected');
    own.end('a');
    expect(await nextLine()).toBe('received 1');
    child.kill('SIGKILL');
  },
  asRoot,
);

attack(
  {
    id: 'strangers-folder',
    attacker: 'another user of the machine',
    attempt: 'owns the directory of the socket, so that the socket can be replaced',
    result: 'neither the hub nor a client uses the socket: `not_ours`',
  },
  async () => {
    const folder = join(directory, 'of-a-stranger');
    mkdirSync(folder);
    chownSync(folder, stranger, stranger);
    const message = expect.stringContaining(`The directory ${folder} belongs to another user (uid ${stranger})`);
    await expect(connectToSocket({ path: join(folder, 'bus') })).rejects.toMatchObject({ code: 'not_ours', message });
    await expect(listenOnSocket({ path: join(folder, 'bus') })).rejects.toMatchObject({ code: 'not_ours', message });
  },
  asRoot,
);

attack(
  {
    id: 'folder-of-everybody',
    attacker: 'another user of the machine',
    attempt: 'replaces the socket in a directory that everybody can write to',
    result: 'neither the hub nor a client uses the socket, and the message has the chmod that fixes it',
  },
  async () => {
    keep(await listenOnSocket({ path }));
    for (const mode of [0o777, 0o770, 0o707]) {
      chmodSync(directory, mode);
      const refusal = { code: 'not_ours', message: expect.stringContaining(`Run chmod go-w '${directory}'`) };
      await expect(connectToSocket({ path })).rejects.toMatchObject(refusal);
      await expect(listenOnSocket({ path: `${path}2` })).rejects.toMatchObject(refusal);
    }
    chmodSync(directory, 0o1777);
    const client = keep(await connectToSocket({ path }));
    const bus = new MessageBus({ transport: client });
    expect(bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'e', hooks: [] } })).toBe(true);
    await bus.close();
  },
);

attack(
  {
    id: 'umask-lets-strangers-in',
    attacker: 'another user of the machine',
    attempt: 'connects to the socket of an agent with umask 0, between its bind and its chmod',
    result: 'the socket is created in a private directory, and gets its public name only after the chmod',
  },
  async () => {
    chmodSync(directory, 0o1777);
    // Connects as fast as it can to every socket that appears below the directory.
    const { child, nextLine } = strangersProgram(`
      const { readdirSync } = require('node:fs');
      const { connect } = require('node:net');
      const folder = require('node:path').dirname(process.argv[1]);
      const list = (at) => { try { return readdirSync(at, { withFileTypes: true }); } catch { return []; } };
      const all = (at) => list(at).flatMap((entry) => entry.isDirectory() ? all(at + '/' + entry.name) : [at + '/' + entry.name]);
      const look = () => {
        for (const path of all(folder)) {
          const socket = connect(path, () => { console.log('in ' + path.replace(folder, '')); socket.destroy(); });
          socket.on('error', () => {});
        }
        setImmediate(look);
      };
      console.log('looking');
      look();
    `);
    expect(await nextLine()).toBe('looking');
    const umask = process.umask(0);
    try {
      for (let round = 0; round < 60; round += 1) {
        const hub = await listenOnSocket({ path });
        expect(lstatSync(path).mode & 0o777).toBe(0o600);
        await hub.close();
      }
      // Checks that the attacker's program works: it finds a socket that is not private.
      const open = createServer();
      await new Promise<void>((resolve) => open.listen(join(directory, 'open'), resolve));
      expect(await nextLine()).toBe('in /open');
      child.kill('SIGKILL');
      await new Promise((resolve) => open.close(resolve));
    } finally {
      process.umask(umask);
    }
  },
  asRoot,
);

attack(
  {
    id: 'dead-socket-of-another',
    attacker: 'a user who starts an agent as root',
    attempt: 'takes the path of a service of another user that no longer runs',
    result: 'only a dead socket of the same user is replaced: `not_ours`, and the socket stays',
  },
  async () => {
    chmodSync(directory, 0o1777);
    const { child, nextLine } = strangersProgram(falseHub);
    expect(await nextLine()).toBe('listening');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const before = lstatSync(path);
    await expect(listenOnSocket({ path })).rejects.toMatchObject({ code: 'not_ours', message: expect.stringContaining(`uid ${stranger}`) });
    expect(existsSync(path)).toBe(true);
    expect(lstatSync(path).ino).toBe(before.ino);
  },
  asRoot,
);
