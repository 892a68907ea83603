import { createAgent, createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { MessageBus, type RequestHandler } from '@tenterhook/bus';
import type { HookExecutionRequest } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { withReportingAgent } from '../faults/reporting-agent.js';
import { recordingTool, withCommands } from '../support/agent.js';
import { freshDirectory, ownProcesses, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { attack } from './attack.js';

const call = { name: 'run_shell', input: { command: 'rm -rf /' } };
const denies = `echo 'not that' >&2; exit 2`;

/** Calls `act` when the first hook has started. */
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
      attacker: 'a model that calls many tools at once',
      attempt: 'makes so many calls that some are not sent to the guard',
      result: 'each call waits for its turn, and the guard receives it',
    },
    async () => {
      await withHooks({ settings: settingsOf('BeforeTool', [denies]) }, async ({ hooks }) => {
        await using bus = new MessageBus();
        const answer = ({ eventName, input }: HookExecutionRequest) => hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input });
        bus.respond('HOOK_EXECUTION_REQUEST', answer as RequestHandler<'HOOK_EXECUTION_REQUEST'>, { maxInFlight: 3 });
        const [agent, tool] = [createAgent(bus), recordingTool()];
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => agent.tool({ ...call, ...tool })));
        expect(outcomes.map(({ status, before }) => [status, before?.verdict.reason])).toEqual(outcomes.map(() => ['blocked', 'not that']));
        expect(tool.calls).toEqual([]);
      });
    },
  );

  attack(
    {
      id: 'full-queue-opens-guard',
      attacker: 'a model that calls many tools at once',
      attempt: 'makes so many calls that the queue of waiting hooks is full and the guard of some calls is not started',
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
      attempt: 'keeps all places of the bus, until the agent stops waiting',
      result: 'the operation is denied at the deadline, with the time after which it may be tried again',
    },
    async () => {
      await using bus = new MessageBus({ cancelGraceMs: 10 });
      bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}), { maxInFlight: 1 });
      void bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
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
      attempt: 'takes all file descriptors, so that the guard cannot be started',
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
          expect(await agent.nextReport()).toMatchObject([
            { status: 'blocked', reason: 'no' },
            { status: 'blocked', reason: expect.stringMatching(/no file descriptors are left|timeout/) },
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
      attempt: 'cancels the event while its guard runs, so that there is no deny',
      result: 'if the hooks of an event are ended early, the operation does not run',
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
      attempt: 'cancels the event when one hook has allowed and the guard still runs',
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
      attempt: 'cancels the event in which a hook removes a secret from a result',
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
      attacker: 'a part of the program that ends the hooks early',
      attempt: 'calls dispose() while the guard runs',
      result: 'if the hooks of an event are ended early, the operation does not run',
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
      attacker: 'a part of the program that ends the hooks early',
      attempt:
        'calls dispose() before the agent calls the tool; tried with the bus that createHooks() makes, and with a bus of the program',
      result: 'if the hooks of an event are ended early, the operation does not run',
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

describe('callbacks of the host', () => {
  for (const [id, attempt, hooksWith] of [
    [
      'reload-in-listener-starves-agent',
      'call reload() in a listener of reloads, while no setting is read from a disk',
      'const hooks = await createHooks({ settings }); hooks.onChange(() => void hooks.reload());',
    ],
    [
      'reload-in-trust-check-starves-agent',
      'call reload() in isTrusted',
      'let hooks; hooks = await createHooks({ settings, isTrusted: () => { void hooks?.reload(); return true; } }); hooks.onChange(() => {});',
    ],
  ] as const) {
    test(`${id}: ${attempt}`, async () => {
      await withReportingAgent(
        `
        const settings = { hooks: { BeforeTool: [{ hooks: [{ command: 'true' }] }] } };
        ${hooksWith}
        await hooks.reload();
        await new Promise((resolve) => setTimeout(resolve, 20));
        tell('timers run');
        process.once('SIGTERM', () => { tell('signals arrive'); void hooks.dispose().then(() => tell('disposed')); });
        process.kill(process.pid, 'SIGTERM');`,
        async (agent) => {
          for (const report of ['timers run', 'signals arrive', 'disposed']) expect(await agent.nextReport()).toBe(report);
        },
      );
    });
  }

  test('calls of reload() while one runs share the next one, which reads what was there when they were made', async () => {
    await withHooks({ settings: settingsOf('BeforeTool', ['true']) }, async ({ hooks }) => {
      let changes = 0;
      hooks.onChange(() => {
        changes += 1;
      });
      const first = hooks.reload();
      const more = Array.from({ length: 50 }, () => hooks.reload());
      await hooks.extensions.add({ name: 'late', hooks: { AfterTool: [{ hooks: [{ command: 'true' }] }] }, active: true });
      expect(hooks.has('AfterTool')).toBe(true);
      await Promise.all([first, ...more]);
      expect([1, 2]).toContain(changes);
    });
  });

  attack(
    {
      id: 'api-async-istrusted',
      attacker: 'a repository whose hooks the program does not trust',
      attempt: 'has hooks that run because isTrusted is an async function by mistake: it returns a promise, which is not false',
      result: 'a value that is not a boolean causes a TypeError. At a reload, it means that the hook is not trusted',
    },
    async () => {
      const settings = settingsOf('BeforeTool', ['touch ran']);
      const answers = [async () => false, async () => Promise.reject(new Error('asked in vain')), () => 'yes', () => 1, () => undefined];
      for (const answer of answers) {
        const isTrusted = answer as unknown as () => boolean;
        const created = createHooks({ projectDir: freshDirectory(), settings, isTrusted });
        await expect(created).rejects.toThrow(/^createHooks: "isTrusted" must return true or false at once, and returned/);
        let isLate = false;
        const late = () => (isLate ? isTrusted() : true);
        await withHooks({ settings, isTrusted: late }, async ({ hooks, read }) => {
          isLate = true;
          await hooks.reload();
          const { outcomes } = await hooks.fire('BeforeTool', { tool_name: 'run_shell', tool_input: {} });
          expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'untrusted' }]);
          expect(read('ran')).toBeUndefined();
        });
      }
    },
  );
});
