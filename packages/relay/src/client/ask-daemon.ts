import { connect, type Socket } from 'node:net';
import { type DaemonAnswer, type DaemonRequest, formatRequest, maxRequestBytes, parseAnswer } from '../daemon/message.js';
import { clientBounds } from './client-bounds.js';

/** What became of a request. */
export type DaemonReply =
  | { readonly kind: 'answered'; readonly answer: DaemonAnswer }
  /** There is no daemon, or it has not taken the request. No guard ran. */
  | { readonly kind: 'not-taken' }
  /** The daemon has taken the request and ended. Guards may have run. */
  | { readonly kind: 'lost' };

const { takingMs, partBytes } = clientBounds;

/** Times of `performance.now()`. */
export interface AskingTimes {
  /** When the guards must have answered. A daemon that does not take the event leaves half of the time for another process. */
  readonly budgetUntil: number;
  /** When the answer comes too late. */
  readonly answeredBy: number;
}

/** Asks the daemon that listens on a socket. */
export async function askDaemon(socket: string, request: DaemonRequest, times: AskingTimes): Promise<DaemonReply> {
  const bytes = formatRequest(request);
  if (bytes.length > maxRequestBytes) return { kind: 'not-taken' };
  const connection = await connected(socket);
  if (connection === undefined) return { kind: 'not-taken' };
  try {
    return await exchange(connection, bytes, times);
  } finally {
    connection.destroy();
  }
}

/** Connects to a socket. Resolves to undefined if nothing listens there. */
function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

async function exchange(connection: Socket, request: Buffer, { budgetUntil, answeredBy }: AskingTimes): Promise<DaemonReply> {
  let isTaken = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.destroy(), Math.max(0, ms));
  };
  const waitForTaking = () => wait(Math.min(takingMs, (budgetUntil - performance.now()) / 2));
  waitForTaking();
  // Large inputs need longer than a small one, so each part that is read by the daemon starts the time again.
  const sending = (from: number) => {
    const to = from + partBytes;
    connection.write(request.subarray(from, to), () => {
      if (!isTaken) waitForTaking();
      if (to < request.length) sending(to);
      else connection.end();
    });
  };
  sending(0);
  const chunks: Buffer[] = [];
  connection.on('error', () => {});
  try {
    for await (const chunk of connection) {
      chunks.push(chunk as Buffer);
      if (isTaken) continue;
      if (chunks[0]?.[0] !== 0x2b) return { kind: 'not-taken' };
      isTaken = true;
      wait(answeredBy - performance.now());
    }
  } catch {
    // The connection broke. What has arrived decides.
  } finally {
    clearTimeout(timer);
  }
  const answer = isTaken ? parseAnswer(Buffer.concat(chunks).subarray(1)) : undefined;
  return answer === undefined ? { kind: isTaken ? 'lost' : 'not-taken' } : { kind: 'answered', answer };
}
