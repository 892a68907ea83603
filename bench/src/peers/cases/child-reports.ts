import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { json } from 'node:stream/consumers';

/** What a Node process of its own reports about itself, as one line of JSON. */
export async function childReports<Report>(code: string, args: readonly string[] = []): Promise<Report> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir() };
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [report, status] = await Promise.all([json(child.stdout), ended]);
  if (status !== 0) throw new Error(`a measured process ended with ${status}`);
  return report as Report;
}
