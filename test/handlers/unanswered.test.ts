import { spawnSync } from 'node:child_process';
import { type HandlerWarning, HookEngine } from '@tenterhook/handlers';
import type { HookExecutionProgress } from '@tenterhook/protocol';
import { root } from '../support/sources.js';
import { engineWith, type HandlerOf, keeping, signalled, withHandlers } from './engine-scene.js';

describe('handlers that do not answer', () => {
  const id = (name: string) => `handlers/handler/BeforeTool/${name}`;
  const waits = () => new Promise<never>(() => {});

  test.each([
    ['throws', 'failed', () => Promise.reject(new Error('disk full')), /disk full/],
    ['takes too long', 'timed-out', waits, /5 ms/],
    ['answers nonsense', 'failed', () => 7 as never, /7/],
  ] as const)('a handler with onError "block" that %s denies, and the reason names it', async (_, status, handle, why) => {
    await withHandlers({ guard: ['pre_tool_use', handle, { config: { onError: 'block', timeout_ms: 5 } }] }, async ({ handler }) => {
      const { verdict, outcomes, success, errors } = await handler.fireBeforeToolEvent('Bash', {});
      expect(verdict).toMatchObject({ kind: 'deny', by: [id('guard')], reason: expect.stringMatching(/guard/) });
      expect(verdict.reason).toMatch(why);
      expect(outcomes).toMatchObject([{ status, failedClosed: true }]);
      expect(outcomes[0]?.warnings.at(-1)?.code).toBe('failed_closed');
      expect([success, errors.length]).toEqual([false, 1]);
    });
  });

  test('a handler that takes too long has timed out, and without onError is ignored', async () => {
    await withHandlers({ slow: ['pre_tool_use', waits, { config: { timeout_ms: 5 } }] }, async ({ handler }) => {
      const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(verdict.kind).toBe('none');
      expect(outcomes).toMatchObject([
        { status: 'timed-out', warnings: [{ code: 'timeout', message: expect.stringMatching(/"slow".*onError/) }] },
      ]);
    });
  });

  test('a hook without a handler is skipped, with a warning', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'empty', event_type: 'pre_tool_use', config: { onError: 'block' } });
    await withHandlers(
      {},
      async ({ hooks, handler }) => {
        const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', {});
        expect(verdict.kind).toBe('none');
        const message = expect.stringMatching(/"empty".*register_handler/);
        expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'no-handler', warnings: [{ code: 'no-handler', message }] }]);
        expect(hooks.explain('BeforeTool', { tool_name: 'Bash' }).hooks).toMatchObject([{ wouldRun: false, skipReason: 'no-handler' }]);
      },
      { handlers: [engine] },
    );
  });

  test('each retry of a handler has the deadline of its configuration, and users see that one', async () => {
    let calls = 0;
    const hangsTwice = () => {
      calls += 1;
      return calls < 3 ? waits() : Promise.resolve({ action: 'Block' as const, reason: 'the third time' });
    };
    const config = { timeout_ms: 60, max_retries: 2 };
    await withHandlers({ slow: ['pre_tool_use', hangsTwice, { config }] }, async ({ hooks, handler, progress }) => {
      expect(hooks.explain('BeforeTool', { tool_name: 'Bash' }).hooks).toMatchObject([{ timeoutMs: 60 }]);
      const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(verdict).toMatchObject({ kind: 'deny', reason: 'the third time' });
      expect(outcomes).toMatchObject([{ status: 'blocked', warnings: [{ code: 'timeout', message: expect.stringContaining('60 ms') }] }]);
      expect(calls).toBe(3);
      expect(progress.filter(({ kind }) => kind === 'hook-started')).toMatchObject([{ timeoutMs: 60 }]);
    });
  });

  test('a handler that no hook is for is among the diagnostics of the system as long as it is there', async () => {
    await withHandlers({ guard: ['pre_tool_use', undefined] }, async ({ hooks, engine }) => {
      expect(hooks.diagnostics).toEqual([]);
      engine.register_handler('guards', { handle: () => ({ action: 'Block' }) });
      expect(hooks.diagnostics).toMatchObject([{ code: 'missing_handler', message: expect.stringContaining('Did you mean "guard"') }]);
      engine.unregister_handler('guards');
      expect(hooks.diagnostics).toEqual([]);
    });
  });

  test('dispose ends a handler that hangs, and tells it by its signal', async () => {
    const began = signalled<AbortSignal>();
    const hangs = (_: unknown, { signal }: { signal: AbortSignal }) => {
      began.give(signal);
      return waits();
    };
    await withHandlers({ hangs: ['pre_tool_use', hangs] }, async ({ hooks, handler }) => {
      const fired = handler.fireBeforeToolEvent('Bash', {});
      const signal = await began.given;
      expect(signal.aborted).toBe(false);
      await hooks.dispose();
      expect(signal.aborted).toBe(true);
      const { success, errors, outcomes } = await fired;
      expect([success, errors[0]?.code]).toEqual([false, 'disposed']);
      expect(outcomes).toMatchObject([{ status: 'cancelled' }]);
    });
  });

  test('a signal cancels the event: the handler hears of it, and those with onError "block" deny', async () => {
    const began = signalled<AbortSignal>();
    const hangs = (_: unknown, { signal }: { signal: AbortSignal }) => {
      began.give(signal);
      return waits();
    };
    const guard = keeping();
    await withHandlers(
      { hangs: ['pre_tool_use', hangs], guard: ['pre_tool_use', guard.handle, { config: { onError: 'block' } }] },
      async ({ handler, engine }) => {
        const control = new AbortController();
        const fired = handler.fireBeforeToolEvent('Bash', {}, undefined, { signal: control.signal });
        const signal = await began.given;
        control.abort();
        const { errors, outcomes, verdict } = await fired;
        expect(signal.aborted).toBe(true);
        expect(errors[0]?.code).toBe('cancelled');
        expect(outcomes.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
        expect(verdict).toMatchObject({ kind: 'deny', by: [id('guard')] });
        expect(guard.payloads).toEqual([]);

        const payload = { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };
        const alone = await engine.fire({ event_type: 'pre_tool_use', payload }, { signal: AbortSignal.abort() });
        expect(alone).toMatchObject({ action: 'Block', reason: expect.stringContaining('guard') });
        expect(alone.warnings.map(({ code }) => code)).toEqual(['cancelled', 'cancelled']);
      },
    );
  });

  test('a retry that is waited for ends with the event', async () => {
    const asked = signalled();
    const retries = () => {
      asked.give();
      return { action: 'Retry' as const, retry_delay_ms: 60_000 };
    };
    await withHandlers({ retries: ['pre_tool_use', retries, { config: { max_retries: 1 } }] }, async ({ handler, engine }) => {
      const control = new AbortController();
      const fired = handler.fireBeforeToolEvent('Bash', {}, undefined, { signal: control.signal });
      const payload = { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };
      const alone = engine.fire({ event_type: 'pre_tool_use', payload }, { signal: control.signal });
      await asked.given;
      await new Promise((resolve) => setImmediate(resolve));
      control.abort();
      expect((await fired).outcomes).toMatchObject([{ status: 'cancelled' }]);
      expect((await alone).warnings).toMatchObject([{ code: 'cancelled' }]);
    });
  });

  test('handlers that the host does not trust do not run', async () => {
    const { payloads, handle } = keeping({ action: 'Block' });
    const isTrusted = (source: string, hook: { name?: string }) => source !== 'handler' || hook.name === 'known';
    await withHandlers(
      { known: ['pre_tool_use', undefined], unknown: ['pre_tool_use', handle] },
      async ({ handler }) => {
        const { outcomes, verdict } = await handler.fireBeforeToolEvent('Bash', {});
        expect(outcomes).toMatchObject([{ status: 'succeeded' }, { status: 'skipped', skipReason: 'untrusted' }]);
        expect([verdict.kind, payloads]).toEqual(['none', []]);
      },
      { isTrusted },
    );
  });

  describe('with a circuit breaker', () => {
    const circuitBreaker = { failures: 2, windowMs: 60_000, pauseMs: 60_000 };
    const fails = () => Promise.reject(new Error('disk full'));

    test('a handler that keeps throwing is left out, also when another one is registered meanwhile', async () => {
      const states: HookExecutionProgress[] = [];
      await withHandlers(
        { fails: ['pre_tool_use', fails] },
        async ({ hooks, handler, engine }) => {
          hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
            if (payload.kind === 'circuit-changed') states.push(payload);
          });
          await handler.fireBeforeToolEvent('Bash', {});
          engineWith({ other: ['pre_tool_use', undefined] }, engine);
          const second = await handler.fireBeforeToolEvent('Bash', {});
          expect(second.outcomes[0]?.status).toBe('failed');
          engine.unregister('other');
          const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
          expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'circuit-open' }]);
          expect(states).toMatchObject([{ hookId: id('fails'), state: 'open' }]);
          // A handler that was corrected runs at once.
          engine.register_handler('fails', { handle: () => ({ action: 'Block' }) });
          expect((await handler.fireBeforeToolEvent('Bash', {})).verdict.kind).toBe('deny');
        },
        { circuitBreaker },
      );
    });

    test('one whose id another engine has, too, keeps its circuit when others come and go', async () => {
      const [one, two] = [engineWith({ same: ['pre_tool_use', undefined] }), engineWith({ same: ['pre_tool_use', fails] })];
      await withHandlers(
        {},
        async ({ handler }) => {
          await handler.fireBeforeToolEvent('Bash', {});
          engineWith({ other: ['pre_tool_use', undefined] }, one);
          await handler.fireBeforeToolEvent('Bash', {});
          one.unregister('other');
          const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
          expect(outcomes).toMatchObject([
            { hookId: id('same'), status: 'succeeded' },
            { hookId: id('same~2'), skipReason: 'circuit-open' },
          ]);
        },
        { circuitBreaker, handlers: [one, two] },
      );
    });

    test('one that is registered again runs at once, and its message reports it', async () => {
      await withHandlers(
        { fails: ['pre_tool_use', fails] },
        async ({ handler, engine }) => {
          const leftOut = async () => {
            const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
            return outcomes[0];
          };
          for (const _ of [1, 2]) expect(await leftOut()).toMatchObject({ status: 'failed' });
          const message = expect.stringMatching(/disk full.*It runs again as soon as it is registered again/);
          expect(await leftOut()).toMatchObject({ skipReason: 'circuit-open', warnings: [{ code: 'circuit_open', message }] });
          // The handler is the same: registering the hook or its handler is enough.
          engine.register({ id: 'fails', event_type: 'pre_tool_use' });
          for (const _ of [1, 2]) expect(await leftOut()).toMatchObject({ status: 'failed' });
          expect(await leftOut()).toMatchObject({ skipReason: 'circuit-open' });
          engine.register_handler('fails', { handle: fails });
          expect(await leftOut()).toMatchObject({ status: 'failed' });
        },
        { circuitBreaker },
      );
    });

    test('a block is not a failure', async () => {
      await withHandlers(
        { guard: ['pre_tool_use', { action: 'Block' }] },
        async ({ handler }) => {
          for (let each = 0; each < 4; each += 1) expect((await handler.fireBeforeToolEvent('Bash', {})).verdict.kind).toBe('deny');
        },
        { circuitBreaker },
      );
    });
  });
});

