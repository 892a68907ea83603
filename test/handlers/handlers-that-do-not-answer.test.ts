import { HookEngine } from '@tenterhook/handlers';
import type { HookExecutionProgress } from '@tenterhook/protocol';
import { engineWith, keeping, signalled, withHandlers } from './engine-scene.js';

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

test('a handler that takes too long has timed out, and without onError has no say', async () => {
  await withHandlers({ slow: ['pre_tool_use', waits, { config: { timeout_ms: 5 } }] }, async ({ handler }) => {
    const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', {});
    expect(verdict.kind).toBe('none');
    expect(outcomes).toMatchObject([
      { status: 'timed-out', warnings: [{ code: 'timeout', message: expect.stringMatching(/"slow".*onError/) }] },
    ]);
  });
});

test('a hook without a handler is skipped, and a warning says so', async () => {
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

test('each retry of a handler has the deadline that stands in its configuration, and people are told of that one', async () => {
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
        // What was mended runs at once.
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

  test('one that is registered again runs at once, and its message says so', async () => {
    await withHandlers(
      { fails: ['pre_tool_use', fails] },
      async ({ handler, engine }) => {
        const leftOut = async () => {
          const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
          return outcomes[0];
        };
        for (const _ of [1, 2]) expect(await leftOut()).toMatchObject({ status: 'failed' });
        const message = expect.stringMatching(/disk full.*when it is registered again, it runs at once/);
        expect(await leftOut()).toMatchObject({ skipReason: 'circuit-open', warnings: [{ code: 'circuit_open', message }] });
        // The same handler: it is the registration that counts, of the hook and of its handler.
        engine.register({ id: 'fails', event_type: 'pre_tool_use' });
        for (const _ of [1, 2]) expect(await leftOut()).toMatchObject({ status: 'failed' });
        expect(await leftOut()).toMatchObject({ skipReason: 'circuit-open' });
        engine.register_handler('fails', { handle: fails });
        expect(await leftOut()).toMatchObject({ status: 'failed' });
      },
      { circuitBreaker },
    );
  });

  test('a block is no failure', async () => {
    await withHandlers(
      { guard: ['pre_tool_use', { action: 'Block' }] },
      async ({ handler }) => {
        for (let each = 0; each < 4; each += 1) expect((await handler.fireBeforeToolEvent('Bash', {})).verdict.kind).toBe('deny');
      },
      { circuitBreaker },
    );
  });
});
