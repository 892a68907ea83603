import { getEventListeners } from 'node:events';
import { type Agent, type AgentOptions, createAgent, type Question, type ToolResult } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import type { HookEventName } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { recordingModel, recordingTool } from '../support/agent.js';
import { type HookText, processesWith, type Scene, says, settingsOf, withEndingHooks } from '../support/fire-hooks.js';
import { withFunctions } from '../support/function-hooks.js';
import { plainTranslator } from '../support/plain-translator.js';
import { until } from '../support/until.js';
import { modelResponse, plainRequest } from './agent-calls.js';

/** Creates an agent with these commands as hooks. `createHooks` has no session id. */
function withAgent<Result>(
  commands: Partial<Record<HookEventName, readonly HookText[]>>,
  options: AgentOptions,
  use: (agent: Agent, scene: Scene) => Promise<Result>,
): Promise<Result> {
  const events = Object.entries(commands).map(([eventName, each]) => settingsOf(eventName as HookEventName, each));
  const settings = { hooks: Object.assign({}, ...events.map((each) => (each as { hooks: object }).hooks)) };
  const noSession = { sessionId: undefined } as object;
  return withEndingHooks({ settings, ...noSession }, (scene) => use(scene.hooks.agent(options), scene));
}

const call = { name: 'write_file', input: { path: 'a.txt' } };
const modelCall = { request: plainRequest, translator: plainTranslator() };
const asks = says({ decision: 'ask', reason: 'Sure?' });

const operations: Record<string, [use: (agent: Agent) => Promise<unknown>, events: HookEventName[]]> = {
  tool: [(agent) => agent.tool({ ...call, ...recordingTool() }), ['BeforeTool', 'AfterTool']],
  model: [(agent) => agent.model({ ...modelCall, ...recordingModel(modelResponse) }), ['BeforeToolSelection', 'BeforeModel', 'AfterModel']],
  turn: [(agent) => agent.turn({ prompt: 'hi', respond: () => 'hello' }), ['BeforeAgent', 'AfterAgent']],
  prompt: [(agent) => agent.prompt({ prompt: 'hi' }), ['BeforeAgent']],
  answer: [(agent) => agent.answer({ prompt: 'hi', response: 'hello' }), ['AfterAgent']],
  'session.start': [(agent) => agent.session.start(), ['SessionStart']],
  'session.end': [(agent) => agent.session.end(), ['SessionEnd']],
  notify: [(agent) => agent.notify({ type: 'ToolPermission', message: 'May I?' }), ['Notification']],
  compress: [(agent) => agent.compress({ trigger: 'auto', compress: () => 'a summary' }), ['PreCompress', 'PostCompress']],
  fire: [(agent) => agent.fire('HostStart', {}), ['HostStart']],
};

test.each(Object.entries(operations))(
  '%s: each of its events reaches the hooks, with the session and the fields',
  async (_, [use, events]) => {
    let mode = 'plan';
    const options: AgentOptions = { sessionId: 'chat-1', fields: () => ({ agent: mode, session_id: 'another' }) };
    const commands = Object.fromEntries(events.map((eventName) => [eventName, ['cat >> seen.jsonl; echo >> seen.jsonl']]));
    await withAgent(commands, options, async (agent, { read }) => {
      await use(agent);
      mode = 'code';
      await use(agent);
      const seen = (read('seen.jsonl') ?? '').split('\n').filter(Boolean);
      const expected = ['plan', 'code'].flatMap((each) => events.map((name) => [name, 'chat-1', each]));
      const fields = seen.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(fields.map((input) => [input['hook_event_name'], input['session_id'], input['agent']])).toEqual(expected);
    });
  },
);

test('a session starts with startup and ends with exit, and with what it is given', async () => {
  const commands = { SessionStart: ['cat > start.json'], SessionEnd: ['cat > end.json'] };
  await withAgent(commands, {}, async ({ session }, { read }) => {
    const seen = () => ['start.json', 'end.json'].map((file) => JSON.parse(read(file) ?? '{}') as Record<string, unknown>);
    await session.start();
    await session.end();
    expect(seen()).toMatchObject([{ source: 'startup' }, { reason: 'exit' }]);
    await session.start({ source: 'resume', model: { name: 'm-1' } });
    await session.end({ reason: 'logout' });
    expect(seen()).toMatchObject([{ source: 'resume', model_name: 'm-1' }, { reason: 'logout' }]);
  });
});

