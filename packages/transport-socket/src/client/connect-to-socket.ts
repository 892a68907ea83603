import { setTimeout as delay } from 'node:timers/promises';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { describeThrown, requireOptions } from '@tenterhook/runtime/text';
import { checkLimits, checkPath, requireInteger, requirePath, requireSignal, type SocketLimits } from '../limits.js';
import { SocketTransportError } from '../socket-error.js';
import { retryDelay } from './open-link.js';
import { SocketClient } from './socket-client.js';

export interface ConnectToSocketOptions extends SocketLimits {
  /** The path at which the hub listens. */
  readonly path: string;

  /** Milliseconds until the attempt to connect fails, from 1 to 2147483647. @default 5000 */
  readonly timeoutMs?: number | undefined;

  /** Aborts the attempt to connect. Has no effect once the client is connected. @default none */
  readonly signal?: AbortSignal | undefined;
}

const optionNames = Object.keys({
  path: true,
  timeoutMs: true,
  signal: true,
  maxMessageBytes: true,
  maxWaitingBytes: true,
} satisfies Record<keyof ConnectToSocketOptions, true>);

export async function connectToSocket(options: ConnectToSocketOptions): Promise<SocketClient> {
  requireOptions('connectToSocket', options, optionNames);
  const { path, timeoutMs = 5000, signal, ...limits } = options;
  requirePath('connectToSocket', path);
  requireInteger('connectToSocket: timeoutMs', timeoutMs, 1, longestTimerMs);
  requireSignal('connectToSocket', signal);
  const client = new SocketClient(path, checkLimits('connectToSocket', limits));
  checkPath(path);
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    await openUntil(client, ending.signal);
    return client;
  } catch (error) {
    await client.close();
    throw explained(error, path, timeoutMs, signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/**
 * Tries to connect until an attempt succeeds or the signal aborts. Rejects with the error of the last attempt. After an error that
 * another attempt would not change, rejects at once.
 */
async function openUntil(client: SocketClient, signal: AbortSignal): Promise<void> {
  let failure: unknown;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await client.open(signal);
    } catch (error) {
      if (error instanceof SocketTransportError) throw error;
      // The error of the previous attempt says more than the error of the aborted attempt.
      if (signal.aborted) throw failure ?? error;
      failure = error;
      await delay(retryDelay(attempt), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw failure;
    }
  }
}

function explained(error: unknown, path: string, timeoutMs: number, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) {
    const what = `The signal ended the attempt to connect to the hub at ${path}.`;
    return new SocketTransportError('cancelled', what, 'Nothing is left open.', { cause: signal.reason });
  }
  if (error instanceof SocketTransportError) return error;
  const what = `No hub answered at ${path} within ${timeoutMs} ms (${describeThrown(error)}).`;
  const remedy = 'Start the hub with listenOnSocket({ path }) for this path, as the same user. You can start clients before the hub.';
  return new SocketTransportError('no_hub', what, remedy, { cause: error });
}