describe('what goes wrong is visible', () => {
  const fails = () => {
    throw new Error('disk full');
  };
  const payload = { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };

  test.each<[string, HandlerOf, object]>([
    ['that throws', ['pre_tool_use', fails], { code: 'hook_failed', message: expect.stringContaining('disk full') }],
    ['that takes too long', ['pre_tool_use', () => new Promise<never>(() => {}), { config: { timeout_ms: 5 } }], { code: 'timeout' }],
    ['that answers nonsense', ['pre_tool_use', 7 as never], { code: 'hook_failed' }],
    ['that asks to wait too long', ['pre_tool_use', { action: 'Retry', retry_delay_ms: 120_000 }], { code: 'no_effect' }],
    ['that is asynchronous', ['pre_tool_use', fails, { config: { async_execution: true } }], { code: 'hook_failed', late: true }],
  ])('warnings$ reports a handler %s, in an agent as after fire', async (_, handler, warning) => {
    await withHandlers({ h: handler }, async (scene) => {
      const next = () => {
        return new Promise<HandlerWarning>((resolve) => {
          const subscription = scene.engine.warnings$.subscribe((reported) => {
            subscription.unsubscribe();
            resolve(reported);
          });
        });
      };
      const inAgent = next();
      const { outcomes } = await scene.handler.fireBeforeToolEvent('Bash', {});
      expect(outcomes).toHaveLength(1);
      const alone = inAgent.then(next);
      const reported = await inAgent;
      expect(reported).toMatchObject({ hook_id: 'h', ...warning });
      expect('late' in reported).toBe('late' in warning);
      const { warnings } = await scene.engine.fire({ event_type: 'pre_tool_use', payload });
      expect(await alone).toEqual(reported);
      expect(warnings).toEqual('late' in warning ? [] : [reported]);
    });
  });

  test('one asynchronous handler more than run at a time is not started, and its late outcome reports it', async () => {
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
          hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload: reported }) => reported.kind === 'hook-finished' && resolve(reported));
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

  /** Runs the build in a separate process, because the log and Node's warnings cannot be observed in this one. */
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
    let count = 0;
    const all = new Promise((resolve) => engine.warnings$.subscribe(() => { if (++count === 10) resolve(); throw new Error('a bug'); }));
    const { action, warnings } = await engine.fire(event);
    await all;
    console.log(action, warnings.length, count);`;
    expect(run(program)).toMatchObject({ status: 0, stderr: '', stdout: 'Continue 5 10\n' });
  });
});
