import { connect } from 'node:net';
import { dirname } from 'node:path';
import { isNamedPipe } from '../limits.js';
import { type SocketErrorCode, SocketTransportError } from '../socket-error.js';
import { findSocket, isSameFile, type SocketPlace } from '../socket-place.js';
import { FrameSocket, type FrameSocketOptions } from '../wire/frame-socket.js';
import { asHubFrame, type HubFrame, protocolVersion, readHubFrame, readWelcome, type Welcome } from '../wire/socket-protocol.js';

/**
 * Milliseconds within which a hub must answer. The limit exists because a paused process (SIGSTOP) accepts connections but never
 * answers.
 */
const welcomeMs = 5000;

export interface LinkEvents {
  /**
   * Called when the connection is open. The client then sends its hello; the hub has not answered yet. `folder` is where the socket is,
   * undefined for a named pipe.
   */
  readonly onConnect: (link: FrameSocket, folder: string | undefined) => void;
  /** Called when the hub has received the hello. */
  readonly onWelcome: (welcome: Welcome) => void;
  /** Called for each frame after the welcome. Returns false if the frame is invalid. */
  readonly onFrame: (frame: HubFrame) => boolean;
  /** Called when the connection ends. Not called before the welcome. */
  readonly onEnd: () => void;
}

/**
 * Makes one attempt to connect. Resolves when the hub has sent its welcome. Rejects with a SocketTransportError, or with an error
 * of the system. Nothing is sent to a socket of another user. The socket is checked before connecting and again after, because
 * another user may replace it in between.
 */
export function openLink(
  path: string,
  limits: Pick<FrameSocketOptions, 'maxFrameBytes' | 'maxWaitingBytes'>,
  events: LinkEvents,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isWelcome = false;
    const place = findSocket(path);
    const socket = connect({ path: place.path });
    const timer = setTimeout(() => link.cut(`no welcome within ${welcomeMs} ms`), welcomeMs);
    let problem: unknown;
    const giveUp = () => {
      problem ??= new Error('The hub has not answered yet.');
      link.cut('the attempt to connect was cancelled');
    };
    socket.once('error', (error) => {
      // Destroying the socket causes a second error, which is ignored.
      problem ??= error;
    });
    const greet = (frame: HubFrame): boolean => {
      if (frame.kind === 'turned-away') {
        problem = turnedAway(path, frame.code, frame.message);
        link.end();
        return true;
      }
      if (frame.kind !== 'welcome') return false;
      const welcome = frame.protocol === protocolVersion ? readWelcome(frame) : undefined;
      if (welcome === undefined) {
        const versions = `The hub at ${path} uses version ${frame.protocol} of the socket protocol, and this client uses version ${protocolVersion}.`;
        problem = turnedAway(path, 'version_mismatch', versions);
        link.end();
        return true;
      }
      isWelcome = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      // Called before the promise resolves, because the chunk with the welcome may contain further frames.
      events.onWelcome(welcome);
      resolve();
      return true;
    };
    const link: FrameSocket = new FrameSocket(socket, {
      ...limits,
      name: `the connection to ${path}`,
      onFrame: (value, isChecked) => {
        const frame = isChecked ? asHubFrame(value) : readHubFrame(value);
        if (frame === undefined) return false;
        return isWelcome ? events.onFrame(frame) : greet(frame);
      },
      onEnd: () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        if (isWelcome) events.onEnd();
        else reject(problem ?? new Error('The hub ended the connection before it answered.'));
      },
    });
    socket.once('connect', () => {
      problem ??= findReplacement(path, place);
      if (problem === undefined) events.onConnect(link, isNamedPipe ? undefined : dirname(place.path));
      else link.cut('the socket is not the one that was checked');
    });
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}

/** Returns an error if the path no longer leads to the socket that was checked. */
function findReplacement(path: string, { socket }: SocketPlace): unknown {
  if (isNamedPipe) return undefined;
  try {
    const { socket: now } = findSocket(path);
    const isSame = socket !== undefined && now !== undefined && isSameFile(socket, now);
    return isSame ? undefined : new Error('The file of the socket was replaced during the attempt to connect.');
  } catch (error) {
    return error;
  }
}

const knownCodes: readonly string[] = ['version_mismatch', 'too_many_connections'] satisfies SocketErrorCode[];

function turnedAway(path: string, code: string, message: string): SocketTransportError {
  const known = knownCodes.includes(code) ? (code as SocketErrorCode) : 'no_hub';
  const remedy = known === 'version_mismatch' ? 'Use one version of @tenterhook/transport-socket in all processes.' : 'Try again later.';
  return new SocketTransportError(known, `The hub at ${path} refused the connection: ${message}`, remedy);
}

const firstMs = 50;
const longestMs = 2000;

/** Milliseconds until the next attempt: 50 at first, doubled each time up to 2000. */
export function retryDelay(attempt: number): number {
  return Math.min(firstMs * 2 ** Math.min(attempt, 10), longestMs);
}

/**
 * Waits between attempts to connect. The wait keeps the process alive only while there are subscribers or servers. A process that
 * only serves has nothing else to keep it alive while its agent restarts. A process that only published must be able to end.
 */
export class RetryTimer {
  readonly #isWanted: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;

  constructor(isWanted: () => boolean) {
    this.#isWanted = isWanted;
  }

  wait(attempt: number): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(resolve, retryDelay(attempt));
      this.update();
    });
  }

  /** Call this method when the result of `isWanted` may have changed. */
  update(): void {
    if (this.#isWanted()) this.#timer?.ref();
    else this.#timer?.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#resolve?.();
  }
}
