import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../support/sources.js';

/** A site that the command has built and serves. */
export interface RunningSite {
  readonly folder: string;
  /** Ends in `/`. */
  readonly url: string;
  /** What the command printed before it served the site. */
  readonly printed: string;
  stop(): Promise<void>;
}

/** Builds the site and serves it, as `npm run docs -- --serve` does after it has built the packages. */
export async function startSite(...options: readonly string[]): Promise<RunningSite> {
  const parent = mkdtempSync(join(tmpdir(), 'tenterhook-site-'));
  const folder = join(parent, 'site');
  const command = spawn(process.execPath, [join(root, 'site/dist/main.js'), '--serve', '--port', '0', '--out', folder, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  command.stderr.on('data', (text) => {
    printed += text;
  });
  for await (const line of createInterface(command.stdout)) {
    const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
    if (url !== undefined) return { folder, url, printed, stop: () => stop(command, parent) };
    printed += `${line}\n`;
  }
  rmSync(parent, { recursive: true, force: true });
  throw new Error(`The command ended without a site:\n${printed}`);
}

async function stop(command: ChildProcess, folder: string): Promise<void> {
  const ended = once(command, 'exit');
  command.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
