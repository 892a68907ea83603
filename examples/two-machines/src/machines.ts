import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Processes that this program has started. On your machines, a supervisor such as systemd starts them. */
const started: ChildProcess[] = [];

/** Starts a NATS server on a free port of this machine. Resolves to its address. */
export async function startServer(): Promise<string> {
  // Debian installs the server into a directory that PATH may not contain.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const file = folders.map((folder) => join(folder, 'nats-server')).find(existsSync);
  if (file === undefined) throw new Error('There is no nats-server. Install it: apt-get install nats-server.');
  const { line } = await start(file, ['--addr', '127.0.0.1', '--port', '-1'], {}, /Listening for client connections on (\S+)/);
  return `nats://${line}`;
}

/** A worker: a process that runs the hooks of the workspace. */
export interface Worker {
  /** Sends SIGTERM. The worker finishes what runs, and then ends. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts `tenterhook serve`. Resolves when the worker receives requests. */
export async function startWorker(name: string, server: string): Promise<Worker> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('tenterhook/package.json')), 'bin/tenterhook.js');
  const workspace = join(import.meta.dirname, '../workspace');
  // The workspace is part of this example, so its hooks are trusted.
  const words = [cli, 'serve', '--nats', server, '--cwd', workspace, '--trust-project'];
  const { child } = await start(process.execPath, words, { WORKER: name }, /note: serving (\S+)/);
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Ends all processes that still run. */
export async function stopAll(): Promise<void> {
  const running = started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}

/** Starts a process. Resolves when it has written a line that matches to stderr, with the first group of the match. */
async function start(file: string, words: readonly string[], variables: Record<string, string>, ready: RegExp) {
  const child = spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...variables } });
  started.push(child);
  const lines: string[] = [];
  const line = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${file} ended:\n${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (text) => {
      const found = ready.exec(text)?.[1];
      if (found !== undefined) resolve(found);
      else if (lines.length < 100) lines.push(text);
    });
  });
  return { child, line };
}
