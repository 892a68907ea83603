import { jest } from '@jest/globals';
import type { HookFieldsOf } from 'tenterhook';
import { outcomeAt, settingsOf, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { withRemoteHooks } from './remote-hooks.js';

// Hundreds of processes on a busy machine.
jest.setTimeout(120_000);

const request = { eventName: 'BeforeTool', input: { tool_name: 'write_file', tool_input: {} } };

fault('P3', async () => {
  await withRemoteHooks(
    (command) => [command()],
    async ({ hooks, rig }) => {
      const control = new AbortController();
      const ask = () => hooks.bus.request('HOOK_EXECUTION_REQUEST', request, { signal: control.signal });
      const inFlight = Array.from({ length: 1024 }, ask);
      await rig.nextRun();
      expect(await ask()).toMatchObject({ success: false, error: { code: 'overloaded' } });
      control.abort();
      const codes = (await Promise.all(inFlight)).map(({ error }) => error?.code);
      expect(new Set(codes)).toEqual(new Set(['cancelled']));
    },
    { limits: { concurrency: 1, killGraceMs: 0 } },
  );
});

fault('P4', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['true'], { matcher: '^hooked$' }) }, async ({ hooks }) => {
    const answers: string[] = [];
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => answers.push(payload.correlationId));
    // Every tenth input has a hook that starts a process.
    const inputs = Array.from({ length: 1000 }, (_, index) => ({
      tool_name: index % 10 === 0 ? 'hooked' : 'other',
      tool_input: { index },
    }));
    const ask = (input: HookFieldsOf<'BeforeTool'>) => hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input });
    const responses = await Promise.all(inputs.map(ask));
    expect(responses.filter(({ success }) => success)).toHaveLength(1000);
    expect(responses.filter(({ output }) => output?.outcomes[0]?.status === 'succeeded')).toHaveLength(100);
    // This request is answered last, so a second answer to any other would have arrived before.
    await ask({ tool_name: 'hooked', tool_input: {} });
    expect([answers.length, new Set(answers).size]).toEqual([1001, 1001]);
  });
});

fault('P5', async () => {
  await withRemoteHooks(
    (command) => [command()],
    async ({ rig, fire }) => {
      const cancelStubborn = async () => {
        const control = new AbortController();
        const fired = fire({ signal: control.signal });
        const run = await rig.nextRun();
        await run.ignoreSignals('SIGTERM');
        control.abort();
        await run.signalled('SIGTERM');
        expect(outcomeAt(await fired, 0).status).toBe('cancelled');
        return run;
      };
      const first = await cancelStubborn();
      // The first job is being killed, and its slot is used again. While a second one is being killed as well, the slot waits for either to
      // end.
      const second = await cancelStubborn();
      const fired = fire();
      const third = await rig.nextRun();
      expect([first, second].filter(({ pid }) => isRunning(pid)).length).toBeLessThanOrEqual(1);
      await third.exit(0);
      expect(outcomeAt(await fired, 0).status).toBe('succeeded');
      process.kill(second.pid, 'SIGKILL');
    },
    { limits: { concurrency: 1, killGraceMs: 600_000 } },
  );
});
