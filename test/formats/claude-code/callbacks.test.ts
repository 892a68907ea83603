import type { CreateHooksOptions } from 'tenterhook';
import { outcomeAt } from '../../support/fire-hooks.js';
import { braced, callBash, deeds, type Handler, hooksOf, idOf, preToolUse, specificOf, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

interface Request {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** A host that answers hooks of a type, and records the questions. */
function answering(type: string, answer: unknown) {
  const requests: Request[] = [];
  const callback = (request: Request) => {
    requests.push(request);
    return typeof answer === 'function' ? answer(request) : answer;
  };
  return { requests, callbacks: { [type]: callback } as unknown as NonNullable<CreateHooksOptions['callbacks']> };
}

const prompt = { type: 'prompt', prompt: 'Is this safe? $ARGUMENTS', model: 'small' };
const mcpTool = { type: 'mcp_tool', server: 'gh', tool: 'check' };

function fire(handlers: Handler | readonly Handler[], callbacks: NonNullable<CreateHooksOptions['callbacks']>) {
  return withClaude({}, ({ handler }) => callBash(handler), { settings: { hooks: preToolUse(handlers) }, callbacks });
}

test.each(['prompt', 'agent', 'mcp_tool'])(
  'a handler of the type %s on a host that has none is a diagnostic; siblings run',
  async (type) => {
    const handler = { ...prompt, ...mcpTool, type };
    await withClaude(preToolUse(['true', handler, 'exit 2']), async ({ hooks, handler: fired }) => {
      expect(hooks.diagnostics).toMatchObject([
        {
          code: 'unknown_type',
          severity: 'error',
          message: expect.stringContaining(type),
          remedy: expect.any(String),
          dialect: 'claude-code',
        },
      ]);
      expect(deeds(await callBash(fired))).toEqual(['succeeded', 'skipped: invalid', 'blocked']);
      expect(hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks[1]).toMatchObject({
        hookId: idOf('0.1'),
        wouldRun: false,
        skipReason: 'invalid',
      });
    });
  },
);

test('claude §1 prompt: the host is asked with the event in the place of $ARGUMENTS', async () => {
  const { requests, callbacks } = answering('prompt', { ok: true });
  const result = await fire(prompt, callbacks);
  expect(deeds(result)).toEqual(['succeeded']);
  expect(requests).toHaveLength(1);
  const [{ type, data, input, hook }] = requests as [Request];
  expect(type).toBe('prompt');
  expect(hook).toMatchObject({ id: idOf(), dialect: 'claude-code' });
  expect(input).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' } });
  const asked = String(data['prompt']);
  expect(asked).toMatch(/^Is this safe\? \{/);
  expect(JSON.parse(asked.slice('Is this safe? '.length))).toEqual(input);
  expect(data).toMatchObject({ model: 'small' });
});

test('claude §1 prompt: yes is not an opinion, and never allow', async () => {
  expect((await fire(prompt, answering('prompt', { ok: true, reason: 'fine' }).callbacks)).verdict).toEqual({
    kind: 'none',
    stop: false,
    by: [],
    stoppedBy: [],
  });
});

test.each(['prompt', 'agent'])('claude §1 %s: no is a deny with its reason', async (type) => {
  const { callbacks } = answering(type, Promise.resolve({ ok: false, reason: 'dangerous' }));
  expect((await fire({ ...prompt, type }, callbacks)).verdict).toMatchObject({ kind: 'deny', reason: 'dangerous', by: [idOf()] });
});

test.each(['Stop', 'SubagentStop'])(
  'claude §1 prompt: on %s, impossible lets the agent end, and the user reads the reason',
  async (event) => {
    const { callbacks } = answering('prompt', { ok: false, impossible: true, reason: 'There are no tests.' });
    await withClaude(
      {},
      async ({ handler }) => {
        const [, eventName, input] = moment(event);
        const result = await handler.fire(eventName, input);
        expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
        expect(specificOf(result)['userMessage']).toBe('There are no tests.');
      },
      { settings: { hooks: hooksOf(event, prompt) }, callbacks },
    );
  },
);

test.each([true, false])(
  'claude §1 prompt: with continueOnBlock %j, a no after a tool is feedback, and the agent goes on',
  async (value) => {
    const { requests, callbacks } = answering('prompt', { ok: false, reason: 'It does not compile.' });
    const settings = { hooks: hooksOf('PostToolUse', { ...prompt, continueOnBlock: value }) };
    await withClaude(
      {},
      async ({ handler }) => {
        const done = { llmContent: 'done', returnDisplay: 'done' };
        const result = await handler.fireAfterToolEvent('run_shell_command', { command: 'make' }, done);
        expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'It does not compile.', stop: false });
      },
      { settings, callbacks },
    );
    expect(requests).toMatchObject([{ data: { continueOnBlock: value } }]);
  },
);

test('claude §1 prompt: before a tool, impossible is still a deny', async () => {
  const { callbacks } = answering('prompt', { ok: false, impossible: true, reason: 'no' });
  expect((await fire(prompt, callbacks)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('claude §1 prompt: on Stop the agent goes on', async () => {
  const { callbacks } = answering('prompt', { ok: false, reason: 'run the tests' });
  await withClaude(
    {},
    async ({ handler }) => {
      expect((await handler.fireAfterAgentEvent('p', 'r')).verdict).toMatchObject({ kind: 'deny', reason: 'run the tests' });
    },
    { settings: { hooks: hooksOf('Stop', prompt) }, callbacks },
  );
});

test.each<[string, unknown]>([
  [
    'throws',
    () => {
      throw new Error('no model');
    },
  ],
  ['gives nothing', undefined],
  ['gives a text', 'sure'],
  ['gives no ok', { reason: 'x' }],
])('claude §1 prompt: a model that %s has failed; onFailure applies', async (_, answer) => {
  const { callbacks } = answering('prompt', answer);
  const open = await fire(prompt, callbacks);
  expect(open.verdict.kind).toBe('none');
  expect(deeds(open)).toEqual(['failed']);
  expect((await fire({ ...prompt, onFailure: 'block' }, callbacks)).verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
});

test('claude §1 prompt: a model that does not answer in time is timed out', async () => {
  const { callbacks } = answering('prompt', () => new Promise(() => {}));
  const result = await fire({ ...prompt, timeout: 0.2 }, callbacks);
  expect(result.verdict.kind).toBe('none');
  expect(deeds(result)).toEqual(['timed-out']);
});

test('claude §1 mcp_tool: the tool is called with the fields of the event in its input', async () => {
  const { requests, callbacks } = answering('mcp_tool', '');
  const input = {
    line: `about ${braced('tool_input.command')}`,
    whole: braced('tool_input.command'),
    tool: braced('tool_name'),
    n: 1,
    missing: `[${braced('no.such')}]`,
  };
  await fire({ ...mcpTool, input }, callbacks);
  expect(requests).toMatchObject([
    {
      type: 'mcp_tool',
      data: {
        server: 'gh',
        tool: 'check',
        input: { line: 'about npm test', whole: 'npm test', tool: 'Bash', n: 1, missing: '[]' },
      },
      input: { hook_event_name: 'PreToolUse' },
    },
  ]);
});

test('claude §1 mcp_tool: what it answers is read like stdout', async () => {
  const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } };
  for (const answer of [deny, JSON.stringify(deny)]) {
    expect((await fire(mcpTool, answering('mcp_tool', answer).callbacks)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  }
  const said = await fire(mcpTool, answering('mcp_tool', 'looks fine').callbacks);
  expect(said.verdict.kind).toBe('none');
  expect(specificOf(said)).toMatchObject({ userMessage: 'looks fine' });
});

test.each(['SessionStart', 'Setup'])('claude §1: %s takes mcp_tool and no prompt', async (event) => {
  const { callbacks } = answering('mcp_tool', 'hello');
  const both = { ...callbacks, ...answering('prompt', { ok: true }).callbacks };
  const [, eventName, input] = moment(event);
  await withClaude(
    {},
    async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'error', path: expect.stringContaining(`hooks.${event}[0].hooks[1]`) }]);
      const result = await handler.fire(eventName, input);
      expect(deeds(result)).toEqual(['succeeded', 'skipped: invalid']);
      if (event === 'SessionStart') expect(specificOf(result)).toMatchObject({ additionalContext: 'hello' });
    },
    { settings: { hooks: hooksOf(event, [mcpTool, prompt]) }, callbacks: both },
  );
});

test.each([
  { type: 'prompt' },
  { type: 'prompt', prompt: 7 },
  { type: 'agent', prompt: '' },
  { type: 'mcp_tool', server: 'gh' },
  { type: 'mcp_tool', tool: 'check' },
])('claude §1: a handler that lacks what it needs is a diagnostic: %j', async (handler) => {
  const callbacks = { ...answering('prompt', {}).callbacks, ...answering('agent', {}).callbacks, ...answering('mcp_tool', '').callbacks };
  await withClaude(
    {},
    async ({ hooks, handler: fired }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'error', path: expect.stringContaining('hooks.PreToolUse[0].hooks[0]') }]);
      const result = await callBash(fired);
      expect(deeds(result)).toEqual(['skipped: invalid', 'succeeded']);
      expect(outcomeAt(result, 0).warnings).toHaveLength(1);
    },
    { settings: { hooks: preToolUse([handler, 'true']) }, callbacks },
  );
});