test('an agent belongs to one session: its hooks read the tools that ran through it', async () => {
  await withAgent({ BeforeTool: ['cat > seen.json'] }, {}, async (agent, { hooks, read }) => {
    await agent.tool({ ...call, ...recordingTool(), name: 'read_file' });
    await agent.tool({ ...call, ...recordingTool() });
    expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ recent_tools: ['read_file'] });
    await hooks.agent().tool({ ...call, ...recordingTool() });
    expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ recent_tools: [] });
  });
});

describe('ask', () => {
  const commands = { BeforeTool: [asks], BeforeModel: [asks], BeforeAgent: [asks] };

  test('answers for each operation that hooks may ask about', async () => {
    const questions: Question[] = [];
    const ask = (question: Question) => {
      questions.push(question);
      return 'allow' as const;
    };
    await withAgent(commands, { ask }, async (agent) => {
      expect(await agent.tool({ ...call, ...recordingTool() })).toMatchObject({ status: 'executed' });
      expect(await agent.model({ ...modelCall, ...recordingModel(modelResponse) })).toMatchObject({ status: 'responded' });
      expect(await agent.turn({ prompt: 'hi', respond: () => 'hello' })).toMatchObject({ status: 'completed' });
      expect(await agent.prompt({ prompt: 'hi' })).toMatchObject({ status: 'accepted' });
    });
    expect(questions.map(({ subject, reason }) => [subject, reason])).toEqual(
      ['write_file', 'm-1', 'prompt', 'prompt'].map((each) => [each, 'Sure?']),
    );
  });

  test('of one operation comes before that of the agent; without any it is a deny', async () => {
    await withAgent({ BeforeTool: [asks] }, { ask: () => 'allow' }, async (agent, { hooks }) => {
      expect(await agent.tool({ ...call, ...recordingTool(), ask: () => 'deny' })).toMatchObject({ status: 'blocked' });
      expect(await agent.tool({ ...call, ...recordingTool(), ask: undefined })).toMatchObject({ status: 'executed' });
      expect(await hooks.agent().tool({ ...call, ...recordingTool() })).toMatchObject({ status: 'blocked' });
    });
  });
});

test('maxRetries of the agent counts where an operation has none', async () => {
  let asked = 0;
  const later = () => {
    asked += 1;
    return { decision: 'deny' as const, reason: 'later', hookSpecificOutput: { retryAfterMs: 1 } };
  };
  await withFunctions({ BeforeTool: [later] }, async ({ hooks }) => {
    const agent = hooks.agent({ maxRetries: 1 });
    expect(await agent.tool({ ...call, ...recordingTool() })).toMatchObject({ status: 'blocked', retryAfterMs: 1 });
    expect(asked).toBe(2);
    await agent.tool({ ...call, ...recordingTool(), maxRetries: 0 });
    expect(asked).toBe(3);
  });
});

describe('signal', () => {
  test.each(['agent', 'call'])('of the %s ends the tool, and leaves no listener', async (whose) => {
    const controllers = { agent: new AbortController(), call: new AbortController() };
    const { agent: own, call: ofCall } = controllers;
    await withAgent({ AfterTool: ['true'] }, { signal: own.signal }, async (agent) => {
      const outcome = await agent.tool({
        ...call,
        signal: ofCall.signal,
        execute: (_, { signal }) =>
          new Promise<ToolResult>((resolve) => {
            signal.addEventListener('abort', () => resolve({ llmContent: String(signal.reason) }));
            controllers[whose as 'agent' | 'call'].abort('enough');
          }),
      });
      expect(outcome.result.llmContent).toBe('enough');
      for (const { signal } of [own, ofCall]) expect(getEventListeners(signal, 'abort')).toEqual([]);
      const next = await agent.tool({ ...call, ...recordingTool() });
      expect(next.status).toBe(whose === 'agent' ? 'failed' : 'executed');
    });
  });

  test('that has aborted already runs nothing, whichever it is', async () => {
    const [live, aborted] = [new AbortController().signal, AbortSignal.abort()];
    await withAgent({ BeforeTool: ['touch ran'] }, { signal: live }, async (agent, { hooks, read }) => {
      const tool = recordingTool();
      expect(await agent.tool({ ...call, ...tool, signal: aborted })).toMatchObject({ status: 'failed' });
      expect(await hooks.agent({ signal: aborted }).tool({ ...call, ...tool, signal: live })).toMatchObject({ status: 'failed' });
      expect([tool.calls, read('ran')]).toEqual([[], undefined]);
    });
  });

  test('of the agent ends the hooks of a start, and not those of the end', async () => {
    const controller = new AbortController();
    const projectDir = await withAgent(
      { SessionStart: ['sleep 30'], SessionEnd: ['touch ended'] },
      { signal: controller.signal },
      async (agent, { hooks, projectDir, read }) => {
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
          if (payload.kind === 'hook-started') controller.abort();
        });
        expect(await agent.session.start()).toMatchObject({ result: { outcomes: [{ status: 'cancelled' }] } });
        expect(await agent.session.end()).toMatchObject({ result: { outcomes: [{ status: 'succeeded' }] } });
        expect(read('ended')).toBe('');
        return projectDir;
      },
    );
    await until('no process is left', () => processesWith(projectDir).length === 0);
  });
});

