import { statSync } from 'node:fs';
import { outcomeAt, settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { growTree } from './process-tree.js';
import { withRemoteHooks } from './remote-hooks.js';
import { withReportingAgent } from './reporting-agent.js';

fault('L5', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, rig }) => {
      const fired = fire();
      const run = await rig.nextRun();
      const tree = await growTree(run);
      void run.kill('SIGKILL');
      const result = await fired;
      expect(result).toMatchObject({ verdict: { kind: 'none' }, errors: [{ code: 'signal' }] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', signal: 'SIGKILL', warnings: [{ code: 'signal' }] });
      await tree.ended;
    },
    { limits: { killGraceMs: 300 } },
  ),
);

fault('L6', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, rig }) => {
      const fired = fire();
      const run = await rig.nextRun();
      const child = await run.fork();
      void run.exit(0);
      expect(await fired).toMatchObject({ outcomes: [{ status: 'succeeded' }] });
      // Far more than a pipe can hold: the write ends only if the agent reads the pipe.
      for (let round = 0; round < 5; round += 1) await child.flood({ stream: 'stdout', bytes: 4_000_000 });
      expect(statSync(`/proc/${child.pid}/fd/1`).isFIFO()).toBe(true);
    },
  ),
);

const deniesLate = (sleepMs: number) => `(while :; do echo tick >&2; sleep 0.02; done) & sleep ${sleepMs / 1000}; echo no >&2; exit 2`;

fault('L7', async () => {
  // On a machine that is too busy, the hook is killed before it ends by itself. Then there is no deny that could be lost, and the test tries
  // again, with more time between the end of the hook and its deadline.
  for (const msBeforeDeadline of [200, 200, 200, 500, 1000, 3000]) {
    const hook = { command: deniesLate(1000), timeout: 1000 + msBeforeDeadline };
    const ended = await withHooks({ settings: settingsOf('BeforeTool', [hook]) }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      const outcome = outcomeAt(result, 0);
      if (outcome.exitCode !== 2) return false;
      expect(result.verdict.kind).toBe('deny');
      expect(outcome).toMatchObject({ status: 'blocked' });
      return true;
    });
    if (ended) return;
  }
  throw new Error('The hook did not end by itself within its timeout in any of six runs.');
});

// The loop does not end by itself soon: a process that SIGPIPE does not end would continue for a minute.
const writesOn = `(echo $BASHPID > pid.new; mv pid.new pid; trap 'exit' PIPE; SECONDS=0
  while [ $SECONDS -lt 60 ]; do echo on || exit; sleep 0.01; done) & until [ -s pid ]; do sleep 0.01; done; echo '{}'`;

fault('L8', async () => {
  const settings = settingsOf('BeforeTool', [writesOn]);
  await withHooks({ settings }, async ({ handler, hooks, read }) => {
    expect(await handler.fireBeforeToolEvent('write_file', {})).toMatchObject({ outcomes: [{ status: 'succeeded' }] });
    const pid = Number(read('pid'));
    expect(isRunning(pid)).toBe(true);
    await hooks.dispose();
    await until('it has ended', () => !isRunning(pid));
  });

  const program = `
    import { readFileSync } from 'node:fs';
    const hooks = await createHooks({ settings: ${JSON.stringify(settings)} });
    const { outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
    tell({ status: outcomes[0].status, pid: Number(readFileSync('pid', 'utf8')) });
    setInterval(() => {}, 1000);`;
  await withReportingAgent(program, async (agent) => {
    const { status, pid } = await agent.nextReport<{ status: string; pid: number }>();
    expect([status, isRunning(pid)]).toEqual(['succeeded', true]);
    await agent.kill();
    await until('it has ended', () => !isRunning(pid));
  });
});
