import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import { HookSystem } from '@tenterhook/engine';
import type { HookExecutor, HookSource } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { freshDirectory, processesWith, says, settingsOf, withHooks } from '../support/fire-hooks.js';

const hook = (name: string, command: string, matcher?: string) => ({ ...(matcher ? { matcher } : {}), hooks: [{ name, command }] });

test('HookSystem: one object owns the parts: it fires through them, and ends all of them', async () => {
  const projectDir = freshDirectory();
  const lasting = hook('lasting', 'mkfifo never; echo > running; read -r line < never');
  const source = await settingsSource({ hooks: { BeforeTool: [hook('guard', 'exit 2')], Notification: [lasting] } });
  const ended: string[] = [];
  const executor: HookExecutor = {
    kind: 'call',
    run: () => Promise.reject(new Error('no hook is a call')),
    dispose: async () => void ended.push('executor'),
  };
  const sourceOfNone: HookSource = { ...silentSource, changes$: { subscribe: () => ({ unsubscribe: () => void ended.push('source') }) } };
  const system = new HookSystem({ projectDir, dialects: [llxprt()], sources: [source, sourceOfNone], executors: [executor] });
  try {
    const handler = system.getEventHandler();
    expect(system.getEventHandler()).toBe(handler);
    expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('deny');

    const notified = handler.fireNotificationEvent('ToolPermission', 'm', {});
    while (!existsSync(join(projectDir, 'running'))) await new Promise((resolve) => setImmediate(resolve));
    expect(processesWith(projectDir)).not.toEqual([]);
    expect(ended).toEqual([]);

    await system.dispose();
    expect(processesWith(projectDir)).toEqual([]);
    expect(ended.sort()).toEqual(['executor', 'source']);
    expect(await notified).toMatchObject({ success: false, outcomes: [{ status: 'cancelled' }] });
    const { errors, outcomes } = await handler.fireBeforeToolEvent('write_file', {});
    expect(errors.map(({ code }) => code)).toEqual(['disposed', 'not_started']);
    expect(outcomes).toMatchObject([{ name: 'guard', status: 'cancelled' }]);
  } finally {
    await system.dispose();
    rmSync(projectDir, { recursive: true, force: true });
  }
});

test('HookRegistry: the hooks that are configured can be looked up by event', async () => {
  const settings = { hooks: { BeforeTool: [hook('a', 'true'), hook('b', 'true')], AfterModel: [hook('c', 'true')] } };
  await withHooks({ settings }, async ({ hooks }) => {
    const names = (eventName: 'BeforeTool' | 'AfterModel' | 'Notification') => hooks.hooks[eventName].map(({ name }) => name);
    expect([names('BeforeTool'), names('AfterModel'), names('Notification')]).toEqual([['a', 'b'], ['c'], []]);
    expect([hooks.has('BeforeTool'), hooks.has('Notification')]).toEqual([true, false]);
  });
});

test('HookPlanner: the plan has the hooks that match, each once, in order', async () => {
  const same = { command: 'echo same' };
  const groups = [hook('late', 'true', '^read_'), { hooks: [same] }, { hooks: [same] }, hook('first', 'exit 0', '^write_')];
  await withHooks({ settings: { hooks: { BeforeTool: groups } } }, async ({ handler, progress }) => {
    const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
    expect(outcomes.map(({ skipReason }) => skipReason)).toEqual(['matcher', undefined, 'duplicate', undefined]);
    const planned = progress.flatMap((message) => (message.kind === 'planned' ? message.stages : []));
    expect(planned.map((stage) => stage.map(({ hookId }) => hookId))).toEqual([
      ['llxprt/settings/BeforeTool/1.0', 'llxprt/settings/BeforeTool/first'],
    ]);
  });
});

test('HookRunner: a hook is a process: JSON on its stdin, its stdout and stderr read', async () => {
  const command = 'echo $$ > pid; cat > seen.json; echo out; echo err >&2';
  await withHooks({ settings: settingsOf('BeforeTool', [command]) }, async ({ handler, read }) => {
    const { outcomes } = await handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
    expect(Number(read('pid'))).not.toBe(process.pid);
    // One object and the end of the file: otherwise cat would not have come back.
    expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ hook_event_name: 'BeforeTool', tool_input: { path: 'a.txt' } });
    expect(outcomes[0]).toMatchObject({ stdout: 'out\n', stderr: 'err\n' });
  });
});

test('HookAggregator: several outputs become one, by the strategy of the event', async () => {
  const deny = says({ decision: 'deny', systemMessage: 'one' });
  const allow = says({ decision: 'allow', systemMessage: 'two' });
  const setting = (model: string) => says({ hookSpecificOutput: { llm_request: { model } } });
  const selecting = (name: string) => says({ hookSpecificOutput: { toolConfig: { allowedFunctionNames: [name] } } });
  const hooks = {
    BeforeTool: [{ hooks: [{ command: deny }, { command: allow }] }],
    BeforeModel: [{ hooks: [{ command: setting('m-1') }, { command: setting('m-2') }] }],
    BeforeToolSelection: [{ hooks: [{ command: selecting('b') }, { command: selecting('a') }] }],
  };
  await withHooks({ settings: { hooks } }, async ({ handler }) => {
    const [tool, model, selection] = await Promise.all([
      handler.fireBeforeToolEvent('write_file', {}),
      handler.fireBeforeModelEvent({}),
      handler.fireBeforeToolSelectionEvent({}),
    ]);
    expect(tool.finalOutput).toMatchObject({ decision: 'deny', systemMessage: 'one\ntwo' });
    expect(model.finalOutput?.hookSpecificOutput).toEqual({ llm_request: { model: 'm-2' } });
    expect(selection.finalOutput?.hookSpecificOutput).toEqual({ toolConfig: { mode: 'AUTO', allowedFunctionNames: ['a', 'b'] } });
  });
});

const silentSource: HookSource = { hooksFor: () => [], changes$: { subscribe: () => ({ unsubscribe() {} }) } };

/** Settings as a source of their own, for a system that is made by hand. */
async function settingsSource(settings: object): Promise<HookSource> {
  const hooks = await createHooks({ settings });
  const configured = hooks.hooks;
  await hooks.dispose();
  return { ...silentSource, hooksFor: (eventName) => configured[eventName] };
}
