import { existsSync, rmSync } from 'node:fs';
import { outcomeAt, settingsOf, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { privateDirectories, withRuntimeDirectory } from './private-directories.js';
import { withReportingAgent } from './reporting-agent.js';

/** An agent that has fired once, then opens all available descriptors, and can close them again. */
const shortAgent = `
  import { closeSync, openSync } from 'node:fs';
  const command = 'echo no >&2; exit 2';
  const hooks = await createHooks({ sessionId: 's1', settings: { hooks: { BeforeTool: [{ hooks: [{ command, timeout: 60000 }] }],
    BeforeAgent: [{ hooks: [{ command, timeout: 200 }] }] } } });
  const handler = hooks.getEventHandler();
  const started = [];
  hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => { if (payload.kind === 'hook-started') started.push(payload.eventName); });
  await handler.fireBeforeToolEvent('write_file', {});
  const taken = [];
  const take = () => { try { for (;;) taken.push(openSync('/dev/null')); } catch {} };
  take();
  // A start that fails closes the pipes that it had.
  const taking = setInterval(take, 1);
  const giveBack = () => { clearInterval(taking); for (const fd of taken.splice(0)) closeSync(fd); };
`;

interface Report {
  readonly startedBefore: number;
  readonly verdict: string;
  readonly status: string;
  readonly warning?: { readonly code: string; readonly message: string };
}

fault('M1', async () => {
  const program = `${shortAgent}
    const fired = handler.fireBeforeToolEvent('write_file', {});
    // The first attempt is made in one of these turns of the loop, and none succeeds before the descriptors are back.
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    const startedBefore = started.length;
    giveBack();
    const { verdict, outcomes: [outcome] } = await fired;
    tell({ startedBefore, verdict: verdict.kind, status: outcome.status, warning: outcome.warnings[0] });
    await hooks.dispose();`;
  await withReportingAgent(
    program,
    async (agent) => {
      expect(await agent.nextReport<Report>()).toEqual({ startedBefore: 1, verdict: 'deny', status: 'blocked' });
    },
    { descriptors: 256 },
  );
});

fault('M2', async () => {
  const program = `${shortAgent}
    const { verdict, outcomes: [outcome] } = await handler.fireBeforeAgentEvent('hello');
    const startedBefore = started.length;
    giveBack();
    tell({ startedBefore, verdict: verdict.kind, status: outcome.status, warning: outcome.warnings[0] });
    tell((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind);
    await hooks.dispose();`;
  await withReportingAgent(
    program,
    async (agent) => {
      const { warning, ...rest } = await agent.nextReport<Report>();
      expect(rest).toEqual({ startedBefore: 1, verdict: 'deny', status: 'failed' });
      expect(warning?.code).toBe('spawn_failed');
      expect(warning?.message).toContain('no file descriptors are left: close some, or raise the limit (ulimit -n)');
      expect(await agent.nextReport()).toBe('deny');
    },
    { descriptors: 256 },
  );
});

const denying = { settings: settingsOf('BeforeTool', ['grep -q a.txt && echo no >&2; exit 2']) };

fault('M3', async () => {
  await withRuntimeDirectory((place) =>
    withHooks(denying, async ({ handler }) => {
      const fire = () => handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
      await fire();
      const before = privateDirectories(place);
      expect(before).toHaveLength(1);
      rmSync(before[0] as string, { recursive: true });
      expect((await fire()).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(privateDirectories(place)).toHaveLength(1);
      expect(privateDirectories(place)).not.toEqual(before);
    }),
  );
});

fault('M4', async () => {
  await withRuntimeDirectory(async (place) => {
    const program = `
      const hooks = await createHooks({ sessionId: 's1', settings: { hooks: { BeforeTool: [{ hooks: [{ command: 'true' }] }] } } });
      tell((await hooks.getEventHandler().fireBeforeToolEvent('write_file', {})).success);
      setInterval(() => {}, 1000);`;
    await withReportingAgent(
      program,
      async (agent) => {
        expect(await agent.nextReport()).toBe(true);
        await agent.kill();
      },
      { env: { XDG_RUNTIME_DIR: place } },
    );
    const [left = ''] = privateDirectories(place);
    expect(left).toContain('tenterhook-');
    await withHooks(denying, async ({ handler }) => {
      expect(outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0).status).toBe('blocked');
      expect(existsSync(left)).toBe(false);
      expect(privateDirectories(place)).toHaveLength(1);
    });
    expect(privateDirectories(place)).toEqual([]);
  });
});
