import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { HookRig } from '../../src/index.js';
import { asHost } from './hosts.js';

/** Starts a hook, and does not read its stdout. */
export async function startFloodable(rig: HookRig) {
  const child = spawn('bash', ['-c', rig.command()], { stdio: ['ignore', 'pipe', 'ignore'] });
  asHost(child);
  const exit = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return { child, exit, run: await rig.nextRun() };
}
