/**
 * Runs the static checks. The package checks wait for npm most of the time, so the other checks run at the same time. The output of
 * each check is printed at its end, so that the outputs do not mix.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');

/** Runs scripts of package.json, one after another, until one fails. Returns whether all passed. */
async function runInTurn(...scripts) {
  for (const script of scripts) {
    const child = spawn('npm', ['run', script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    const [printed, reported, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    process.stdout.write(printed);
    process.stderr.write(reported);
    if (status !== 0) return false;
  }
  return true;
}

const passed = await Promise.all([runInTurn('typecheck', 'lint'), runInTurn('check:packages')]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
