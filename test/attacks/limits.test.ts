import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { createHooks, HookEngine } from 'tenterhook';
import { withReportingAgent } from '../faults/reporting-agent.js';
import { recordingTool, withCommands } from '../support/agent.js';
import { freshDirectory, ownProcesses, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { attack } from './attack.js';

const call = { name: 'run_shell', input: { command: 'rm -rf /' } };
const denies = `echo 'not that' >&2; exit 2`;

/** Runs `act` when the first hook has started. */
function atStart({ hooks }: Scene, act: (correlationId: string) => void): void {
  const stop = hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload: { kind, correlationId } }) => {
    if (kind !== 'hook-started') return;
    stop();
    act(correlationId);
  });
}

describe('limits of this side', () => {
  attack(
    {
      id: 'overload-opens-guard',
      attacker: 'a model that calls more than a thousand tools at once',
      attempt: 'fill the 1024 places of the bus, so that the other calls are not shown to the guard',
      result: 'each call waits for its turn and is shown to the guard',
    },
    async () => {
      const engine = new HookEngine();
      engine.register({ id: 'guard', event_type: 'pre_tool_use' });
      const handle = async () => {
        await new Promise(setImmediate);
        return { action: 'Block' as const, reason: 'not that' };
      };
      engine.register_handler('guard', { handle });
      await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks }) => {
        const [agent, tool] = [hooks.agent(), recordingTool()];
        const outcomes = await Promise.all(Array.from({ length: 1200 }, () => agent.tool({ ...call, ...tool })));
        expect(new Set(outcomes.map(({ status, before }) => `${status} ${before?.verdict.reason}`))).toEqual(new Set(['blocked not that']));
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'full-queue-opens-guard',
      attacker: 'a model that calls many tools at once',
      attempt: 'fill the queue of hooks that wait for a process, so that the guard of other calls is not started',
      result: 'each call waits for its turn, and its guard is started',
    },
    async () => {
      await withHooks({ settings: settingsOf('BeforeTool', [denies]), limits: { concurrency: 1, queued: 1 } }, async ({ hooks }) => {
        const [agent, tool] = [hooks.agent(), recordingTool()];
        const outcomes = await Promise.all(Array.from({ length: 12 }, () => agent.tool({ ...call, ...tool })));
        expect(outcomes.map(({ status, before }) => [status, before?.verdict.reason])).toEqual(outcomes.map(() => ['blocked', 'not that']));
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'lasting-overload-opens-guard',
      attacker: 'a process that keeps the service busy',
      attempt: 'keep all places of the bus until the agent has waited long enough',
      result: 'the operation is denied at the deadline, with the time after which it may be tried again',
    },
    async () => {
      await using bus = new MessageBus({ cancelGraceMs: 10 });
      bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}), { maxInFlight: 1 });
      void bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: {} });
      const tool = recordingTool();
      const client = createHookClient(bus, { timeoutMs: 200, onUnavailable: 'allow' });
      const outcome = await executeToolWithHooks(client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('overloaded'), retryAfterMs: 1000 });
      expect(tool.calls).toEqual([]);
    },
  );

  attack(
    {
      id: 'no-descriptors-opens-guard',
      attacker: 'a program in the agent that uses up a resource of the machine',
      attempt: 'take all file descriptors, so that the guard cannot be started',
      result: 'the operation is denied at the deadline',
    },
    async () => {
      const program = `
        import { closeSync, openSync } from 'node:fs';
        const settings = { hooks: { BeforeTool: [{ hooks: [{ command: 'echo no >&2; exit 2', timeout: 100 }] }] } };
        const hooks = await createHooks({ sessionId: 's1', settings });
        const agent = hooks.agent({ timeoutMs: 400 });
        const call = { name: 'run_shell', input: {}, execute: () => ({ llmContent: 'it ran' }) };
        const first = await agent.tool(call);
        const taken = [];
        const take = () => { try { for (;;) taken.push(openSync('/dev/null')); } catch {} };
        take();
        // A start that fails closes the pipes that it had.
        const taking = setInterval(take, 1);
        const second = await agent.tool(call);
        clearInterval(taking);
        for (const fd of taken) closeSync(fd);
        tell([first, second].map(({ status, reason, retryAfterMs }) => ({ status, reason, retryAfterMs })));
        await hooks.dispose();`;
      await withReportingAgent(
        program,
        async (agent) => {
          expect(await agent.nextReport()).toEqual([
            { status: 'blocked', reason: 'no' },
            { status: 'blocked', reason: expect.stringMatching(/no file descriptors are left|timeout/), retryAfterMs: expect.anything() },
          ]);
        },
        { descriptors: 256 },
      );
    },
  );
});

