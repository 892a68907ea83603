import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { HookEngine } from '@tenterhook/handlers';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { until } from '../support/until.js';

const deadlineMs = 1500;

let folder: string;
let transport: Transport;
let bus: MessageBus;
let agent: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stopped-agent-'));
  transport = await listenOnSocket({ path: join(folder, 'hub') });
  bus = new MessageBus({ transport });
});

afterEach(async () => {
  if (agent.exitCode === null && agent.signalCode === null) {
    const exited = once(agent, 'exit');
    agent.kill('SIGKILL');
    await exited;
  }
  await bus.close();
  await transport.close();
  rmSync(folder, { recursive: true });
});

/** The third field of /proc/<pid>/stat, behind the name in parentheses. */
function isStopped(pid: number): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('T') === true;
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('an agent that was stopped past the deadline takes the answer that came meanwhile', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'guard', event_type: 'pre_tool_use', config: { timeout_ms: deadlineMs } });
  const answered = new Promise<void>((resolve) => {
    engine.register_handler('guard', {
      handle: async () => {
        agent.kill('SIGSTOP');
        await until('the agent is stopped', () => isStopped(agent.pid as number));
        resolve();
        return { action: 'Block', reason: 'said in time' };
      },
    });
  });
  engine.connect(bus, { name: 'policy' });
  agent = fork(join(import.meta.dirname, 'agent-process.mjs'), [join(folder, 'hub'), folder], { execArgv: [] });
  const told = once(agent, 'message');
  await answered;
  // No event tells of a deadline in a process that is stopped. It began before the stop, so that it is over now; an agent that was slow
  // before the stop takes the answer before its deadline, which is no failure of this test either.
  await pause(deadlineMs + 100);
  agent.kill('SIGCONT');
  const [said] = await told;
  expect(said).toEqual({ verdict: 'deny', reason: 'said in time', statuses: ['blocked'] });
});
