import { closeSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clientBounds, listens } from '@tenterhook/relay';
import { startDetached } from '@tenterhook/spawner/internal';

export interface DaemonStart {
  readonly socket: string;
  readonly node: string;
  readonly script: string;
  readonly log: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly waitMs: number;
}

const pauseMs = 5;
const staleMs = clientBounds.staleS * 1000;

/** Starts the daemon, or waits while another client starts it. Resolves to whether a daemon listens. */
export async function startDaemon(start: DaemonStart): Promise<boolean> {
  const { socket, waitMs } = start;
  const lock = `${socket}.lock`;
  const isOurs = takeLock(lock);
  let isStarting = !isOurs || (await isStarted(start, () => (isStarting = false)));
  try {
    for (const until = performance.now() + waitMs; performance.now() < until; await pause(pauseMs)) {
      // Looked at before the attempt: without a lock the other client has ended its own.
      const goesOn = isOurs ? isStarting : statSync(lock, { throwIfNoEntry: false }) !== undefined;
      if (await listens(socket)) return true;
      if (!goesOn) return false;
    }
    return false;
  } finally {
    if (isOurs) releaseLock(lock);
  }
}

async function isStarted({ node, script, log, environment }: DaemonStart, onEnd: () => void): Promise<boolean> {
  const output = log === undefined ? undefined : openLog(log);
  // The daemon belongs to no hook, also if a hook has started the agent.
  const inherited = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const env = Object.fromEntries(inherited.filter(([name]) => name !== 'TENTERHOOK_JOB'));
  const started = await startDetached({ file: node, args: [script, 'relay', 'serve'], cwd: '/', env, output });
  if (output !== undefined) closeSync(output);
  if ('error' in started) return false;
  void started.ended.then(onEnd);
  return true;
}

function openLog(file: string): number | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'a', 0o600);
  } catch {
    return undefined;
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < staleMs) return false;
    releaseLock(lock);
    return takeLock(lock);
  }
}

function releaseLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Another client has removed a lock that was too old.
  }
}
