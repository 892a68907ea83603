import type { Exit } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { runHook } from '../../src/runner/run-hook.js';
import { fakeDialect, hookOf, sourceOf, toolEvent } from '../engine-rig.js';

const dialect = fakeDialect({ failureField: 'onFailure' });
const exits: Exit[] = [
  { kind: 'timed-out', durationMs: 1 },
  { kind: 'unrunnable', code: 'spawn_failed', message: 'm', durationMs: 1 },
  { kind: 'not-started', message: 'm', durationMs: 0 },
];

test.each(exits)('a failure ($kind) names the field that the dialect has for onError', async (exit) => {
  const run = (onError: 'block' | 'continue') =>
    runHook(
      hookOf('a', { onError }),
      toolEvent,
      {
        dialects: [dialect],
        executors: new Map([['call', { kind: 'call', run: async () => exit }]]),
        environment: () => ({}),
        signal: new AbortController().signal,
      },
      { started() {} },
    );
  const said = [...(await run('continue')).warnings, ...(await run('block')).warnings].map(({ message }) => message).join('\n');
  expect(said).toContain('(onFailure: block)');
  if (exit.kind !== 'not-started') expect(said).toContain('(onFailure: continue). To block instead, set "onFailure": "block".');
  expect(said).not.toContain('onError');
});

test('so does the answer of an event that no hook could be shown', async () => {
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [dialect],
    sources: [sourceOf([hookOf('a', { name: 'guard', onError: 'block' })])],
  });
  const { verdict } = await system.getEventHandler().fire('BeforeTool', { tool_name: 7 });
  expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('(onFailure: block)') });
  await system.dispose();
});
