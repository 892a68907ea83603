import { spawn } from 'node:child_process';

/** The baseline: runs the same command with Node's own spawn and pipes, until `close`. Resolves to its output. */
export function nodeSpawn(shell: string, command: string, stdin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.resume();
    // A command that does not read its input is normal.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    child.stdin.end(stdin);
  });
}
