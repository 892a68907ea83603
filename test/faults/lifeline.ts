import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** Put it before the command of a hook: every process that the command starts then holds the lifeline of its project. */
export const holdLifeline = 'exec 9> lifeline; ';

/**
 * A named pipe that the processes of a hook hold open. It ends when the last of them has ended, in the process group or outside of it. A
 * search in /proc would miss processes that live for milliseconds.
 */
export interface Lifeline {
  readonly isReleased: boolean;
  /** Resolves when processes have held the pipe and no process holds it any more. */
  readonly released: Promise<void>;
}

/** Opens the pipe. Call it before the hook starts, which would otherwise wait for a reader of the pipe. */
export function openLifeline(directory: string): Lifeline {
  const path = join(directory, 'lifeline');
  execFileSync('mkfifo', [path]);
  const socket = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
  let isReleased = false;
  const released = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => {
      isReleased = true;
      resolve();
    });
  });
  // If no process ever holds the pipe, the test fails by its own timeout; the socket does not keep the process running.
  socket.resume().unref();
  return {
    released,
    get isReleased() {
      return isReleased;
    },
  };
}
