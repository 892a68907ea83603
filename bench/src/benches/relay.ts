import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Bench, Mark, Variant } from '../bench.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const cli = here('../../../packages/tenterhook/bin/tenterhook.js');
const baseline = 'sh -c true';
const relayed = 'the client, idle daemon';
const cold = 'tenterhook fire, cold';
const empty = '{}\n';

/**
 * One event of an agent from the start of its hook to its end: through the client and a daemon that has nothing else to do, beside other
 * clients of the same daemon and a command that starts anew. No guard is asked, so the time is that of the way alone.
 */
export async function relay(): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'tenterhook-bench-'));
  const runtime = join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const settings = join(home, 'none.json');
  writeFileSync(settings, '{}');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: runtime };
  const call = { tool_name: 'run_shell_command', tool_input: { command: 'ls', text: 'x'.repeat(850) } };
  const payload = JSON.stringify({
    session_id: 'bench',
    transcript_path: '',
    cwd: home,
    hook_event_name: 'BeforeTool',
    timestamp: '',
    ...call,
  });
  const run = (file: string, args: readonly string[], stdin = payload) => ended(file, args, stdin, { cwd: home, env });

  await run(process.execPath, [cli, 'relay', 'install', '--agent', 'gemini-cli']);
  const client = join(home, '.local/share/tenterhook/bin/tenterhook-hook');
  // The first event starts the daemon, and the second finds its code compiled.
  for (let count = 0; count < 20; count += 1) await run(client, ['gemini-cli', 'BeforeTool']);
  const socket = join(runtime, 'tenterhook/relay-1.sock');
  // The program itself, because `python3` may be a script that looks for it.
  const python = (await run('python3', ['-c', 'import sys; print(sys.executable)'])).stdout.trim();
  const web = await answering(join(runtime, 'web.sock'));

  const variant = (name: string, file: string, args: readonly string[], wanted: string, stdin = payload): Variant => ({
    name,
    run: async () => {
      const { status, stdout } = await run(file, args, stdin);
      if (status !== 0 || !stdout.includes(wanted)) throw new Error(`${name} did not work: ${JSON.stringify({ status, stdout })}`);
    },
  });
  return {
    name: 'relay: one event of an agent',
    note: 'no guard is asked. The clients in Node and Python speak to the same daemon; curl speaks to an http server that answers at once.',
    unit: 'ms',
    warmup: 5,
    rounds: 60,
    variants: [
      variant(baseline, 'sh', ['-c', 'true'], ''),
      variant(relayed, client, ['gemini-cli', 'BeforeTool'], empty),
      variant('a client in Python', python, ['-I', '-S', '-c', pythonClient, socket], empty),
      variant('a client in Node', process.execPath, ['-e', nodeClient, socket], empty),
      variant('curl', 'curl', ['-s', '--data-binary', '@-', '--unix-socket', join(runtime, 'web.sock'), 'http://localhost/'], empty),
      variant('tenterhook relay run', process.execPath, [cli, 'relay', 'run', '--agent', 'gemini-cli', '--event', 'BeforeTool'], empty),
      variant(
        cold,
        process.execPath,
        [cli, 'fire', 'BeforeTool', '--settings', settings, '--input', JSON.stringify(call), '--json'],
        'true',
      ),
    ],
    marks: [
      atMost(3, relayed, baseline, `one event through the client takes at most 3 times ${baseline}`),
      atMost(0.1, relayed, cold, `one event through the client takes at most a tenth of ${cold}`),
    ],
    dispose: async () => {
      await run(client, ['tenterhook', 'stop'], '');
      await web();
      rmSync(home, { recursive: true, maxRetries: 5 });
    },
  };
}

function atMost(times: number, name: string, other: string, claim: string): Mark {
  return {
    text: claim,
    reached: (median) => ({ reached: median(name) <= times * median(other), measured: `${(median(name) / median(other)).toFixed(2)}x` }),
  };
}

/** Sends what it reads on stdin, with the word `plain`, to which the daemon answers with stdout alone. */
const nodeClient = `
const socket = require('node:net').connect({ path: process.argv[1], allowHalfOpen: true });
socket.write('TH1 0 gemini-cli BeforeTool plain\\nHOME=' + process.env.HOME + '\\0\\0');
process.stdin.pipe(socket).pipe(process.stdout);
`;
const pythonClient = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(b'TH1 0 gemini-cli BeforeTool plain\\nHOME=' + os.environb[b'HOME'] + b'\\0\\0' + sys.stdin.buffer.read())
s.shutdown(socket.SHUT_WR)
sys.stdout.buffer.write(b''.join(iter(lambda: s.recv(65536), b'')))
`;

async function ended(file: string, args: readonly string[], stdin: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  // A command that does not read its input may end before all of it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { stdout: await text(child.stdout), status: await closed };
}

/** Starts an http server on a socket. Resolves to a function that stops it. */
async function answering(path: string): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end(empty));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
}
