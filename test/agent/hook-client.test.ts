import {
  callModelWithHooks,
  createHookClient,
  executeToolWithHooks,
  type HookClientOptions,
  runAgentTurnWithHooks,
} from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { BeforeToolHookOutput, type ResponseError } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { recordingTool, withCommands } from '../support/agent.js';
import { freshDirectory, says, settingsOf, withEndingHooks } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { resultWith } from '../support/results.js';

describe('the client', () => {
  const call = { name: 'run_shell', input: { command: 'ls' } };

  async function withBus<Result>(use: (bus: MessageBus) => Promise<Result>): Promise<Result> {
    const bus = new MessageBus({ cancelGraceMs: 10 });
    try {
      return await use(bus);
    } finally {
      await bus.close();
    }
  }

  describe('what it is made of', () => {
    test('a bus alone does not know the hooks: every event may have some', async () => {
      await withBus(async (bus) => {
        const client = createHookClient(bus);
        expect(client.onUnavailable).toBe('allow');
        expect([client.has('BeforeTool'), client.has('AfterAgent')]).toEqual([true, true]);
        expect(createHookClient({ bus }).has('BeforeTool')).toBe(true);
      });
    });

    test('a system knows, also after a reload of its own', async () => {
      await withEndingHooks({ settings: settingsOf('BeforeTool', ['true']) }, async ({ hooks }) => {
        const client = createHookClient(hooks);
        expect([client.has('BeforeTool'), client.has('AfterTool')]).toEqual([true, false]);
        await hooks.extensions.add({ name: 'late', hooks: { AfterTool: [{ hooks: [{ command: 'true' }] }] }, active: true });
        expect(client.has('AfterTool')).toBe(true);
      });
    });

    test.each([[undefined], [null], [{}], [{ bus: {} }], ['bus']])('%p is refused', (hooks) => {
      expect(() => createHookClient(hooks as never)).toThrow(TypeError);
    });

    test.each([
      { onUnavailable: 'block' },
      { onUnavailable: true },
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { timeoutMs: 2 ** 31 },
      { timeoutMs: '500' },
    ])('the options %p are refused: taken, they would fail open at each event', async (options) => {
      await withBus(async (bus) => {
        expect(() => createHookClient(bus, options as HookClientOptions)).toThrow(TypeError);
      });
    });

    test('what came over a wire gets its output class back', async () => {
      await withBus(async (bus) => {
        bus.respond('HOOK_EXECUTION_REQUEST', () => ({
          success: true,
          output: JSON.parse(JSON.stringify(resultWith({ finalOutput: { hookSpecificOutput: { tool_input: { a: 1 } } } as never }))),
        }));
        const { finalOutput } = await createHookClient(bus).fire('BeforeTool', { tool_name: 't', tool_input: {} });
        expect(finalOutput).toBeInstanceOf(BeforeToolHookOutput);
      });
    });
  });

  type Trouble = [string, string, (use: (bus: MessageBus) => Promise<void>) => Promise<void>, HookClientOptions?];

  /** Problems in which there is no service, so that onUnavailable decides. */
  const unavailable: Trouble[] = [
    ['no responder answers', 'no_responders', withBus],
    [
      'the system was disposed',
      'no_responders',
      (use) =>
        withBus(async (bus) => {
          const hooks = await createHooks({ bus, projectDir: freshDirectory(), settings: settingsOf('BeforeTool', ['true']) });
          await hooks.dispose();
          await use(bus);
        }),
    ],
  ];

  /**
   * Problems in which a service took the event but did not finish it, so that the answers of its guards are unknown. Each with its code.
   */
  const unfinished: Trouble[] = [
    [
      'no responder answers in time',
      'timeout',
      (use) =>
        withBus(async (bus) => {
          bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
          await use(bus);
        }),
      { timeoutMs: 20 },
    ],
    [
      'too much is in flight',
      'overloaded',
      (use) =>
        withBus(async (bus) => {
          const hanging = () => new Promise<never>(() => {});
          bus.respond('HOOK_EXECUTION_REQUEST', hanging, { maxInFlight: 1 });
          void bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
          await use(bus);
        }),
      { timeoutMs: 100 },
    ],
    [
      'the bus was closed',
      'disposed',
      async (use) => {
        const bus = new MessageBus();
        await bus.close();
        await use(bus);
      },
    ],
    [
      'the responder fails',
      'internal_error',
      (use) =>
        withBus(async (bus) => {
          bus.respond('HOOK_EXECUTION_REQUEST', () => {
            throw new Error('out of order');
          });
          await use(bus);
        }),
    ],
    [
      'the responder answers no result',
      'internal_error',
      (use) =>
        withBus(async (bus) => {
          bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output: {} as never }));
          await use(bus);
        }),
    ],
  ];

  describe.each(unavailable)('%s', (_, code, scene, options = {}) => {
    test('onUnavailable "allow": everything continues, and the user is notified', async () => {
      const tool = recordingTool();
      const reported = expect.stringContaining(code);
      await scene(async (bus) => {
        const client = createHookClient(bus, options);
        const outcome = await executeToolWithHooks(client, { ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'done' }, userMessages: [reported], systemMessages: [] });
        const answer = await callModelWithHooks(client, { request: {}, translator: plainTranslator(), call: () => ({ text: 'hi' }) });
        expect(answer).toMatchObject({ status: 'responded', response: { text: 'hi' }, userMessages: [reported] });
        const turn = await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'r' });
        expect(turn).toMatchObject({ status: 'completed', response: 'r', turns: 1, userMessages: [reported, reported] });
      });
      expect(tool.calls).toHaveLength(1);
    });
  });

  describe.each([...unavailable, ...unfinished])('%s', (_, code, scene, options = {}) => {
    const policies = unfinished.some(([, , open]) => open === scene) ? (['allow', 'deny'] as const) : (['deny'] as const);
    test.each(policies)('onUnavailable %p: nothing is carried out, and the reason has the code', async (onUnavailable) => {
      const tool = recordingTool();
      const reason = expect.stringContaining(code);
      await scene(async (bus) => {
        const client = createHookClient(bus, { ...options, onUnavailable });
        const outcome = await executeToolWithHooks(client, { ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', reason, result: { llmContent: reason } });
        const untouched = () => {
          throw new Error('not to be called');
        };
        const answer = await callModelWithHooks(client, { request: {}, translator: plainTranslator(), call: untouched });
        expect(answer).toMatchObject({ status: 'blocked', reason, response: {} });
        const withTools = { request: { tools: ['a'] } as PlainRequest, translator: plainTranslator(), call: untouched };
        expect(await callModelWithHooks(client, withTools)).toMatchObject({ status: 'blocked', reason });
        expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond: untouched })).toMatchObject({
          status: 'blocked',
          reason,
          turns: 0,
        });
      });
      expect(tool.calls).toEqual([]);
    });
  });

  test.each(['allow', 'deny'] as const)('BeforeToolSelection alone does not answer (onUnavailable %s)', async (onUnavailable) => {
    await withBus(async (bus) => {
      bus.respond('HOOK_EXECUTION_REQUEST', ({ eventName }) => {
        const error = { code: 'internal_error' as const, message: 'out of order' };
        return eventName === 'BeforeToolSelection' ? { success: false, error } : { success: true, output: resultWith() };
      });
      const requests: PlainRequest[] = [];
      const call = (request: PlainRequest) => {
        requests.push(request);
        return {};
      };
      const request: PlainRequest = { tools: ['a'] };
      const client = createHookClient(bus, { onUnavailable });
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), call });
      expect(outcome).toMatchObject({ status: 'blocked', userMessages: [expect.stringContaining('internal_error')] });
      expect(requests).toEqual([]);
    });
  });

  describe('what had been decided before it failed', () => {
    const failing = (error: ResponseError) =>
      withBus(async (bus) => {
        bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: false, error }));
        const tool = recordingTool();
        const outcome = await executeToolWithHooks(createHookClient(bus), { ...call, ...tool });
        return { outcome, calls: tool.calls };
      });
    const verdict = { kind: 'deny', stop: false, reason: 'no', by: ['h1'], stoppedBy: [] };

    test('a deny is a deny, whatever onUnavailable says', async () => {
      const { outcome, calls } = await failing({ code: 'cancelled', message: 'ended', details: { verdict } });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'no', userMessages: [expect.stringContaining('cancelled')] });
      expect(calls).toEqual([]);
    });

    test('a stop stops, an ask asks', async () => {
      const stop = { ...verdict, kind: 'none', stop: true, stopReason: 's', stoppedBy: ['h1'] };
      expect((await failing({ code: 'timeout', message: '', details: { verdict: stop } })).outcome).toMatchObject({
        status: 'stopped',
        stopReason: 's',
      });
      const ask = { ...verdict, kind: 'ask' };
      expect((await failing({ code: 'timeout', message: '', details: { verdict: ask } })).outcome).toMatchObject({ status: 'blocked' });
    });

    test.each([
      ['an invalid verdict', { verdict: { kind: 'perhaps' } }],
      ['invalid outcomes', { outcomes: [null, 7, {}], verdict: { ...verdict, kind: 'none' } }],
      ['outcomes that are not a list', { outcomes: 'many' }],
      ['nothing', {}],
    ])('%s in the details is not an answer', async (_, details) => {
      const { outcome } = await failing({ code: 'timeout', message: 'late', details });
      expect(outcome).toMatchObject({ status: 'blocked', before: { outcomes: [], verdict: { kind: 'none' } } });
    });

    test('invalid outcomes do not break AfterTool’s deny either', async () => {
      const { outcome } = await withBus(async (bus) => {
        const details = { outcomes: [null], verdict };
        bus.respond('HOOK_EXECUTION_REQUEST', ({ eventName }) =>
          eventName === 'AfterTool'
            ? { success: false, error: { code: 'timeout', message: '', details } }
            : { success: true, output: resultWith() },
        );
        return { outcome: await executeToolWithHooks(createHookClient(bus), { ...call, ...recordingTool() }) };
      });
      expect(outcome).toMatchObject({
        status: 'executed',
        reason: 'no',
        result: { llmContent: expect.stringMatching(/withheld.*\n\nno$/) },
      });
    });

    test.each(['bus alone', 'system'])('a hook with onError "block" that had no turn in time denies (%s)', async (by) => {
      const tool = recordingTool();
      const guard = { name: 'guard', command: 'sleep 30', onError: 'block' };
      await withEndingHooks({ settings: settingsOf('BeforeTool', [guard]) }, async ({ hooks }) => {
        const client = createHookClient(by === 'system' ? hooks : hooks.bus, { timeoutMs: 50 });
        const outcome = await executeToolWithHooks(client, { ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('guard') });
        expect(outcome.userMessages).toEqual([expect.stringContaining('timeout')]);
      });
      expect(tool.calls).toEqual([]);
    });

    test.each(['bus alone', 'system'])(
      'an input that cannot be shown to hooks does not open what onError "block" closes (%s)',
      async (by) => {
        const settings = settingsOf('BeforeTool', [{ name: 'guard', command: 'true', onError: 'block' }]);
        await withEndingHooks({ settings }, async ({ hooks }) => {
          const tool = recordingTool();
          const client = createHookClient(by === 'system' ? hooks : hooks.bus);
          const outcome = await executeToolWithHooks(client, { ...call, input: { size: 5n }, execute: tool.execute });
          expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('tool_input.size: A BigInt (5n)') });
          expect(tool.calls).toEqual([]);
          const noObject = await executeToolWithHooks(client, { ...call, input: ['a'] as never, execute: tool.execute });
          expect(noObject).toMatchObject({ status: 'blocked', reason: expect.stringContaining('guard') });
          expect(noObject.before?.errors[0]?.code).toBe('validation_failed');
          expect(tool.calls).toEqual([]);
        });
      },
    );

    test.each(['bus alone', 'system'])('a deny that came in time stands, though another hook did not (%s)', async (by) => {
      const tool = recordingTool();
      await withEndingHooks(
        { settings: settingsOf('BeforeTool', [says({ decision: 'deny', reason: 'no' }), 'sleep 30']) },
        async ({ hooks }) => {
          const controller = new AbortController();
          const client = createHookClient(by === 'system' ? hooks : hooks.bus);
          hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
            if (payload.kind === 'hook-finished') controller.abort();
          });
          const outcome = await executeToolWithHooks(client, { ...call, ...tool, signal: controller.signal });
          expect(outcome).toMatchObject({ status: 'blocked', reason: 'no' });
        },
      );
      expect(tool.calls).toEqual([]);
    });

    test.each(['allow', 'deny'] as const)('a system that is disposed while a hook runs (onUnavailable %s)', async (onUnavailable) => {
      const tool = recordingTool();
      await withEndingHooks({ settings: settingsOf('BeforeTool', ['sleep 30']) }, async ({ hooks }) => {
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
          if (payload.kind === 'hook-started') void hooks.dispose();
        });
        const outcome = await executeToolWithHooks(createHookClient(hooks, { onUnavailable }), { ...call, ...tool });
        expect(outcome.status).toBe('blocked');
        expect(outcome.userMessages).toContainEqual(expect.stringContaining('disposed'));
      });
      expect(tool.calls).toEqual([]);
    });

    test('a disposed system still knows that it had hooks: they are not silently gone', async () => {
      const tool = recordingTool();
      await withEndingHooks({ settings: settingsOf('BeforeTool', [{ command: 'true', onError: 'block' }]) }, async ({ hooks }) => {
        await hooks.dispose();
        const outcome = await executeToolWithHooks(createHookClient(hooks), { ...call, ...tool });
        expect(outcome.status).toBe('blocked');
      });
      expect(tool.calls).toEqual([]);
    });

    test('what failed inside a hook is not trouble with the service', async () => {
      await withEndingHooks({ settings: settingsOf('BeforeTool', ['exit 1', '/no/such/hook']) }, async ({ hooks }) => {
        const outcome = await executeToolWithHooks(createHookClient(hooks, { onUnavailable: 'deny' }), { ...call, ...recordingTool() });
        expect(outcome).toMatchObject({ status: 'executed', userMessages: [] });
      });
    });
  });
});

