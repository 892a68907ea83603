import { jest } from '@jest/globals';
import { fireTool, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { hookStory } from './hook-story.js';
import { withRemoteHooks } from './remote-hooks.js';
import { withReportingAgent } from './reporting-agent.js';

// On a busy machine, the gigabytes alone take longer than the usual timeout of a test.
jest.setTimeout(300_000);

const twoGigabytes = `head -c 2147483648 /dev/zero | tr '\\0' x`;
const keptBytes = 16 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** Fires an event whose hook prints 2 GB, and reports by how many bytes the agent's memory grew at most. */
const measuringAgent = `
  const hooks = await createHooks({ sessionId: 's1', settings: { hooks: { BeforeTool: [
    { matcher: '^large$', hooks: [{ command: ${JSON.stringify(twoGigabytes)}, timeout: 600000 }] },
    { matcher: '^small$', hooks: [{ command: 'true' }] },
  ] } } });
  const fire = (tool) => hooks.getEventHandler().fireBeforeToolEvent(tool, {});
  for (let count = 0; count < 20; count += 1) await fire('small');

  // The most that it ever was, so there is no moment at which it is not looked at. The current size before the event was rejected: a
  // system that is short of memory takes pages from an idle process and gives them back during the event.
  const mostSoFar = () => process.resourceUsage().maxRSS * 1024;
  const before = mostSoFar();
  const { outcomes: [{ status, warnings, stdout, stdoutBytes }] } = await fire('large');
  const grewBytes = mostSoFar() - before;
  tell({ status, codes: warnings.map(({ code }) => code), kept: stdout?.length, stdoutBytes, grewBytes });
  await hooks.dispose();
`;

/**
 * Garbage that is not yet collected is counted, too, and the time of collection depends on the load of the machine. So the smallest of
 * three values is used.
 */
const attempts = 3;

fault('O1', async () => {
  let leastMebibytes = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && leastMebibytes >= 64; attempt += 1) {
    await withReportingAgent(measuringAgent, async (agent) => {
      const report = await agent.nextReport<{ readonly grewBytes: number }>();
      expect(report).toMatchObject({ status: 'failed', codes: ['output_truncated'], kept: keptBytes, stdoutBytes: 2 ** 31 });
      leastMebibytes = Math.min(leastMebibytes, report.grewBytes / mebibyte);
    });
  }
  expect(leastMebibytes).toBeLessThan(64);
});

fault('O2', async () => {
  const command = `${twoGigabytes} >&2; ${says({ decision: 'deny', reason: 'no' })}`;
  const result = await fireTool([{ command, timeout: 600_000 }]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 0, truncated: true });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['output_truncated']);
  expect(outcomeAt(result, 0).stderr).toHaveLength(mebibyte);
});

fault('O3', async () => {
  const mark = `endless-${process.pid}-${Math.random()}`;
  const endless = { command: 'exec yes', timeout: 3000, env: { MARK: mark } };
  await withHooks({ settings: settingsOf('BeforeTool', [endless]), limits: { stdoutBytes: 4, killGraceMs: 0 } }, async ({ handler }) => {
    const outcome = outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0);
    expect(outcome).toMatchObject({ status: 'timed-out', stdout: 'y\ny\n', truncated: true });
    expect(outcome.stdoutBytes).toBeGreaterThan(1_000_000);
    await until('nothing of the hook is left', () => processesWith(mark).length === 0);
  });
});

fault('O8', async () => {
  await withRemoteHooks(
    (command) => [{ name: 'flood', command: command('flood') }],
    async ({ rig, fire, handler, progress }) => {
      const fired = fire();
      const run = await rig.nextRun('flood');
      await run.flood({ stream: 'stdout', bytes: 100_000_000 });
      // Another event is answered in the meantime.
      expect((await handler.fireBeforeAgentEvent('hello')).success).toBe(true);
      expect(hookStory(progress)).toEqual(['flood started']);
      await run.exit(0);
      const outcome = outcomeAt(await fired, 0);
      expect(outcome).toMatchObject({ status: 'failed', truncated: true, warnings: [{ code: 'output_truncated' }] });
      expect(outcome.stdout).toHaveLength(keptBytes);
    },
  );
});

fault('O9', async () => {
  const many = `yes '{"note":1}' | head -n 80000`;
  const result = await fireTool([`${many}; ${says({ decision: 'deny', reason: 'no' })}; echo '{"decision":"allow"}'`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
  const same = await fireTool([`yes '{"decision":"DENY"}' | head -n 40000`]);
  expect(same.verdict.kind).toBe('none');
  expect(warningCodes(outcomeAt(same, 0))).toEqual(['mixed_output', 'wrong_type']);
  const different = await fireTool([`seq -f '{"decision":%.0f}' 40000`]);
  expect(outcomeAt(different, 0).warnings).toHaveLength(33);
  expect(warningCodes(outcomeAt(different, 0)).at(-1)).toBe('more_warnings');
  const million = await fireTool([`yes '{"note":1}' | head -n 1000000`]);
  expect(outcomeAt(million, 0)).toMatchObject({ status: 'failed', warnings: [{ code: 'output_truncated' }] });
});
