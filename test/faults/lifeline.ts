import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** Goes before the command of a hook: every process that the command starts then holds the lifeline of its project. */
export const holdLifeline = 'exec 9> lifeline; ';

/**
 * A named pipe that the processes of a hook hold open. Its end comes when the last of them is gone, in the group or out of it; looking for
 * them in /proc would miss those that live for milliseconds.
 */
export interface Lifeline {
  readonly isReleased: boolean;
  /** Resolves when it was held, and no process holds it any more. */
  readonly released: Promise<void>;
}

/** To be opened before the hook starts: a pipe without a reader would make it wait. */
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
  // Should it never be held, the test fails by its own time, and nothing else has to wait for it.
  socket.resume().unref();
  return {
    released,
    get isReleased() {
      return isReleased;
    },
  };
}
