import { getEventListeners } from 'node:events';
import { type Ask, callModelWithHooks, executeToolWithHooks, type Question, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { HookOutput } from '@tenterhook/protocol';
import { z } from 'zod';
import { firedEvents, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny, withFunctions } from '../support/function-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';

describe('asking the user', () => {
  const call = { name: 'run_shell', input: { command: 'ls' } };
  const asks = says({ decision: 'ask', reason: 'sure?' });
  const writes = (tool_input: Record<string, unknown>) => says({ hookSpecificOutput: { tool_input } });
  const yes: Ask = () => 'allow';
  /** A question that the test answers when it wants. */
  function openQuestion() {
    let answer: (value: 'allow' | 'deny') => void = () => {};
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const signals: AbortSignal[] = [];
    const ask: Ask = (_question, { signal }) => {
      signals.push(signal);
      asked();
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    return { ask, isAsked, signals, answer: (value: 'allow' | 'deny') => answer(value) };
  }

  describe('a hook that asks', () => {
    test.each<[string, Ask | undefined, string]>([
      ['without a callback', undefined, 'no user could be asked'],
      ['deny', () => 'deny', 'user did not allow'],
      ['deny, later', async () => 'deny' as const, 'user did not allow'],
      ['an invalid answer', () => 'yes' as never, 'user did not allow'],
      ['true', () => true as never, 'user did not allow'],
      ['no user there to answer', () => undefined, 'no user could be asked'],
      [
        'a throw',
        () => {
          throw new Error('no terminal');
        },
        'no terminal',
      ],
      [
        'a rejection',
        async () => {
          throw new Error('no terminal');
        },
        'no terminal',
      ],
    ])('%s: the tool does not run, and the model reads why', async (_, ask, reason) => {
      const tool = recordingTool();
      await withCommands({ BeforeTool: [asks], AfterTool: ['true'] }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...call, ...tool, ...(ask === undefined ? {} : { ask }) });
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining(reason), before: { verdict: { kind: 'ask' } } });
        expect(outcome.reason).toContain('sure?');
        expect(outcome.result.llmContent).toBe(outcome.reason);
        expect(outcome).not.toHaveProperty('after');
      });
      expect(tool.calls).toEqual([]);
    });

    test.each<[string, Ask]>([
      ['allow', yes],
      ['allow, later', async () => 'allow' as const],
    ])('%s: the tool runs', async (_, ask) => {
      const tool = recordingTool();
      await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
        expect((await executeToolWithHooks(client, { ...call, ...tool, ask })).status).toBe('executed');
      });
      expect(tool.calls).toEqual([call.input]);
    });

    test('the question tells who asks and why, and shows the input as rewritten; that runs (field failure 6)', async () => {
      const questions: Question[] = [];
      const ask: Ask = (question) => {
        questions.push(question);
        return 'allow';
      };
      const tool = recordingTool();
      await withCommands({ BeforeTool: [writes({ command: 'ls -l' }), asks] }, async ({ client }) => {
        await executeToolWithHooks(client, { ...call, ...tool, ask });
      });
      const asked = { eventName: 'BeforeTool', subject: 'run_shell', input: { command: 'ls -l' }, reason: 'sure?' };
      expect(questions).toEqual([{ ...asked, by: ['llxprt/settings/BeforeTool/0.1'] }]);
      expect(tool.calls).toEqual([{ command: 'ls -l' }]);
    });

    test('one hook that asks and rewrites: neither is lost', async () => {
      const tool = recordingTool();
      const both = says({ decision: 'ask', hookSpecificOutput: { tool_input: { command: 'ls -l' } } });
      await withCommands({ BeforeTool: [both] }, async ({ client }) => {
        const refused = await executeToolWithHooks(client, { ...call, ...tool });
        expect(refused).toMatchObject({ status: 'blocked', input: { command: 'ls -l' } });
        await executeToolWithHooks(client, { ...call, ...tool, ask: yes });
      });
      expect(tool.calls).toEqual([{ command: 'ls -l' }]);
    });

    test('an input that cannot run is refused before anybody is asked', async () => {
      let asked = 0;
      const ask: Ask = () => {
        asked += 1;
        return 'allow';
      };
      await withCommands({ BeforeTool: [writes({ command: 7 }), asks] }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...call, ...recordingTool(), ask, schema: z.object({ command: z.string() }) });
        expect(outcome.status).toBe('blocked');
      });
      expect(asked).toBe(0);
    });

    test('with a deny or a stop beside it no user is asked', async () => {
      const ask: Ask = () => {
        throw new Error('no user was to be asked');
      };
      for (const [other, status] of [
        [says(deny('no')), 'blocked'],
        [says({ continue: false }), 'stopped'],
      ] as const) {
        const tool = recordingTool();
        await withCommands({ BeforeTool: [asks, other] }, async ({ client }) => {
          const outcome = await executeToolWithHooks(client, { ...call, ...tool, ask });
          expect(outcome.status).toBe(status);
          expect(outcome.reason ?? '').not.toContain('no user was to be asked');
        });
        expect(tool.calls).toEqual([]);
      }
    });

    test('an abort withdraws the question: the asker is notified, the tool does not run, a late yes changes nothing', async () => {
      const controller = new AbortController();
      const tool = recordingTool();
      const question = openQuestion();
      await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
        const ended = executeToolWithHooks(client, { ...call, ...tool, ask: question.ask, signal: controller.signal });
        await question.isAsked;
        controller.abort();
        const outcome = await ended;
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('withdrawn') });
        question.answer('allow');
      });
      expect(question.signals.map((signal) => signal.aborted)).toEqual([true]);
      expect(tool.calls).toEqual([]);
    });

    test.each(['allow', 'deny'] as const)('after the answer %s nothing listens to the session’s signal any more', async (answer) => {
      const controller = new AbortController();
      const question = openQuestion();
      await withCommands({ BeforeTool: [asks], AfterTool: ['true'] }, async ({ client }) => {
        const ended = executeToolWithHooks(client, { ...call, ...recordingTool(), ask: question.ask, signal: controller.signal });
        await question.isAsked;
        expect(getEventListeners(controller.signal, 'abort').length).toBeGreaterThan(0);
        question.answer(answer);
        await ended;
      });
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    });
  });

  describe('the host’s own approval, and what hooks say', () => {
    const hookSays = { none: 'true', allow: says({ decision: 'allow' }), ask: asks, deny: says(deny('no')) };
    test.each<['allow' | 'ask' | 'deny', keyof typeof hookSays, 'runs' | 'asks' | 'blocked']>([
      ['allow', 'none', 'runs'],
      ['allow', 'allow', 'runs'],
      ['allow', 'ask', 'asks'],
      ['allow', 'deny', 'blocked'],
      ['ask', 'none', 'asks'],
      ['ask', 'allow', 'runs'],
      ['ask', 'ask', 'asks'],
      ['ask', 'deny', 'blocked'],
      ['deny', 'none', 'blocked'],
      ['deny', 'allow', 'blocked'],
      ['deny', 'ask', 'blocked'],
      ['deny', 'deny', 'blocked'],
    ])('%s and %s: %s', async (approval, verdict, expected) => {
      await withCommands({ BeforeTool: [hookSays[verdict]] }, async ({ client }) => {
        for (const answer of ['allow', 'deny'] as const) {
          const tool = recordingTool();
          let asked = 0;
          const ask: Ask = () => {
            asked += 1;
            return answer;
          };
          const outcome = await executeToolWithHooks(client, { ...call, ...tool, approval, ask });
          expect(asked).toBe(expected === 'asks' ? 1 : 0);
          const runs = expected === 'runs' || (expected === 'asks' && answer === 'allow');
          expect(outcome.status).toBe(runs ? 'executed' : 'blocked');
          expect(tool.calls).toHaveLength(runs ? 1 : 0);
        }
      });
    });

    test('approval "ask" asks without hooks too, and the question has no reason', async () => {
      const questions: Question[] = [];
      const tool = recordingTool();
      const ask: Ask = (question) => {
        questions.push(question);
        return 'deny';
      };
      await withCommands({}, async ({ client }) => {
        expect((await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask', ask })).status).toBe('blocked');
        expect((await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask' })).status).toBe('blocked');
      });
      expect(questions).toEqual([{ eventName: 'BeforeTool', subject: 'run_shell', input: { command: 'ls' }, by: [] }]);
      expect(tool.calls).toEqual([]);
    });

    test('the decision 9 "allow" of hooks that said nothing loosens no approval', async () => {
      const tool = recordingTool();
      await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask' });
        expect(outcome.before?.finalOutput?.decision).toBe('allow');
        expect(outcome.status).toBe('blocked');
      });
      expect(tool.calls).toEqual([]);
    });

    test('hooks see what the host would do', async () => {
      await withCommands({ BeforeTool: ['cat > seen.json'] }, async ({ client, read }) => {
        await executeToolWithHooks(client, { ...call, ...recordingTool(), approval: 'ask' });
        expect(JSON.parse(read('seen.json') ?? '{}').approval).toBe('ask');
      });
    });

    test('of a host that does not say, they see what is done then: the tool runs', async () => {
      await withCommands({ BeforeTool: ['cat > seen.json'] }, async ({ client, read }) => {
        for (const said of [{}, { approval: undefined }]) {
          const { status } = await executeToolWithHooks(client, { ...call, ...recordingTool(), ...said });
          expect([status, JSON.parse(read('seen.json') ?? '{}').approval]).toEqual(['executed', 'allow']);
        }
      });
    });
  });
});

