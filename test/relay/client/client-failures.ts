import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { until } from '../../support/until.js';
import { llxprtGuard, RelayedAgent } from '../relayed-agent.js';

const P = { session_id: 's1', tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });
const denied = { status: 0, stdout: '{"decision":"deny","reason":"no"}\n', stderr: '' };
const lost = {
  open: { systemMessage: expect.stringContaining('could not answer') },
  closed: { decision: 'deny', reason: expect.stringContaining('could not answer') },
};

/** Listens where the daemon should. `answer` gets each connection when the client has sent everything. */
async function listenAt(agent: RelayedAgent, answer: (socket: Socket) => void): Promise<Server> {
  mkdirSync(agent.folder, { recursive: true, mode: 0o700 });
  rmSync(agent.socket, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.resume().once('end', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(agent.socket, resolve));
  return server;
}

/** Ends the daemon, so that another program can listen in its place. */
async function stopped(agent: RelayedAgent): Promise<void> {
  agent.program(agent.client, ['tenterhook', 'stop'], '');
  await until('the daemon has ended', () => !existsSync(agent.socket));
}

/** Defines the tests of what can go wrong between an agent and the guards, for a kind of client. */
export function testClientFailures(kind: 'compiled' | 'script'): void {
  const agent = new RelayedAgent('gemini-cli');
  beforeEach(() => agent.installClient(kind));
  afterAll(() => agent.remove());
  const ask = async (args: readonly string[] = [], payload: object | string = P) => agent.start('BeforeTool', payload, args).ended;

  test.each([
    [['--closed', '--on-failure', 'open']],
    [['--on-failure', 'open', '--closed']],
    [['--on-failure', 'closed', '--on-failure', 'open']],
    [['--on-failure', 'open', '--on-failure', 'closed']],
  ])('of %j the stricter counts, for a stored answer, the daemon and a process of its own', async (args) => {
    agent.list([deny]);
    const answers = [
      await ask(args, 'not json'),
      await agent.start('BeforeTool', 'not json', args, { TENTERHOOK_RELAY_DAEMON: '0' }).ended,
    ];
    const denial = { decision: 'deny', reason: expect.stringContaining('not valid JSON') };
    expect(answers.map(({ stdout }) => JSON.parse(stdout))).toEqual([denial, denial]);
    await stopped(agent);
    const server = await listenAt(agent, (socket) => socket.end('+'));
    const { stdout } = await ask(args);
    await new Promise((resolve) => server.close(resolve));
    expect(JSON.parse(stdout)).toEqual(lost.closed);
  });

  describe('another program listens', () => {
    test.each([
      ['closes the connection', (socket: Socket) => socket.end()],
      ['answers in another protocol', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['answers as a later version', (socket: Socket) => socket.end('TH2 0 2 0\n{}')],
    ])('that %s: the event is answered in a process of its own', async (_what, answer) => {
      agent.list([deny]);
      const server = await listenAt(agent, answer);
      expect(await ask()).toEqual(denied);
      await new Promise((resolve) => server.close(resolve));
    });

    test.each([
      ['nothing', ''],
      ['another protocol', 'TH2 0 2 0\n{}'],
      ['no number', 'TH1 x 2 0\n{}'],
      ['a negative number', 'TH1 0 -2 0\n{}'],
      ['a number that is too large', 'TH1 0 99999999999999999999 0\n{}'],
      ['half an answer', 'TH1 0 200 0\n{"decision":'],
    ])('that takes the event, and then writes %s: the answer is that for a failure', async (_what, text) => {
      agent.list([deny]);
      const server = await listenAt(agent, (socket) => socket.end(`+${text}`));
      const [open, closed] = [await ask(), await ask(['--closed', '--on-failure', 'open'])];
      await new Promise((resolve) => server.close(resolve));
      expect({ status: open.status, answer: JSON.parse(open.stdout) }).toEqual({ status: 0, answer: lost.open });
      expect({ status: closed.status, answer: JSON.parse(closed.stdout) }).toEqual({ status: 0, answer: lost.closed });
    });
  });

  test('a folder of another mode: nothing is sent there', async () => {
    agent.list([deny]);
    let connections = 0;
    const server = await listenAt(agent, (socket) => {
      connections += 1;
      socket.end();
    });
    chmodSync(agent.folder, 0o770);
    expect(await ask()).toEqual(denied);
    chmodSync(agent.folder, 0o700);
    await new Promise((resolve) => server.close(resolve));
    expect(connections).toBe(0);
  });

  test.each([
    ['nothing', ''],
    ['half an object', JSON.stringify(P).slice(0, 40)],
    ['no text', '\0\0\0'],
  ])('%s on stdin is answered by the policy', async (_what, text) => {
    agent.list([deny]);
    const [open, closed] = [await ask([], text), await ask(['--closed'], text)];
    expect(JSON.parse(open.stdout)).toEqual({ systemMessage: expect.stringContaining('not valid JSON') });
    expect(JSON.parse(closed.stdout)).toEqual({ decision: 'deny', reason: expect.stringContaining('not valid JSON') });
  });

  test('neither a daemon nor a process of its own can be started: the answer is that for a failure', async () => {
    agent.list([deny]);
    rmSync(agent.folder, { recursive: true, force: true });
    const script = join(agent.home, 'broken.cjs');
    writeFileSync(script, 'process.exit(1);\n');
    agent.installClient(kind, script);
    // Of the script for Node, the part that answers is a file of its own.
    const args = kind === 'script' ? [] : ['--closed'];
    const { status, stdout } = await ask(args);
    if (kind === 'compiled') expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: lost.closed });
    else expect({ status, stdout }).toEqual({ status: 0, stdout: denied.stdout });
  });

  // The script finds Node and the command without the file.
  if (kind === 'compiled')
    test('without a stored answer, a failure is silent, and with closed an exit code that denies', async () => {
      const unknown = async (args: readonly string[]) => {
        agent.installClient(kind, join(agent.home, 'gone.cjs'));
        writeFileSync(`${agent.client}.conf`, '');
        return agent.start('BeforeTool', P, args, { TENTERHOOK_RELAY_DAEMON: '0' }).ended;
      };
      expect(await unknown([])).toEqual({ status: 0, stdout: '', stderr: '' });
      expect(await unknown(['--closed'])).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining('relay install') });
    });

  test('words that the daemon does not know are explained as by the command', async () => {
    const { status, stdout, stderr } = await ask(['--on-failure', 'maybe']);
    expect({ status, stdout, stderr }).toEqual({ status: 64, stdout: '', stderr: expect.stringContaining('maybe') });
  });
}
