import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { fireTool, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { hookStory } from './hook-story.js';
import { privateDirectories, withRuntimeDirectory } from './private-directories.js';
import { withRemoteHooks } from './remote-hooks.js';
import { withTellingAgent } from './telling-agent.js';

// On a busy machine the gigabytes alone take longer than the usual time of a test.
jest.setTimeout(300_000);

const twoGigabytes = `head -c 2147483648 /dev/zero | tr '\\0' x`;
const keptBytes = 16 * 1024 * 1024;
const mebibyte = 1024 * 1024;
/** Files are bounded every 20 ms. */
const lateMs = 30;

/**
 * Fires an event whose hook prints 2 GB, and tells by how many bytes the agent grew at most, alone and with the files of its hooks. The files
 * count whenever the agent looks at them in time. While the system gives it no turn at all, the hook writes on, and nothing in the agent can
 * bound that: on a busy machine it would measure the others.
 */
const measuringAgent = `
  import { readdirSync, statSync } from 'node:fs';
  const places = ${JSON.stringify([process.env['XDG_RUNTIME_DIR'], '/dev/shm', tmpdir()].filter(Boolean))};
  const hooks = await createHooks({ sessionId: 's1', settings: { hooks: { BeforeTool: [
    { matcher: '^large$', hooks: [{ command: ${JSON.stringify(twoGigabytes)}, timeout: 600000 }] },
    { matcher: '^small$', hooks: [{ command: 'true' }] },
  ] } } });
  const fire = (tool) => hooks.getEventHandler().fireBeforeToolEvent(tool, {});
  for (let count = 0; count < 20; count += 1) await fire('small');

  const mine = 'tenterhook-' + process.pid + '-';
  const listed = (place) => { try { return readdirSync(place); } catch { return []; } };
  const directories = places.flatMap((place) => listed(place).filter((name) => name.startsWith(mine)).map((name) => place + '/' + name));
  const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const inFiles = () => directories.flatMap((place) => listed(place).map((name) => sizeOf(place + '/' + name))).reduce((sum, size) => sum + size, 0);

  const idle = process.memoryUsage.rss() + inFiles();
  const told = { directories: directories.length, looks: 0, agentBytes: 0, bytes: 0 };
  let lookedAt = performance.now();
  const look = () => {
    const isLate = performance.now() - lookedAt > ${lateMs};
    const agentBytes = process.memoryUsage.rss() - idle;
    told.agentBytes = Math.max(told.agentBytes, agentBytes);
    if (!isLate) {
      told.looks += 1;
      told.bytes = Math.max(told.bytes, agentBytes + inFiles());
    }
    lookedAt = performance.now();
  };
  const looking = setInterval(look, 5);
  const { outcomes: [{ status, warnings, stdout }] } = await fire('large');
  look();
  clearInterval(looking);
  tell({ status, codes: warnings.map(({ code }) => code), kept: stdout?.length, ...told });
  await hooks.dispose();
`;

interface Measured {
  readonly looks: number;
  readonly agentBytes: number;
  readonly bytes: number;
}

fault('O1', async () => {
  await withTellingAgent(measuringAgent, async (agent) => {
    const told = await agent.told<Measured>();
    expect(told).toMatchObject({ status: 'failed', codes: ['output_truncated'], kept: keptBytes, directories: 1 });
    expect(told.looks).toBeGreaterThan(100);
    expect(told.agentBytes / mebibyte).toBeLessThan(64);
    expect(told.bytes / mebibyte).toBeLessThan(64);
  });
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
  // The limit is far above what may ever be there: should the bound fail, the test must not fill the disk.
  const endless = { command: 'ulimit -f 4000000; exec yes', timeout: 3000, env: { MARK: mark } };
  await withRuntimeDirectory(async (place) => {
    const options = { settings: settingsOf('BeforeTool', [endless]), limits: { stdoutBytes: 4, killGraceMs: 0 } };
    await withHooks(options, async ({ handler }) => {
      let largest = 0;
      const looking = setInterval(() => {
        for (const directory of privateDirectories(place)) largest = Math.max(largest, largestFileOf(directory));
      }, 5);
      const outcome = outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0);
      clearInterval(looking);
      expect(outcome).toMatchObject({ status: 'timed-out', stdout: 'y\ny\n', truncated: true });
      expect(outcome.stdoutBytes).toBeGreaterThan(largest);
      await until('nothing of the hook is left', () => processesWith(mark).length === 0);
    });
  });
});

fault('O4', async () => {
  const command = `head -c 20000000 /dev/zero | tr '\\0' x; echo no >&2; exit 2`;
  const result = await fireTool([command]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, truncated: true });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['output_truncated']);
});

fault('O5', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['exec >&- 2>&-; echo lost; touch ran; exit 0']) }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, stdout: '', stderr: '', warnings: [] });
    expect(read('ran')).toBe('');
  });
});

fault('O6', async () => {
  const result = await fireTool([`${says({ decision: 'deny' })}; ${says({ systemMessage: 'm' })} > /dev/stdout`]);
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', output: { systemMessage: 'm' } });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['output_emptied']);
});

fault('O7', async () => {
  const result = await fireTool(['echo no > /dev/stderr; exit 2']);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
});

fault('O8', async () => {
  await withRemoteHooks(
    (command) => [{ name: 'flood', command: command('flood') }],
    async ({ rig, fire, handler, progress }) => {
      const fired = fire();
      const run = await rig.nextRun('flood');
      await run.flood({ stream: 'stdout', bytes: 100_000_000 });
      // Another event meanwhile.
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
  const million = `yes '{"note":1}' | head -n 1000000`;
  const result = await fireTool([`${million}; ${says({ decision: 'deny', reason: 'no' })}; echo '{"decision":"allow"}'`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
  const same = await fireTool([`yes '{"decision":"DENY"}' | head -n 500000`]);
  expect(same.verdict.kind).toBe('none');
  expect(warningCodes(outcomeAt(same, 0))).toEqual(['mixed_output', 'wrong_type']);
  const different = await fireTool([`seq -f '{"decision":%.0f}' 500000`]);
  expect(outcomeAt(different, 0).warnings).toHaveLength(33);
  expect(warningCodes(outcomeAt(different, 0)).at(-1)).toBe('more_warnings');
});

function largestFileOf(directory: string): number {
  return Math.max(0, ...readdirSync(directory).map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0));
}