describe('odd hosts', () => {
  const call = { name: 'run_shell', input: { command: 'ls' } };

  test('a tool selection that fails closed leaves no tool, also for a client that has only the bus', async () => {
    const guard = { command: 'true', onError: 'block' };
    await withEndingHooks({ settings: settingsOf('BeforeToolSelection', [guard]) }, async ({ hooks }) => {
      const client = createHookClient({ bus: hooks.bus, has: (eventName) => hooks.has(eventName) });
      const translator = { ...plainTranslator(), toHookRequest: () => ({ messages: 'hi' }) as never };
      const request: PlainRequest = { tools: ['rm', 'ls'] };
      const { toolSelection } = await callModelWithHooks(client, { request, translator, call: () => ({ text: 'hi' }) });
      expect(toolSelection).toMatchObject({ mode: 'NONE', allowedFunctionNames: [] });
    });
  });

  test('a hook that gives back the tool choice it was shown does not undo the restriction of one beside it', async () => {
    const restricts = says({ hookSpecificOutput: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } } });
    const echoes = `node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>console.log(JSON.stringify({hookSpecificOutput:{toolConfig:JSON.parse(t).llm_request.toolConfig}})))'`;
    await withCommands({ BeforeToolSelection: [restricts, echoes] }, async ({ client }) => {
      const input = { llm_request: { toolConfig: { mode: 'AUTO' as const, allowedFunctionNames: ['read', 'rm'] } } };
      const { finalOutput } = await client.fire('BeforeToolSelection', input);
      expect(finalOutput?.hookSpecificOutput?.['toolConfig']).toEqual({ mode: 'ANY', allowedFunctionNames: ['read'] });
    });
  });

  describe('what a tool gives', () => {
    class Read {
      readonly #text = 'hello';
      get llmContent(): string {
        return this.#text;
      }
    }

    test('an instance of a class is read like any other result', async () => {
      await withCommands({ AfterTool: ['cat > seen.json'] }, async ({ client, read }) => {
        const outcome = await executeToolWithHooks(client, { ...call, execute: () => new Read() });
        expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'hello' } });
        expect(JSON.parse(read('seen.json') ?? '').tool_response).toEqual({ llmContent: 'hello' });
      });
    });

    test('a list is not a result', async () => {
      await withCommands({}, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...call, execute: () => ['a'] as never });
        expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('an array') });
      });
    });

    test('where no hook looks, the input is handed on as it is, and not copied', async () => {
      const tool = recordingTool();
      const input = { data: Buffer.from('x') };
      await withCommands({}, async ({ client }) => {
        await executeToolWithHooks(client, { ...call, input, execute: tool.execute });
      });
      expect(tool.calls[0]).toBe(input);
    });
  });

  test('a deny that can be recognised counts, though the result it came in is incomplete', async () => {
    const bus = new MessageBus();
    const tool = recordingTool();
    bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output: { verdict: { kind: 'deny', reason: 'No!' } } }) as never);
    const outcome = await executeToolWithHooks(createHookClient(bus), { ...call, execute: tool.execute });
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'No!' });
    expect(tool.calls).toEqual([]);
    await bus.close();
  });

  test.each([{}, { verdict: { kind: 'allow' } }, 'allow', null])(
    'a responder that answers %j in place of a result makes no method reject, and the tool does not run',
    async (output) => {
      await withCommands({ BeforeTool: ['true'] }, async ({ hooks }) => {
        const stop = hooks.bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output }) as never);
        const tool = recordingTool();
        // One of the two calls is answered by the hook service, the other one by this responder.
        const outcomes = [
          await hooks.agent().tool({ ...call, execute: tool.execute }),
          await hooks.agent().tool({ ...call, execute: tool.execute }),
        ];
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['blocked', 'executed']);
        expect(tool.calls).toHaveLength(1);
        stop();
      });
    },
  );

  describe('wrong use is a TypeError that names it, whether or not there are hooks', () => {
    const translator = plainTranslator();
    const client = createHookClient(new MessageBus());
    test.each<[string, () => unknown]>([
      ['onUnavailible', () => createHookClient(new MessageBus(), { onUnavailible: 'deny' } as never)],
      ['execute', () => executeToolWithHooks(client, { ...call } as never)],
      ['client', () => executeToolWithHooks({} as never, { ...call, execute: () => ({ llmContent: '' }) })],
      ['schema', () => executeToolWithHooks(client, { ...call, execute: () => ({ llmContent: '' }), schema: { type: 'object' } as never })],
      ['translator', () => callModelWithHooks(client, { request: {}, call: () => ({}) } as never)],
      ['call', () => callModelWithHooks(client, { request: {}, translator } as never)],
      ['respond', () => runAgentTurnWithHooks(client, { prompt: 'x' } as never)],
    ])('%s', async (name, use) => {
      const used = (async () => use())();
      await expect(used).rejects.toThrow(TypeError);
      await expect(used).rejects.toThrow(name);
    });
  });
});
