import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of the program, or undefined. Debian installs it into a directory that PATH may not contain. */
export function findNatsServer(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nats-server')).find(existsSync);
}

/** Starts a server on a free port. Resolves to its address, and a function that ends it. */
export async function startNatsServer(file: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const child = spawn(file, ['--addr', '127.0.0.1', '--port', '-1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let written = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`nats-server ended: ${written}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      if (written.length < 100_000) written += chunk.toString();
      const address = /Listening for client connections on (\S+)/.exec(written)?.[1];
      if (address !== undefined && written.includes('Server is ready')) resolve(`nats://${address}`);
    });
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { url, stop };
}
