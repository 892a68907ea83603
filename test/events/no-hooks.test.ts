import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookEventHandler } from '@tenterhook/engine';
import type { HookExecutor } from '@tenterhook/protocol';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import { freshDirectory, settingsOf, withEndingHooks } from '../support/fire-hooks.js';

/** A system without listeners on its bus. `withEndingHooks` is not used, because it listens to progress. */
async function withUnwatched(options: CreateHooksOptions, use: (scene: { hooks: Hooks; handler: HookEventHandler }) => Promise<void>) {
  const projectDir = options.projectDir ?? freshDirectory();
  const hooks = await createHooks({ sessionId: 's1', ...options, projectDir });
  try {
    await use({ hooks, handler: hooks.getEventHandler() });
  } finally {
    await hooks.dispose();
    rmSync(projectDir, { recursive: true });
  }
}

/** An executor that records what it should run and runs nothing. */
function countingExecutor(): HookExecutor & { readonly started: string[] } {
  const started: string[] = [];
  const captured = { stdout: '', stderr: '', stdoutBytes: 0, stderrBytes: 0, stdoutTruncated: false, stderrTruncated: false };
  return {
    kind: 'command',
    started,
    run: async (_invocation, hook, _event, { onStart }) => {
      onStart();
      started.push(hook.id);
      return {
        kind: 'exited',
        exitCode: 0,
        durationMs: 0,
        leftProcesses: 0,
        invalidUtf8: false,
        ...captured,
      };
    },
  };
}

const thousand = (command = 'true') =>
  settingsOf(
    'BeforeTool',
    Array.from({ length: 1000 }, (_, index) => ({ name: `h${index}`, command })),
    { matcher: 'write_*' },
  );

test.each<[string, object]>([
  ['no settings', {}],
  ['hooks that are switched off', { ...thousand(), tools: { enableHooks: false } }],
  ['hooks of other events', settingsOf('AfterTool', ['true'])],
])('%s: the event is not there, and one constant answers it', async (_, settings) => {
  await withEndingHooks({ settings }, async ({ hooks, handler, progress }) => {
    expect(hooks.has('BeforeTool')).toBe(false);
    const answer = handler.fireBeforeToolEvent('write_file', {});
    expect(handler.fireBeforeAgentEvent('p')).toBe(answer);
    expect(await answer).toMatchObject({ success: true, outcomes: [], errors: [] });
    expect(progress).toEqual([]);
  });
});

test('a thousand hooks that do not match: one answer, no message and no process', async () => {
  const executor = countingExecutor();
  await withUnwatched({ settings: thousand(), advanced: { executors: [executor] } }, async ({ hooks, handler }) => {
    expect(hooks.has('BeforeTool')).toBe(true);
    const answer = handler.fireBeforeToolEvent('read_file', { path: 'a.txt' });
    for (const path of ['b.txt', 'c.txt']) expect(handler.fireBeforeToolEvent('read_file', { path })).toBe(answer);
    const result = await answer;
    expect(result.outcomes).toHaveLength(1000);
    expect(new Set(result.outcomes.map((outcome) => outcome.skipReason))).toEqual(new Set(['matcher']));
    expect(executor.started).toEqual([]);

    await handler.fireBeforeToolEvent('write_file', {});
    expect(executor.started).toHaveLength(1000);
  });
});

test('who watches sees what did not run, and gets the same result', async () => {
  const settings = settingsOf('BeforeTool', [{ command: 'exit 2', onError: 'block' }], { matcher: '^write_' });
  await withUnwatched({ settings }, async ({ hooks, handler }) => {
    const fire = () => handler.fireBeforeToolEvent('read_file', {});
    const answer = await fire();
    const seen: string[] = [];
    const channels = ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const;
    const unsubscribe = channels.map((channel) => hooks.bus.subscribe(channel, ({ type }) => seen.push(type)));
    expect(await fire()).toEqual(answer);
    expect(seen).toEqual(channels);
    for (const end of unsubscribe) end();
    expect(await fire()).toBe(answer);
    expect(seen).toHaveLength(3);
  });
});

test('reload and extensions swap what is remembered', async () => {
  const projectDir = freshDirectory();
  const file = join(projectDir, 'hooks.json');
  const write = (matcher: string) => writeFileSync(file, JSON.stringify(settingsOf('BeforeTool', ['true'], { matcher })));
  write('write_*');
  await withUnwatched({ projectDir, settings: [file] }, async ({ hooks, handler }) => {
    const fire = () => handler.fireBeforeToolEvent('read_file', {});
    const statuses = async () => (await fire()).outcomes.map((outcome) => outcome.skipReason ?? outcome.status);
    const answer = fire();
    expect(await statuses()).toEqual(['matcher']);
    await hooks.reload();
    expect(fire()).not.toBe(answer);
    expect(await fire()).toEqual(await answer);

    write('read_*');
    await hooks.reload();
    expect(await statuses()).toEqual(['succeeded']);

    write('write_*');
    await hooks.reload();
    await hooks.extensions.add({ name: 'guard', hooks: { BeforeTool: [{ hooks: [{ command: 'exit 2' }] }] } });
    expect(await statuses()).toEqual(['matcher', 'blocked']);
    await hooks.extensions.remove('guard');
    expect(await statuses()).toEqual(['matcher']);
  });
});

test.each([
  ['SessionStart', 'startup', (handler: HookEventHandler) => handler.fireSessionStartEvent('clear')],
  ['SessionEnd', 'logout', (handler: HookEventHandler) => handler.fireSessionEndEvent('exit')],
  ['PreCompress', 'manual', (handler: HookEventHandler) => handler.firePreCompressEvent('auto')],
  ['Notification', 'ToolPermission', (handler: HookEventHandler) => handler.fireNotificationEvent('Idle', 'm', {})],
] as const)('%s: a matcher on %s keeps other subjects off the path', async (eventName, matcher, fire) => {
  await withUnwatched({ settings: settingsOf(eventName, ['exit 2'], { matcher }) }, async ({ handler }) => {
    const answer = fire(handler);
    expect(fire(handler)).toBe(answer);
    expect((await answer).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'matcher' }]);
  });
});
