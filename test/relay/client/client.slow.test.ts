import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isRunning } from '../../faults/process-state.js';
import { until } from '../../support/until.js';
import { groups, llxprtGuard, RelayedAgent } from '../relayed-agent.js';
import { testClientFailures } from './client-failures.js';

describe('the script for machines without the compiled client', () => testClientFailures('script'));

const P = { session_id: 's1', tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });

/** Listens where the daemon should, and writes one text to each client. Reads nothing. */
async function listenAt({ folder, socket: path }: RelayedAgent, text: string): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.write(text);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

describe.each(['compiled', 'script'] as const)('%s', (kind) => {
  const agent = new RelayedAgent('gemini-cli');
  beforeAll(() => agent.installClient(kind));
  afterAll(() => agent.remove());

  test('a daemon that does nothing does not get the event', async () => {
    agent.list([deny]);
    const close = await listenAt(agent, '');
    const { status, stdout } = await agent.start('BeforeTool', P).ended;
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: { decision: 'deny', reason: 'no' } });
    close();
  });

  test('a daemon that takes the event and does nothing has the time of the budget', async () => {
    const close = await listenAt(agent, '+');
    const { status, stdout } = await agent.start('BeforeTool', P, ['--budget', '1', '--closed']).ended;
    expect({ status, answer: JSON.parse(stdout) }).toEqual({
      status: 0,
      answer: { decision: 'deny', reason: expect.stringContaining('could not answer') },
    });
    close();
  });

  test('a daemon that does nothing leaves time of the budget for another process', async () => {
    agent.list([deny]);
    const close = await listenAt(agent, '');
    const { status, stdout } = await agent.start('BeforeTool', P, ['--budget', '8', '--closed']).ended;
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: { decision: 'deny', reason: 'no' } });
    close();
  });

  test('an input of 50 MB is judged', async () => {
    const guard = groups('llxprt', 'BeforeTool', `cat > /dev/null; printf '{"decision":"deny","reason":"long"}'`);
    agent.list([guard]);
    const large = { ...P, tool_input: { command: 'x'.repeat(50 * 1024 * 1024) } };
    const { status, stdout } = await agent.start('BeforeTool', large).ended;
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: { decision: 'deny', reason: 'long' } });
  });

  const lost = { decision: 'deny', reason: expect.stringContaining('could not answer') };

  test('an agent that does not end its input is answered within the budget', async () => {
    const child = spawn(agent.client, ['gemini-cli', 'BeforeTool', '--budget', '1', '--closed'], { env: agent.environment });
    child.stdin.write(JSON.stringify(P));
    const stdout = await text(child.stdout);
    expect(JSON.parse(stdout)).toEqual(lost);
    child.stdin.destroy();
  });
});

test('a process of its own that does not answer is ended, and the answer is that for a failure', async () => {
  const agent = new RelayedAgent('gemini-cli');
  const script = join(agent.home, 'hangs.cjs');
  writeFileSync(script, `require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);\n`);
  agent.installClient('compiled', script);
  const args = ['--budget', '1', '--closed'];
  const { status, stdout } = await agent.start('BeforeTool', P, args, { TENTERHOOK_RELAY_DAEMON: '0' }).ended;
  expect({ status, answer: JSON.parse(stdout) }).toEqual({
    status: 0,
    answer: { decision: 'deny', reason: expect.stringContaining('could not answer') },
  });
  await until('it has ended', () => !isRunning(Number(readFileSync(join(agent.project, 'pid'), 'utf8'))));
  agent.remove();
});
