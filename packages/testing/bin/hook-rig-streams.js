/** The three standard streams of a remote-controlled hook. None is touched by loading this. */
import { close, closeSync, constants, open, openSync, read, write } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** @typedef {'stdout' | 'stderr'} Output */
/** @typedef {'stdin' | Output} Stream */

const descriptors = { stdin: 0, stdout: 1, stderr: 2 };
/** @type {Set<Stream>} */
const closed = new Set();
/** What is written to one stream is written in order. @type {Record<Output, Promise<void>>} */
const writing = { stdout: Promise.resolve(), stderr: Promise.resolve() };
/** Milliseconds until a descriptor that said EAGAIN is tried again. */
const againMs = 5;
let isReadingStdin = false;

/** Never rejects: who ordered the writing hears of its failures. */
export async function allWritten() {
  await Promise.all(Object.values(writing));
}

/**
 * @param {Output} stream
 * @param {Buffer} bytes
 */
export function writeBytes(stream, bytes) {
  return inOrder(stream, () => writeAll(stream, bytes));
}

/** @param {Stream} stream */
export function closeStream(stream) {
  return stream === 'stdin' ? closeStdin() : inOrder(stream, async () => shutStream(stream));
}

/**
 * @param {Output} stream
 * @param {() => Promise<void>} task
 */
function inOrder(stream, task) {
  const done = writing[stream].then(task);
  writing[stream] = done.catch(() => {});
  return done;
}

/**
 * Not writeSync: while a pipe is full it would block the one thread that hears orders, and that sees the rig go.
 * @param {Stream} stream
 * @param {Buffer} bytes
 */
async function writeAll(stream, bytes) {
  requireOpen(stream);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += (await promisify(write)(descriptors[stream], bytes, offset)).bytesWritten;
    } catch (error) {
      // Another process that shares the other end of the pipe may have made it non-blocking.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      await pause(againMs);
    }
  }
}

/**
 * @param {Output} stream
 * @param {number} bytes
 * @param {number} chunkBytes
 */
export function flood(stream, bytes, chunkBytes) {
  return inOrder(stream, async () => {
    const chunk = Buffer.alloc(Math.min(bytes, chunkBytes), 'x');
    for (let left = bytes; left > 0; left -= chunk.length) await writeAll(stream, chunk.subarray(0, left));
  });
}

/**
 * Not fs.read: process.exit() waits for a thread that blocks in it, and a hook has to end while its stdin does not.
 * @param {(piece: Buffer) => Promise<void>} give
 */
export async function readStdin(give) {
  requireOpen('stdin');
  isReadingStdin = true;
  for await (const piece of process.stdin) await give(piece);
}

/**
 * Opened so that it never blocks, for the same reason: who waits for more looks again.
 * @param {(piece: Buffer) => Promise<void>} give
 */
export async function reopenStdin(give) {
  const fd = await promisify(open)('/dev/stdin', constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    for (;;) {
      const { bytesRead, buffer } = await promisify(read)(fd, Buffer.alloc(65_536), 0, 65_536, null).catch(waitWhereAgain);
      if (bytesRead === 0) return;
      if (buffer !== undefined) await give(buffer.subarray(0, bytesRead));
    }
  } finally {
    await promisify(close)(fd);
  }
}

/** @param {NodeJS.ErrnoException} error */
async function waitWhereAgain(error) {
  if (error.code !== 'EAGAIN') throw error;
  await pause(againMs);
  return { bytesRead: -1, buffer: undefined };
}

function closeStdin() {
  requireOpen('stdin');
  // Where it is a pipe that was read, the loop must let go of the descriptor before its number is free. Node itself never closes 0.
  if (isReadingStdin && process.stdin instanceof Socket) process.stdin.destroy();
  shutStream('stdin');
}

/**
 * /dev/null takes the number, as the lowest one that is free. Were it left free, libuv would open something of its own there, and abort when
 * it closes that: it takes for granted that 0, 1 and 2 are not its own.
 * @param {Stream} stream
 */
function shutStream(stream) {
  requireOpen(stream);
  closed.add(stream);
  closeSync(descriptors[stream]);
  openSync(devNull, 'r+');
}

/** @param {Stream} stream */
function requireOpen(stream) {
  if (closed.has(stream)) throw Object.assign(new Error(`${stream} is closed`), { code: 'EBADF' });
}