describe('an event that is cut short', () => {
  for (const onUnavailable of ['allow', 'deny'] as const) {
    test(`by a timeout of the agent: closed (onUnavailable ${onUnavailable})`, async () => {
      const tool = recordingTool();
      await withCommands(
        { BeforeTool: ['sleep 30'] },
        async ({ client }) => {
          const outcome = await executeToolWithHooks(client, { ...call, ...tool });
          expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('timeout') });
        },
        { onUnavailable, timeoutMs: 100 },
      );
      expect(tool.calls).toEqual([]);
    });
  }

  attack(
    {
      id: 'bus-cancel-opens-guard',
      attacker: 'a program that watches the bus of the agent',
      attempt: 'cancel the event while its guard looks, so that nothing objects',
      result: 'the event is closed: the operation that it guards does not run',
    },
    async () => {
      await withHooks({ settings: settingsOf('BeforeTool', ['sleep 30']), ...ownProcesses }, async (scene) => {
        const tool = recordingTool();
        atStart(scene, (correlationId) => {
          scene.hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'an attack' } });
        });
        const outcome = await scene.hooks.agent().tool({ ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('cancelled') });
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'bus-cancel-keeps-an-allow',
      attacker: 'a program that watches the bus of the agent',
      attempt: 'cancel the event when one hook has allowed and the guard beside it still looks',
      result: 'the allow does not count: the operation does not run',
    },
    async () => {
      const settings = settingsOf('BeforeTool', [`echo '{"decision":"allow"}'`, 'sleep 30']);
      await withHooks({ settings, ...ownProcesses }, async ({ hooks }) => {
        const tool = recordingTool();
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload: { kind, correlationId } }) => {
          if (kind === 'hook-finished') hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });
        });
        const outcome = await hooks.agent().tool({ ...call, ...tool, approval: 'ask' });
        expect(outcome).toMatchObject({ status: 'blocked', before: { verdict: { kind: 'allow' } } });
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'bus-cancel-opens-redaction',
      attacker: 'a program that watches the bus of the agent',
      attempt: 'cancel the event in which a hook takes a secret out of a result',
      result: 'the result is withheld',
    },
    async () => {
      await withHooks({ settings: settingsOf('AfterTool', ['sleep 30']), ...ownProcesses }, async (scene) => {
        atStart(scene, (correlationId) => scene.hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } }));
        const { status, result } = await scene.hooks.agent().tool({ ...call, execute: () => ({ llmContent: 'the secret' }) });
        expect(status).toBe('executed');
        expect(result.llmContent).toContain('withheld');
        expect(JSON.stringify(result)).not.toContain('the secret');
      });
    },
  );

  attack(
    {
      id: 'dispose-opens-guard',
      attacker: 'a part of the host that ends the hooks early',
      attempt: 'dispose of the hooks while the guard looks',
      result: 'the event is closed: the operation that it guards does not run',
    },
    async () => {
      await withHooks({ settings: settingsOf('BeforeTool', ['sleep 30']), ...ownProcesses }, async (scene) => {
        const tool = recordingTool();
        atStart(scene, () => void scene.hooks.dispose());
        const outcome = await scene.hooks.agent().tool({ ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('disposed') });
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'dispose-before-opens-guard',
      attacker: 'a part of the host that ends the hooks early',
      attempt: 'dispose of the hooks before the call, on a bus of theirs and on one of the host',
      result: 'the event is closed: the operation that it guards does not run',
    },
    async () => {
      await using bus = new MessageBus();
      for (const options of [{}, { bus }]) {
        const hooks = await createHooks({ ...options, projectDir: freshDirectory(), settings: settingsOf('BeforeTool', [denies]) });
        const [agent, tool] = [hooks.agent(), recordingTool()];
        await hooks.dispose();
        expect(await agent.tool({ ...call, ...tool })).toMatchObject({ status: 'blocked', reason: expect.stringContaining('disposed') });
        expect(tool.calls).toEqual([]);
      }
    },
  );
});
