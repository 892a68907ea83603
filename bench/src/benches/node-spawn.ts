import { spawn } from 'node:child_process';

/** The baseline: runs a command with Node's own spawn and pipes, until `close`. Resolves to its output. */
export function nodeSpawn(shell: string, command: string, stdin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.resume();
    // Ignored, because a command need not read its input.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    child.stdin.end(stdin);
  });
}
