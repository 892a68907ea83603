import type { HookEventName } from '@tenterhook/protocol';
import { inPlace, toolHooks } from './hooks-rig.js';

const call = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };

test('fire runs the hooks of an event with its fields, and gives what they decided and rewrote', async () => {
  await inPlace(async ({ create }) => {
    const specific = { tool_input: { mode: '644' }, additionalContext: 'The mode is set.' };
    const rewrite = `cat > seen.json; echo '${JSON.stringify({ hookSpecificOutput: specific })}'`;
    const hooks = await create({ settings: toolHooks(rewrite) });

    const { verdict, finalOutput, changes } = await hooks.fire('BeforeTool', { ...call, mcp_context: { server_name: 'files' } });

    expect(verdict.kind).toBe('none');
    expect(finalOutput?.getModifiedToolInput()).toEqual({ path: 'a.txt', mode: '644' });
    expect(finalOutput?.hookSpecificOutput?.tool_input).toEqual({ path: 'a.txt', mode: '644' });
    expect(finalOutput?.hookSpecificOutput?.additionalContext).toBe('The mode is set.');
    expect(changes.map(({ path }) => path)).toEqual(['tool_input.mode']);
  });
});

test('fire and the method of the same event give the same result', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks({ name: 'guard', command: 'echo "not today" >&2; exit 2' }) });
    const fired = await hooks.fire('BeforeTool', call);
    const byMethod = await hooks.getEventHandler().fireBeforeToolEvent(call.tool_name, call.tool_input);
    const withoutTimes = ({ verdict, finalOutput, success, errors }: typeof byMethod) => ({ verdict, finalOutput, success, errors });
    expect(withoutTimes(fired)).toEqual(withoutTimes(byMethod));
    expect(fired.verdict).toMatchObject({ kind: 'deny', reason: 'not today' });
  });
});

test('the base fields are filled in; a request may bring its directory', async () => {
  await inPlace(async ({ create, project, at }) => {
    const hooks = await create({ settings: { hooks: { SessionStart: [{ hooks: [{ command: 'pwd; cat' }] }] } } });
    const read = async (fields: { readonly cwd?: string }) => {
      const { outcomes } = await hooks.fire('SessionStart', { source: 'startup', ...fields });
      const [cwd, input] = (outcomes[0]?.stdout ?? '').split('\n');
      return { cwd, input: JSON.parse(input ?? '') as Record<string, unknown> };
    };
    expect(await read({})).toEqual({
      cwd: project,
      input: {
        session_id: 's1',
        transcript_path: '',
        cwd: project,
        hook_event_name: 'SessionStart',
        timestamp: expect.stringMatching(/Z$/),
        source: 'startup',
      },
    });
    expect((await read({ cwd: at('') })).cwd).toBe(at('').replace(/\/$/, ''));
  });
});

test('a signal and a deadline end an event early, and the hooks that had no turn and fail closed deny', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks({ name: 'guard', command: 'sleep 60', onError: 'block' }) });
    const late = await hooks.fire('BeforeTool', call, { timeoutMs: 200 });
    expect([late.success, late.errors[0]?.code, late.verdict.kind]).toEqual([false, 'timeout', 'deny']);

    const control = new AbortController();
    const unsubscribe = hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-started') control.abort();
    });
    const stopped = await hooks.fire('BeforeTool', call, { signal: control.signal });
    unsubscribe();
    expect([stopped.success, stopped.errors[0]?.code, stopped.verdict.kind]).toEqual([false, 'cancelled', 'deny']);
  });
});

test('what the types refuse is a result, too, for callers without types', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks('true') });
    const codes = async (eventName: string, input: unknown) =>
      (await hooks.fire(eventName as HookEventName, input as never)).errors[0]?.code;
    expect(await codes('BeforeTol', {})).toBe('unsupported_event');
    expect(await codes('BeforeTool', { tool_name: 'write_file' })).toBe('validation_failed');
    expect(await codes('BeforeTool', undefined)).toBe('invalid_request');
  });
});

test('an event without a hook to run is answered by one promise, without a message', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: { hooks: { BeforeTool: [{ matcher: 'edit', hooks: [{ command: 'exit 2' }] }] } } });
    expect(hooks.fire('AfterAgent', { prompt: '', prompt_response: '', stop_hook_active: false })).toBe(hooks.fire('HostStart', {}));
    expect(hooks.fire('BeforeTool', call)).toBe(hooks.fire('BeforeTool', call));
    expect((await hooks.fire('BeforeTool', call)).outcomes[0]).toMatchObject({ status: 'skipped', skipReason: 'matcher' });
    expect((await hooks.fire('BeforeTool', { ...call, tool_name: 'edit' })).verdict.kind).toBe('deny');
  });
});

test('list gives every hook with its state, in plan order, those that are switched off as a whole last', async () => {
  await inPlace(async ({ create }) => {
    const settings = {
      hooks: {
        SessionEnd: [{ hooks: [{ name: 'late', command: 'true' }] }],
        BeforeTool: [{ hooks: [{ name: 'first', command: 'true' }] }, { hooks: [{ name: 'second', command: 'true' }] }],
      },
      hooksConfig: { disabled: ['second'] },
    };
    const hooks = await create({ settings, isTrusted: (_source, { name }) => name !== 'late' });
    const shown = hooks.list().map(({ hook, ...state }) => [hook.eventName, hook.name, state]);
    expect(shown).toEqual([
      ['BeforeTool', 'first', { state: 'active' }],
      ['BeforeTool', 'second', { state: 'off', skipReason: 'disabled', reason: expect.stringContaining('second') }],
      ['SessionEnd', 'late', { state: 'off', skipReason: 'untrusted', reason: expect.stringContaining('not trusted') }],
    ]);
    expect(hooks.list('BeforeTool')).toEqual(hooks.list().slice(0, 2));
    expect(hooks.list('AfterTool')).toEqual([]);
    expect(() => hooks.list('BeforeTol' as never)).toThrow(new TypeError('There is no event "BeforeTol". Did you mean "BeforeTool"?'));
  });
});

test('list shows hooks that the settings switch off all together, and follows a change of the settings', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: { tools: { enableHooks: false }, ...toolHooks({ name: 'guard', command: 'true' }) } });
    expect(hooks.list('BeforeTool')).toMatchObject([{ hook: { name: 'guard' }, state: 'off', skipReason: 'disabled' }]);
    expect([hooks.has('BeforeTool'), hooks.hooks.BeforeTool]).toEqual([false, []]);

    const growing = await create({ settings: {} });
    await growing.extensions.add({ name: 'linter', ...toolHooks({ name: 'lint', command: 'true' }) });
    expect(growing.list('BeforeTool')).toMatchObject([{ hook: { name: 'lint', source: 'extension:linter' }, state: 'active' }]);
  });
});
