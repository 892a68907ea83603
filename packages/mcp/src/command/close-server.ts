import { onAbort, wait } from '@tenterhook/runtime/async';
import type { PipedProcess } from '@tenterhook/spawner/internal';

/** Milliseconds in which a server ends when its input has ended, between SIGTERM and SIGKILL, and for what a server leaves behind. */
const graceMs = { input: 2000, terminated: 5000, rest: 500 };

/** Milliseconds after a signal to us. Clients send SIGKILL two seconds after their SIGTERM, and the server must be gone before us. */
const hurriedMs = 1500;

/**
 * Ends a server: end of its input, then SIGTERM, then SIGKILL. Resolves when its process group is empty. After an abort of `hurry` the
 * server has 1.5 s.
 */
export async function closeServer(server: PipedProcess, hurry: AbortSignal): Promise<void> {
  server.stdin.end();
  const waiting = new AbortController();
  const end = () => waiting.abort();
  let hasEnded = false;
  void server.ended.then(() => {
    hasEnded = true;
    end();
  });
  if (hurry.aborted) end();
  else onAbort(hurry, end);
  await wait(graceMs.input, waiting.signal);
  const killed = server.kill(hasEnded ? graceMs.rest : hurry.aborted ? hurriedMs : graceMs.terminated);
  if (!hurry.aborted) onAbort(hurry, () => void server.kill(hurriedMs));
  await Promise.all([killed, server.ended]);
}