describe('tool calls put off', () => {
  const call = { name: 'deploy', input: { to: 'production' } };

  /** A hook that denies with `retryAfterMs` this number of times, and then has no objection. */
  function putOff(times: number, retryAfterMs = 1, reason = 'busy') {
    const inputs: unknown[] = [];
    const hook = (input: Record<string, unknown>): HookOutput => {
      inputs.push(input['tool_input']);
      return inputs.length > times ? {} : { decision: 'deny', reason, hookSpecificOutput: { retryAfterMs } };
    };
    return { inputs, hook };
  }

  test('a tool that is put off is put before the hooks again, and runs when they have no objection', async () => {
    const { inputs, hook } = putOff(2);
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
      expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
    });
    expect(inputs).toEqual([call.input, call.input, call.input]);
    expect(tool.calls).toEqual([call.input]);
  });

  test.each<[number | undefined, number]>([
    [undefined, 4],
    [0, 1],
    [1, 2],
    [5, 6],
  ])('maxRetries %p: the hooks are asked %d times, then it is blocked', async (maxRetries, times) => {
    const { inputs, hook } = putOff(Number.POSITIVE_INFINITY);
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, ...(maxRetries === undefined ? {} : { maxRetries }) });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1 });
    });
    expect(inputs).toHaveLength(times);
    expect(tool.calls).toEqual([]);
  });

  test('a deny without a time, a stop, and a deny after the wait end it at once', async () => {
    const final = (output: HookOutput) => {
      let asked = 0;
      const hook = (): HookOutput => {
        asked += 1;
        return asked === 1 ? { decision: 'deny', hookSpecificOutput: { retryAfterMs: 1 } } : output;
      };
      return { hook, asked: () => asked };
    };
    for (const [output, status] of [
      [{ decision: 'deny', reason: 'never' }, 'blocked'],
      [{ decision: 'deny', continue: false, hookSpecificOutput: { retryAfterMs: 1 } }, 'stopped'],
    ] as const) {
      const { hook, asked } = final(output);
      const tool = recordingTool();
      await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
        expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe(status);
      });
      expect(asked()).toBe(2);
      expect(tool.calls).toEqual([]);
    }
  });

  test('an abort ends the wait: nothing runs, no user is asked again', async () => {
    const controller = new AbortController();
    const { inputs, hook } = putOff(1, 60_000);
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [hook] }, async ({ client, hooks }) => {
      // Aborts after the response, when the wait for the next attempt has begun.
      hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', () => setImmediate(() => controller.abort()));
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, signal: controller.signal });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'busy' });
    });
    expect(inputs).toHaveLength(1);
    expect(tool.calls).toEqual([]);
  });

  test('an AfterTool deny with a time is feedback: the tool does not run again', async () => {
    const tool = recordingTool();
    const hook = (): HookOutput => ({ decision: 'deny', reason: 'flaky', hookSpecificOutput: { retryAfterMs: 1 } });
    await withFunctions({ AfterTool: [hook] }, async (scene) => {
      const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'executed', reason: 'flaky' });
      expect(firedEvents(scene)).toEqual(['AfterTool']);
    });
    expect(tool.calls).toHaveLength(1);
  });

  test('a model call and a prompt are put off in the same way', async () => {
    const [model, prompt] = [putOff(2), putOff(2)];
    await withFunctions({ BeforeModel: [model.hook], BeforeAgent: [prompt.hook] }, async ({ client }) => {
      const translator = plainTranslator();
      const answer = await callModelWithHooks(client, { request: { model: 'm' }, translator, call: () => ({ text: 'hi' }) });
      expect(answer).toMatchObject({ status: 'responded', response: { text: 'hi' } });
      expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'r' })).toMatchObject({
        status: 'completed',
        response: 'r',
      });
    });
    expect([model.inputs.length, prompt.inputs.length]).toEqual([3, 3]);

    const always = putOff(Number.POSITIVE_INFINITY);
    await withFunctions({ BeforeModel: [always.hook], BeforeAgent: [always.hook] }, async ({ client }) => {
      const request = {
        request: { model: 'm' } as PlainRequest,
        translator: plainTranslator(),
        call: () => ({ text: 'hi' }),
        maxRetries: 1,
      };
      expect(await callModelWithHooks(client, request)).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1 });
      const turn = { prompt: 'p', respond: () => 'r', maxRetries: 1 };
      expect(await runAgentTurnWithHooks(client, turn)).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1, turns: 0 });
    });
    expect(always.inputs).toHaveLength(4);
  });
});
