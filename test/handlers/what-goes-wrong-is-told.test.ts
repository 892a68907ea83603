import { spawnSync } from 'node:child_process';
import type { HandlerWarning } from '@tenterhook/handlers';
import { root } from '../support/sources.js';
import { engineWith, type HandlerOf, withHandlers } from './engine-scene.js';

const fails = () => {
  throw new Error('disk full');
};
const payload = { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };

test.each<[string, HandlerOf, object]>([
  ['that throws', ['pre_tool_use', fails], { code: 'hook_failed', message: expect.stringContaining('disk full') }],
  ['that takes too long', ['pre_tool_use', () => new Promise<never>(() => {}), { config: { timeout_ms: 5 } }], { code: 'timeout' }],
  ['that answers nonsense', ['pre_tool_use', 7 as never], { code: 'hook_failed' }],
  ['that asks to wait too long', ['pre_tool_use', { action: 'Retry', retry_delay_ms: 120_000 }], { code: 'no_effect' }],
  ['that nobody waits for', ['pre_tool_use', fails, { config: { async_execution: true } }], { code: 'hook_failed', late: true }],
])('warnings$ tells of a handler %s, in an agent as after fire', async (_, handler, warning) => {
  await withHandlers({ h: handler }, async (scene) => {
    const next = () => {
      return new Promise<HandlerWarning>((resolve) => {
        const subscription = scene.engine.warnings$.subscribe((told) => {
          subscription.unsubscribe();
          resolve(told);
        });
      });
    };
    const inAgent = next();
    const { outcomes } = await scene.handler.fireBeforeToolEvent('Bash', {});
    expect(outcomes).toHaveLength(1);
    const alone = inAgent.then(next);
    const told = await inAgent;
    expect(told).toMatchObject({ hook_id: 'h', ...warning });
    expect('late' in told).toBe('late' in warning);
    const { warnings } = await scene.engine.fire({ event_type: 'pre_tool_use', payload });
    expect(await alone).toEqual(told);
    expect(warnings).toEqual('late' in warning ? [] : [told]);
  });
});

test('one more handler that nobody waits for than run at a time is not started, and its late outcome says so', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const engine = engineWith({ audit: ['pre_tool_use', () => released, { config: { async_execution: true } }] });
  for (let each = 0; each < 1024; each += 1) await engine.fire({ event_type: 'pre_tool_use', payload });
  await withHandlers(
    {},
    async ({ hooks, handler }) => {
      const finished = new Promise<unknown>((resolve) => {
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload: told }) => told.kind === 'hook-finished' && resolve(told));
      });
      const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(outcomes).toMatchObject([{ status: 'detached' }]);
      const warning = { code: 'not_started', message: expect.stringContaining('1024') };
      expect(await finished).toMatchObject({ late: true, outcome: { status: 'cancelled', warnings: [warning] } });
      release();
    },
    { handlers: [engine] },
  );
});

/** As built, in a process of its own: what is logged, and what Node warns of, is not this process's to see. */
function run(program: string, env: NodeJS.ProcessEnv = {}) {
  const setup = `
    import { HookEngine } from 'tenterhook';
    const engine = new HookEngine();
    const payload = ${JSON.stringify(payload)};
    const event = { event_type: 'pre_tool_use', payload };
    const on = (id, handle, config) => {
      engine.register({ id, event_type: 'pre_tool_use', config });
      engine.register_handler(id, { handle });
    };`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', `${setup}${program}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DEBUG: '', ...env },
  });
}

test('DEBUG=tenterhook:handlers shows where a handler threw', () => {
  const program = `
    function whereItIs() { throw new Error('disk full'); }
    on('log', whereItIs);
    await engine.fire(event);`;
  const { status, stderr } = run(program, { DEBUG: 'tenterhook:handlers' });
  expect(status).toBe(0);
  expect(stderr).toMatch(/tenterhook:handlers .*log.*disk full at .*whereItIs/);
  expect(run(program)).toMatchObject({ status: 0, stderr: '' });
});

test('fifty events on one signal are nothing that Node warns of', () => {
  const program = `
    let waiting = 0;
    let go;
    const gone = new Promise((resolve) => { go = resolve; });
    on('slow', () => { if (++waiting === 50) go(); return gone; });
    const { signal } = new AbortController();
    const results = await Promise.all(Array.from({ length: 50 }, () => engine.fire(event, { signal })));
    console.log(results.length);`;
  expect(run(program)).toMatchObject({ status: 0, stderr: '', stdout: '50\n' });
});

test('what handlers throw and reject with, wherever it is, ends no process', () => {
  const program = `
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const patched = (name) => Object.defineProperty(Promise.resolve(), name, { get() { throw new Error('patched'); } });
    const odd = [() => { throw proxy; }, () => Promise.reject(proxy), () => patched('then'), () => patched('constructor'), () => proxy];
    odd.forEach((handle, index) => {
      on('waited-' + index, handle);
      on('late-' + index, handle, { async_execution: true });
    });
    let told = 0;
    const all = new Promise((resolve) => engine.warnings$.subscribe(() => { if (++told === 10) resolve(); throw new Error('a bug'); }));
    const { action, warnings } = await engine.fire(event);
    await all;
    console.log(action, warnings.length, told);`;
  expect(run(program)).toMatchObject({ status: 0, stderr: '', stdout: 'Continue 5 10\n' });
});
