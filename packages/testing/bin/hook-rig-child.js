/**
 * The hook that a test remote-controls: `node hook-rig-child.js socket [--label=text] [--fork=token] [anything]`.
 * Plain JavaScript without a dependency, because it is started by `node` in whatever environment and directory a host gives to its hooks.
 * It connects, identifies itself and carries out commands. It touches stdin, stdout and stderr only on command.
 */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { allWritten, closeStream, flood, readStdin, reopenStdin, writeBytes } from './hook-rig-streams.js';

/** @typedef {Record<string, any> & { id: number, do: string }} Command */

const self = fileURLToPath(import.meta.url);
const watcher = fileURLToPath(new URL('./hook-rig-watcher.js', import.meta.url));
const [, , socketPath = '', ...words] = process.argv;

const socket = connect(socketPath);
let isConnected = false;
/** The last message that was handed to the system. @type {Promise<void>} */
let sent = Promise.resolve();

socket.on('error', leave);
socket.on('close', leave);
socket.on('connect', () => {
  isConnected = true;
  send({
    kind: 'hook',
    pid: process.pid,
    ppid: process.ppid,
    argv: process.argv,
    env: process.env,
    cwd: currentDirectory(),
    ...ownWords(),
  });
});

let rest = '';
socket.setEncoding('utf8').on('data', (/** @type {string} */ piece) => {
  const lines = piece.split('\n');
  // Not (rest + piece).split(): a long line would be searched anew with each of its pieces.
  lines[0] = rest + lines[0];
  rest = lines.pop() ?? '';
  for (const line of lines) void obey(JSON.parse(line));
});

/** @type {Record<string, (command: Command) => unknown>} */
const commands = {
  write: ({ stream, data }) => writeBytes(stream, Buffer.from(data, 'base64')),
  flood: ({ stream, bytes, chunkBytes }) => flood(stream, bytes, chunkBytes),
  close: ({ stream }) => closeStream(stream),
  readStdin: ({ id }) => readStdin((piece) => sendPiece(id, piece)),
  reopenStdin: ({ id }) => reopenStdin((piece) => sendPiece(id, piece)),
  ignoreSignals: ({ signals }) => {
    for (const signal of signals) {
      if (process.listenerCount(signal) === 0) process.on(signal, () => send({ kind: 'signal', signal }));
    }
  },
  chdir: ({ path }) => process.chdir(path),
  fork,
  watch: async ({ token }) => {
    await written();
    await startWatcher(token);
  },
  exit: async ({ code }) => {
    await written();
    process.exit(code);
  },
  kill: async ({ signal }) => {
    await written();
    endBy(signal);
    // There is no answer: the end of the connection is it.
    await new Promise(() => {});
  },
};

/** @param {Command} command */
async function obey(command) {
  try {
    await commands[command.do]?.(command);
    send({ kind: 'done', id: command.id });
  } catch (error) {
    const { code = 'error', message } = /** @type {NodeJS.ErrnoException} */ (error);
    send({ kind: 'done', id: command.id, error: { code: String(code), message } });
  }
}

/** @param {object} message */
function send(message) {
  sent = new Promise((resolve) => socket.write(`${JSON.stringify(message)}\n`, () => resolve()));
  return sent;
}

/**
 * @param {number} id
 * @param {Buffer} piece
 */
function sendPiece(id, piece) {
  return send({ kind: 'piece', id, data: piece.toString('base64') });
}

/** Without a rig there are no more commands, so this process must end: by SIGKILL, because process.exit() would wait for a write that blocks. */
function leave() {
  if (isConnected) process.kill(process.pid, 'SIGKILL');
  try {
    writeSync(2, `This hook was made by a hook rig that is closed: ${socketPath}. Await its runs before the rig is closed.\n`);
  } catch {
    // The exit code says enough.
  }
  process.exit(1);
}

function ownWords() {
  const label = words[0]?.startsWith('--label=') ? words.shift()?.slice('--label='.length) : undefined;
  const token = words[0]?.startsWith('--fork=') ? words[0].slice('--fork='.length) : undefined;
  return { label, token };
}

function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

/** All earlier writes and reports. */
async function written() {
  await allWritten();
  await sent;
}

/** @param {Command} command */
function fork({ token, detached, stdio, label, env }) {
  const args = [self, socketPath, ...(label === undefined ? [] : [`--label=${label}`]), `--fork=${token}`];
  const child = spawn(process.execPath, args, {
    detached,
    env: env ?? process.env,
    stdio,
  });
  child.once('exit', () => send({ kind: 'fork-ended', token }));
  return new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
}

/**
 * A stopped process cannot see that its rig is gone, so another one watches over it, and stops it, too. That one is started by way of a shell
 * that ends at once, in a session of its own and with nothing of our environment, so that a host that ends or counts what a hook has started
 * does not take it for that.
 * @param {string} token
 */
function startWatcher(token) {
  const args = ['-c', '"$@" &', 'sh', process.execPath, watcher, socketPath, token, String(process.pid)];
  const shell = spawn('/bin/sh', args, { detached: true, env: {}, cwd: '/', stdio: 'ignore' });
  return new Promise((resolve, reject) => shell.once('exit', resolve).once('error', reject));
}

/** A handler that is removed again leaves the default of the system behind, also where Node had its own (SIGUSR1) or ignored it (SIGPIPE). @param {NodeJS.Signals} signal */
function endBy(signal) {
  if (signal !== 'SIGKILL') {
    const handler = () => {};
    process.on(signal, handler);
    process.removeAllListeners(signal);
  }
  process.kill(process.pid, signal);
}