test('fire knows the fields of an event and what its hooks may have rewritten', async () => {
  const rewrite = says({ hookSpecificOutput: { tool_input: { path: 'b.txt' } } });
  await withAgent({ BeforeTool: [rewrite] }, {}, async (agent) => {
    const { finalOutput } = await agent.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a.txt' } });
    expect(finalOutput?.getModifiedToolInput()).toEqual({ path: 'b.txt' });
    // @ts-expect-error a misspelt field
    const { success, errors } = await agent.fire('BeforeTool', { tol_name: 'write_file', tool_input: {} });
    expect([success, errors[0]?.code]).toEqual([false, 'validation_failed']);
  });
});

test('on a bus alone, onUnavailable decides', async () => {
  const bus = new MessageBus();
  const status = async (options: AgentOptions) => (await createAgent(bus, options).tool({ ...call, ...recordingTool() })).status;
  expect(await status({})).toBe('executed');
  expect(await status({ onUnavailable: 'deny', timeoutMs: 1000 })).toBe('blocked');
  await bus.close();
});

test('fields that are not an object are refused at the event, with a session or without', async () => {
  const fields = (async () => ({})) as never;
  for (const options of [{ fields }, { fields, sessionId: 's1' }]) {
    await withAgent({ BeforeTool: ['true'] }, options, async (agent) => {
      const outcome = await agent.tool({ ...call, ...recordingTool() });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('invalid_request') });
    });
  }
});

describe('wrong use is a TypeError that names it', () => {
  test('a misspelt approval or timeout is not ignored', async () => {
    const agent = createAgent(new MessageBus());
    const call = { name: 'read', input: {}, execute: () => ({ llmContent: '' }), approvl: 'deny' };
    await expect(agent.tool(call)).rejects.toThrow('agent.tool has no option "approvl". Did you mean "approval"?');
    const { errors } = await agent.fire('SessionStart', { source: 'startup' }, { timeoutMS: 5 } as never);
    expect(errors).toMatchObject([{ code: 'invalid_request', message: expect.stringContaining('has no option "timeoutMS"') }]);
  });

  const bus = new MessageBus();
  afterAll(() => bus.close());

  test.each<[object, string]>([
    [{ onUnavailible: 'deny' }, 'onUnavailible'],
    [{ onUnavailable: 'block' }, 'agent: onUnavailable'],
    [{ timeoutMs: 0 }, 'agent: timeoutMs'],
    [{ fields: 'plan' }, 'agent: fields'],
    [{ fields: null, sessionId: 's1' }, 'agent: fields'],
    [{ sessionId: '' }, 'agent: sessionId'],
    [{ ask: 'yes' }, 'agent: ask'],
    [{ maxRetries: -1 }, 'agent: maxRetries'],
    [{ signal: new AbortController() }, 'agent: signal must be an AbortSignal, and is an object.'],
  ])('%p', (options, message) => {
    expect(() => createAgent(bus, options)).toThrow(TypeError);
    expect(() => createAgent(bus, options)).toThrow(message);
  });

  test('an invalid bus, and a call without its function', async () => {
    expect(() => createAgent({} as never)).toThrow(TypeError);
    await expect(createAgent(bus).tool(call as never)).rejects.toThrow('"execute" must be a function');
    await expect(createAgent(bus).tool(undefined as never)).rejects.toThrow(TypeError);
  });

  test('a session other than that of the hooks', async () => {
    const hooks = await createHooks({ settings: {}, sessionId: 's1' });
    expect(() => hooks.agent({ sessionId: 's2' })).toThrow(TypeError);
    expect(() => hooks.agent({ sessionId: 's2' })).toThrow('agent: sessionId is "s2", but the sessionId of createHooks is "s1"');
    expect(hooks.agent({ sessionId: 's1' }).client.onUnavailable).toBe('allow');
    await hooks.dispose();
  });
});
