import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import { HookSystem } from '@tenterhook/engine';
import type {
  AggregatedHookResult,
  BusMessage,
  HookExecutionRequest,
  HookExecutionResponse,
  HookExecutor,
  HookSource,
} from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { freshDirectory, processesWith, says, settingsOf, withEndingHooks } from '../support/fire-hooks.js';
import { eventFields, transcriptPath } from '../support/fired-events.js';
import { runCli } from '../support/run-cli.js';

describe('the parts of a system', () => {
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
    await withEndingHooks({ settings }, async ({ hooks }) => {
      const names = (eventName: 'BeforeTool' | 'AfterModel' | 'Notification') => hooks.hooks[eventName].map(({ name }) => name);
      expect([names('BeforeTool'), names('AfterModel'), names('Notification')]).toEqual([['a', 'b'], ['c'], []]);
      expect([hooks.has('BeforeTool'), hooks.has('Notification')]).toEqual([true, false]);
    });
  });

  test('HookPlanner: the plan has the hooks that match, each once, in order', async () => {
    const same = { command: 'echo same' };
    const groups = [hook('late', 'true', '^read_'), { hooks: [same] }, { hooks: [same] }, hook('first', 'exit 0', '^write_')];
    await withEndingHooks({ settings: { hooks: { BeforeTool: groups } } }, async ({ handler, progress }) => {
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
    await withEndingHooks({ settings: settingsOf('BeforeTool', [command]) }, async ({ handler, read }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
      expect(Number(read('pid'))).not.toBe(process.pid);
      // stdin contained one object and then ended: otherwise cat would not have ended.
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
    await withEndingHooks({ settings: { hooks } }, async ({ handler }) => {
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

  /** Settings as a separate source, for a system that is assembled by hand. */
  async function settingsSource(settings: object): Promise<HookSource> {
    const hooks = await createHooks({ settings });
    const configured = hooks.hooks;
    await hooks.dispose();
    return { ...silentSource, hooksFor: (eventName) => configured[eventName] };
  }
});

describe('messages of the bus', () => {
  const payload: HookExecutionRequest = { correlationId: 'c-1', eventName: 'BeforeTool', input: eventFields.BeforeTool };

  /** Returns the responses of a service to one message on the request channel. The hook denies and records what it read. */
  async function exchange(request: Record<string, unknown>): Promise<{ responses: HookExecutionResponse[]; read: string | undefined }> {
    const settings = settingsOf('BeforeTool', [`cat > seen.json; ${says({ decision: 'deny', reason: 'no' })}`]);
    return withEndingHooks({ settings, advanced: { transcriptPath } }, async ({ hooks, read }) => {
      const responses: HookExecutionResponse[] = [];
      const answered = new Promise<void>((resolve) => {
        hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', (message) => {
          responses.push(message.payload);
          resolve();
        });
      });
      hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request } as BusMessage as never);
      await answered;
      return { responses, read: read('seen.json') };
    });
  }

  let carriedOut: Awaited<ReturnType<typeof exchange>>;
  let refused: Awaited<ReturnType<typeof exchange>>;
  beforeAll(async () => {
    [carriedOut, refused] = await Promise.all([exchange(payload), exchange({ ...payload, eventName: 'BeforeLunch' })]);
  });

  describe('a request', () => {
    test('HOOK_EXECUTION_REQUEST: on its channel runs the hooks', () => {
      expect(JSON.parse(carriedOut.read ?? '{}')).toMatchObject({ hook_event_name: 'BeforeTool' });
      expect(refused.read).toBeUndefined();
    });

    test('correlationId: has an id, which the answer repeats', async () => {
      const { responses } = await exchange({ ...payload, correlationId: 'another id' });
      expect(responses.map((response) => response.correlationId)).toEqual(['another id']);
    });

    test('eventName: names the event, and what is not an event is refused', () => {
      expect(carriedOut.responses[0]?.output?.outcomes[0]?.eventName).toBe('BeforeTool');
      expect(refused.responses[0]?.error?.code).toBe('unsupported_event');
    });

    test('input: holds the fields of the event, which the hook reads', async () => {
      expect(JSON.parse(carriedOut.read ?? '{}')).toMatchObject(eventFields.BeforeTool);
      const { responses } = await exchange({ correlationId: 'c-3', eventName: 'BeforeTool' });
      expect(responses[0]?.error?.code).toBe('invalid_request');
    });
  });

  describe('an answer', () => {
    test('HOOK_EXECUTION_RESPONSE: goes out on its channel, one for each request', () => {
      expect(carriedOut.responses).toHaveLength(1);
      expect(refused.responses).toHaveLength(1);
    });

    test('correlationId: has the id of its request', () => {
      expect([carriedOut, refused].map(({ responses }) => responses[0]?.correlationId)).toEqual(['c-1', 'c-1']);
    });

    test('success: says whether the request was carried out, whatever the hooks decided', () => {
      expect([carriedOut, refused].map(({ responses }) => responses[0]?.success)).toEqual([true, false]);
    });

    test('output: is the aggregated result where it was', () => {
      expect(carriedOut.responses[0]?.output).toMatchObject({
        finalOutput: { decision: 'deny', reason: 'no' },
        allOutputs: [{ decision: 'deny', reason: 'no' }],
        errors: [],
        totalDuration: expect.any(Number),
      });
      expect(refused.responses[0]).not.toHaveProperty('output');
    });

    test('error: is there where it was not, and only there', () => {
      expect(carriedOut.responses[0]).not.toHaveProperty('error');
      expect(refused.responses[0]).toHaveProperty('error');
    });

    test.each<[code: string, sentence: string, request: Record<string, unknown>]>([
      ['unsupported_event', 'an unknown event', { ...payload, eventName: 'BeforeLunch' }],
      ['validation_failed', 'a field of the wrong type', { ...payload, input: { ...payload.input, tool_input: 'x' } }],
      ['invalid_request', 'an id that is not a text', { ...payload, correlationId: 7 }],
    ])('is a stable code: %s for %s', async (code, _sentence, request) => {
      const { responses, read } = await exchange(request);
      expect(responses.map((response) => response.error?.code)).toEqual([code]);
      expect(read).toBeUndefined();
    });

    test('message: says what was wrong', () => {
      expect(refused.responses[0]?.error?.message).toContain('BeforeLunch');
    });
  });
});

describe('one way to fire', () => {
  const settings = {
    hooks: {
      BeforeTool: [
        { matcher: 'write_*', hooks: [{ name: 'allow', command: `echo '{"decision":"allow","reason":"fine"}'` }] },
        {
          hooks: [
            { name: 'rewrite', command: `echo '{"hookSpecificOutput":{"tool_input":{"mode":"0600"}}}'` },
            { name: 'crash', command: 'exit 9' },
          ],
        },
        { matcher: 'read', hooks: [{ name: 'reader', command: 'true' }] },
        {
          hooks: [
            { name: 'talk', command: 'echo checked' },
            { name: 'ask', command: `echo '{"decision":"ask","reason":"sure?"}'` },
          ],
        },
      ],
    },
  };
  const fields = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };

  test('fire…, the bus and the command line give the same result for the same input', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'tenterhook-one-way-'));
    writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(settings));
    const hooks = await createHooks({ projectDir: cwd, settings: [join(cwd, 'hooks.json')] });
    try {
      const fired = await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
      const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: fields });
      const run = await runCli(['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', JSON.stringify(fields), '--json'], { cwd });
      const printed = JSON.parse(run.stdout) as { output: AggregatedHookResult };

      expect(timeless(response.output as AggregatedHookResult)).toEqual(timeless(fired));
      expect(timeless(printed.output)).toEqual(timeless(fired));
      expect(fired.verdict).toMatchObject({ kind: 'ask', reason: 'sure?', by: ['llxprt/settings/BeforeTool/ask'] });
      expect(fired.outcomes.map((outcome) => outcome.status)).toEqual([
        'succeeded',
        'succeeded',
        'failed',
        'skipped',
        'succeeded',
        'succeeded',
        // All hooks are asked again, except the one that rewrote the input.
        'succeeded',
        'failed',
        'succeeded',
        'succeeded',
      ]);
    } finally {
      await hooks.dispose();
      rmSync(cwd, { recursive: true });
    }
  });

  test('a fire is a request that everybody on the bus sees', async () => {
    const hooks = await createHooks({ settings });
    const seen: string[] = [];
    for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
      hooks.bus.subscribe(channel, ({ type, payload }) => seen.push('kind' in payload ? payload.kind : type));
    }
    await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
    expect(seen.filter((kind) => kind.startsWith('HOOK_'))).toEqual(['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE']);
    expect(seen.filter((kind) => kind === 'hook-finished')).toHaveLength(9);
    expect([seen[0], seen[1], seen.at(-1)]).toEqual(['HOOK_EXECUTION_REQUEST', 'planned', 'HOOK_EXECUTION_RESPONSE']);
    await hooks.dispose();
  });

  test('every event of the catalogue that has a method is fired by it, over the bus', async () => {
    const events = [
      'BeforeTool',
      'AfterTool',
      'BeforeAgent',
      'AfterAgent',
      'BeforeModel',
      'AfterModel',
      'BeforeToolSelection',
      'SessionStart',
      'SessionEnd',
      'PreCompress',
      'Notification',
    ];
    const everywhere = Object.fromEntries(events.map((event) => [event, [{ hooks: [{ command: 'cat >/dev/null; echo seen' }] }]]));
    const hooks = await createHooks({ settings: { hooks: everywhere } });
    const requested: string[] = [];
    hooks.bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => requested.push(payload.eventName));
    const handler = hooks.getEventHandler();
    const results = [
      await handler.fireBeforeToolEvent('t', {}),
      await handler.fireAfterToolEvent('t', {}, { llmContent: 'x' }, { server_name: 's' }),
      await handler.fireBeforeAgentEvent('p'),
      await handler.fireAfterAgentEvent('p', 'r', true),
      await handler.fireBeforeModelEvent({ messages: [{ role: 'user', content: 'hi' }] }),
      await handler.fireAfterModelEvent({}, { text: 'hi' }),
      await handler.fireBeforeToolSelectionEvent({}),
      await handler.fireSessionStartEvent('startup'),
      await handler.fireSessionEndEvent('exit'),
      await handler.firePreCompressEvent('auto'),
      await handler.fireNotificationEvent('ToolPermission', 'm', {}),
    ];
    expect(requested).toEqual(events);
    expect(results.map((result) => result.finalOutput?.systemMessage)).toEqual(events.map(() => 'seen'));
    await hooks.dispose();
  });

  /** A result without the fields that depend on the clock. */
  function timeless(result: AggregatedHookResult): unknown {
    const plain = JSON.parse(JSON.stringify(result)) as AggregatedHookResult;
    // Only the command line reports hooks that do not read their input, and starts them directly for that.
    return {
      ...plain,
      totalDuration: 0,
      outcomes: plain.outcomes.map(({ inputUnread: _, route: _route, ...outcome }) => ({ ...outcome, durationMs: 0 })),
    };
  }
});