test('claude §3: hooks of several types run side by side, and the strictest word counts', async () => {
  const { callbacks } = answering('prompt', { ok: false, reason: 'dangerous' });
  const result = await fire(['true', prompt], callbacks);
  expect(deeds(result)).toEqual(['succeeded', 'blocked']);
  expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('0.1')] });
});

test('claude §2 mcp_tool: what its text says counts beside parts of other types, and a structured answer where there is no text', async () => {
  const says = '{"decision":"block","reason":"no"}';
  for (const answer of [
    {
      content: [
        { type: 'text', text: says },
        { type: 'image', data: 'x' },
      ],
    },
    { content: [], structuredContent: JSON.parse(says) as unknown },
  ]) {
    const options = { callbacks: { mcp_tool: () => answer } };
    await withClaude(
      preToolUse({ type: 'mcp_tool', server: 's', tool: 't' }),
      async ({ handler }) => expect((await callBash(handler)).verdict).toMatchObject({ kind: 'deny', reason: 'no' }),
      options,
    );
  }
});

test.each([
  { ok: true, decision: 'block', reason: 'no' },
  { decision: 'deny', reason: 'no' },
  { continue: false, stopReason: 'no' },
])('claude §2 prompt: an objection in other words is one: %j', async (answer) => {
  await withClaude(
    preToolUse({ type: 'prompt', prompt: 'p' }),
    async ({ handler }) => expect((await callBash(handler)).verdict).toMatchObject({ kind: 'deny', reason: 'no' }),
    { callbacks: { prompt: () => answer } },
  );
});
