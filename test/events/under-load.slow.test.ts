import { readdirSync, readFileSync } from 'node:fs';
import { createHooks } from 'tenterhook';
import { until } from '../support/until.js';

const quick = { hooks: { BeforeTool: [{ matcher: '^hooked$', hooks: [{ name: 'quick', command: 'true' }] }] } };

test('1,000 requests published at once are each answered exactly once, with their own id', async () => {
  const hooks = await createHooks({ settings: quick });
  const answers = new Map<string, number>();
  const ids = Array.from({ length: 1000 }, (_, index) => `request-${index}`);
  const all = new Promise<void>((resolve) => {
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
      answers.set(payload.correlationId, (answers.get(payload.correlationId) ?? 0) + 1);
      if (answers.size === ids.length) resolve();
    });
  });
  // Every tenth request runs a real process; the others are answered without one.
  for (const [index, correlationId] of ids.entries()) {
    const input = { tool_name: index % 10 === 0 ? 'hooked' : 'other', tool_input: { index } };
    hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, eventName: 'BeforeTool', input } });
  }
  await all;
  // This request is answered after all others, so a second answer to any of them would have arrived before.
  await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'hooked', tool_input: {} } });
  expect([...answers.keys()].filter((id) => id.startsWith('request-')).sort()).toEqual([...ids].sort());
  expect([...answers.values()].every((count) => count === 1)).toBe(true);
  await hooks.dispose();
});

test('a throwing subscriber changes nothing for the others', async () => {
  const hooks = await createHooks({ settings: quick });
  const fire = () =>
    hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'hooked', tool_input: {} } });
  const seen: string[] = [];
  for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
    hooks.bus.subscribe(channel, () => {
      throw new Error('a broken extension');
    });
    hooks.bus.subscribe(channel, () => Promise.reject(new Error('a broken extension')));
    hooks.bus.subscribe(channel, ({ type }) => seen.push(type));
  }
  const response = await fire();
  expect(response).toMatchObject({ success: true, output: { outcomes: [{ name: 'quick', status: 'succeeded' }] } });
  expect(seen.filter((type) => type === 'HOOK_EXECUTION_RESPONSE')).toHaveLength(1);
  expect(seen.filter((type) => type === 'HOOK_EXECUTION_REQUEST')).toHaveLength(1);
  await hooks.dispose();
});

test('a hook whose process group is killed mid-run is a failure of that hook, and leaves no process', async () => {
  const mark = `tenterhook-mark-${process.pid}-${Date.now()}`;
  const command = `MARK=${mark} sleep 60 & MARK=${mark} exec sleep 60`;
  const settings = {
    hooks: {
      BeforeTool: [
        {
          hooks: [
            { name: 'victim', command },
            { name: 'guard', command: 'echo no >&2; exit 2' },
          ],
        },
      ],
    },
  };
  const hooks = await createHooks({ settings });
  const fired = hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
  const pids = await untilRunning(mark, 2);
  process.kill(-groupOf(pids[0] as number), 'SIGKILL');

  const result = await fired;
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(result.outcomes[0]).toMatchObject({ name: 'victim', status: 'failed', signal: 'SIGKILL', warnings: [{ code: 'signal' }] });
  expect(result.outcomes[0]?.exitCode).toBeUndefined();
  await hooks.dispose();
  expect(running(mark)).toEqual([]);
});

test('dispose() ends a hook that ignores SIGTERM, with everything it started', async () => {
  const mark = `tenterhook-mark-${process.pid}-${Date.now()}`;
  const command = `export MARK=${mark}; trap '' TERM; sleep 60 & sleep 60; sleep 60`;
  const hooks = await createHooks({ settings: { hooks: { BeforeTool: [{ hooks: [{ name: 'stubborn', command }] }] } } });
  const fired = hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
  await untilRunning(mark, 2);
  await hooks.dispose();
  expect(running(mark)).toEqual([]);
  expect(await fired).toMatchObject({ success: false, errors: [{ code: 'disposed' }, { code: 'cancelled' }] });
});

/** Processes whose environment contains the mark. A process that has ended but was not reaped does not count. */
function running(mark: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MARK=${mark}`);
      } catch {
        return false;
      }
    });
}

async function untilRunning(mark: string, count: number): Promise<number[]> {
  await until(`${count} processes run`, () => running(mark).length >= count);
  return running(mark);
}

function groupOf(pid: number): number {
  const group = Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[2],
  );
  if (!(group > 1)) throw new Error(`no process group of ${pid}`);
  return group;
}
