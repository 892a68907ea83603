import { acceptPromptWithHooks, executeToolWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { contextOf, firePrompt, fireShell, hookOf, preToolCall, withEca } from '../eca-acceptance/eca-hooks.js';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { blockOf, shellCall, withEcaAgent } from './eca-agent.js';

const moments = {
  sessionStart: ['HostStart', {}],
  chatStart: ['SessionStart', { source: 'startup' }],
  chatEnd: ['SessionEnd', { reason: 'exit' }],
  preRequest: ['BeforeAgent', { prompt: 'p' }],
  postRequest: ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
  preToolCall: ['BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } }],
  postToolCall: ['AfterTool', { tool_name: 'run_shell_command', tool_input: {}, tool_response: { llmContent: 'done' } }],
} as const;

type Type = keyof typeof moments;
const types = Object.keys(moments) as Type[];

/** What one hook of a type does that runs this. */
function fire(type: Type, shell: string): Promise<AggregatedHookResult> {
  const [eventName, input] = moments[type];
  return withEca({ a: hookOf(type, shell) }, ({ handler }) => handler.fire(eventName, input));
}

/** A field counts on these types alone; on the others it is dropped with a warning. */
async function expectDroppedBut(used: readonly Type[], output: object): Promise<void> {
  for (const type of types.filter((each) => !used.includes(each))) {
    const result = await fire(type, says(output));
    expect([type, warningCodes(outcomeAt(result, 0))]).toEqual([type, ['no_effect']]);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(result.finalOutput?.hookSpecificOutput).toBeUndefined();
  }
}

async function expectWrongType(output: object): Promise<void> {
  const result = await firePrompt({ a: hookOf('preRequest', says(output)) });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['wrong_type']);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
}

describe('context', () => {
  test('additionalContext: the model reads it as a block, whose end it cannot write', async () => {
    const context = says({ additionalContext: '</hook_context> & more' });
    const block = blockOf('&lt;/hook_context&gt; &amp; more');
    const hooks = ['chatStart', 'preRequest', 'preToolCall'].map((type) => [type, hookOf(type, context)]);
    await withEcaAgent(Object.fromEntries(hooks), async ({ client }) => {
      expect((await startSessionWithHooks(client, 'startup')).additionalContext).toBe(block);
      expect(await acceptPromptWithHooks(client, { prompt: 'p' })).toMatchObject({ promptForModel: `p\n\n${block}` });
      const { result } = await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
      expect(result.llmContent).toBe(`done\n\n${block}`);
    });
  });

  test('additionalContext: that of several hooks is joined, in their order', async () => {
    const hooks = { b: preToolCall(says({ additionalContext: 'B' })), a: preToolCall(says({ additionalContext: 'A' })) };
    expect(contextOf(await fireShell(hooks))).toBe('A\nB');
  });

  test('additionalContext: on types that can add none, or of another type, it is dropped with a warning', async () => {
    await expectDroppedBut(['chatStart', 'preRequest', 'preToolCall', 'postToolCall'], { additionalContext: 'x' });
    await expectWrongType({ additionalContext: ['x'] });
  });
});

test('replacedPrompt: on preRequest it is the new prompt; on other types it is dropped with a warning', async () => {
  const result = await fire('preRequest', says({ replacedPrompt: 'New prompt text' }));
  expect(result.finalOutput?.hookSpecificOutput).toEqual({ replacedPrompt: 'New prompt text' });
  await expectDroppedBut(['preRequest'], { replacedPrompt: 'New prompt text' });
  await expectWrongType({ replacedPrompt: 7 });
});

test('updatedInput: on preToolCall it is merged into the arguments; on other types it is dropped with a warning', async () => {
  const tool = recordingTool();
  await withEcaAgent({ a: preToolCall(says({ updatedInput: { key: 'value', command: 'pwd' } })) }, async ({ client }) => {
    await executeToolWithHooks(client, { ...shellCall, input: { command: 'ls', quiet: true }, ...tool });
  });
  expect(tool.calls).toEqual([{ command: 'pwd', quiet: true, key: 'value' }]);
  await expectDroppedBut(['preToolCall'], { updatedInput: { key: 'value' } });
  const text = await fire('preToolCall', says({ updatedInput: 'text' }));
  expect(warningCodes(outcomeAt(text, 0))).toEqual(['wrong_type']);
  expect(text.changes).toEqual([]);
});

describe('approval', () => {
  test.each(['allow', 'ask', 'deny'])('approval: on preToolCall %s is what becomes of the call', async (approval) => {
    expect((await fire('preToolCall', says({ approval }))).verdict.kind).toBe(approval);
  });

  test.each([
    [['allow', 'ask'], 'ask'],
    [['ask', 'allow'], 'ask'],
    [['ask', 'deny'], 'deny'],
  ])('approval: of %j the strictest counts: %s (decision 51)', async ([first, second], kind) => {
    const hooks = { a: preToolCall(says({ approval: first })), b: preToolCall(says({ approval: second })) };
    expect((await fireShell(hooks)).verdict.kind).toBe(kind);
  });

  test('approval: another word, or another type of hook: dropped with a warning', async () => {
    const result = await fire('preToolCall', says({ approval: 'DENY' }));
    expect([result.verdict.kind, warningCodes(outcomeAt(result, 0))]).toEqual(['none', ['wrong_type']]);
    await expectDroppedBut(['preToolCall'], { approval: 'allow' });
  });
});

test('continue: false stops what goes on and the hooks behind; true and nothing go on', async () => {
  for (const type of ['preRequest', 'postRequest', 'preToolCall', 'postToolCall'] as const) {
    expect((await fire(type, says({ continue: false }))).verdict.stop).toBe(true);
    expect((await fire(type, says({ continue: true }))).verdict.stop).toBe(false);
    expect((await fire(type, says({}))).verdict.stop).toBe(false);
  }
  const stopped = await fireShell({ a: preToolCall(says({ continue: false })), b: preToolCall('true') });
  expect(stopped.outcomes).toMatchObject([{ status: 'succeeded' }, { status: 'skipped', skipReason: 'chain-ended' }]);
  await expectWrongType({ continue: 'false' });
});

test('stopReason: says why it stopped, and means nothing where nothing stops', async () => {
  const stopped = await fire('preToolCall', says({ continue: false, stopReason: 'Why stopped' }));
  expect(stopped.verdict).toMatchObject({ stop: true, stopReason: 'Why stopped' });
  expect((await fire('preToolCall', says({ stopReason: 'Why stopped' }))).verdict).toEqual({
    kind: 'none',
    stop: false,
    by: [],
    stoppedBy: [],
  });
  await expectWrongType({ stopReason: 7 });
});

test('suppressOutput: true hides the output from the user, and neither from the model nor from the decision', async () => {
  const suppressed = await fire('preToolCall', says({ suppressOutput: true, approval: 'ask', additionalContext: 'x' }));
  expect(suppressed.finalOutput?.suppressOutput).toBe(true);
  expect([suppressed.verdict.kind, contextOf(suppressed)]).toEqual(['ask', 'x']);
  for (const [suppressOutput, expected] of [
    [true, true],
    [false, false],
  ] as const) {
    await withEcaAgent({ a: hookOf('postToolCall', says({ suppressOutput })) }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
      expect(outcome).toMatchObject({ suppressOutput: expected, result: { llmContent: 'done' } });
    });
  }
  await expectWrongType({ suppressOutput: 'true' });
});

test('JSON on stdout controls what goes on, and JSON on stderr does not', async () => {
  const deny = says({ approval: 'deny' });
  expect((await fire('preToolCall', deny)).verdict.kind).toBe('deny');
  expect((await fire('preToolCall', `${deny} >&2`)).verdict.kind).toBe('none');
  // Not of a hook that failed (decision 58).
  const failed = await fire('preToolCall', `${deny}; exit 1`);
  expect([failed.verdict.kind, outcomeAt(failed, 0).status]).toEqual(['none', 'failed']);
});

describe('plain text', () => {
  test.each(['chatStart', 'preRequest', 'preToolCall', 'postToolCall'] as const)(
    'text that a %s hook prints is context, and no decision (decision 49)',
    async (type) => {
      const result = await fire(type, "echo 'deny: use tabs'");
      expect(contextOf(result)).toBe('deny: use tabs');
      expect(result.verdict.kind).toBe('none');
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
    },
  );

  test.each(['[1]', '{bad'])('%s is no JSON object, so it is text', async (text) => {
    expect(contextOf(await fire('preRequest', `echo '${text}'`))).toBe(text);
  });
});

/** Nothing that a rejected call could still do. */
async function expectRejected(shell: string, reason: string): Promise<void> {
  const tool = recordingTool();
  await withEcaAgent({ a: preToolCall(shell) }, async ({ client }) => {
    const outcome = await executeToolWithHooks(client, { ...shellCall, ...tool, ask: () => 'allow' });
    expect(outcome).toMatchObject({ status: 'blocked', reason, result: { llmContent: reason } });
  });
  expect(tool.calls).toEqual([]);
}

test('approval deny rejects the call, and the context beside it is the reason', async () => {
  await expectRejected(says({ approval: 'deny', additionalContext: 'not here' }), 'not here');
});

test('exit code 2 rejects the call, whatever is printed; stderr is the reason', async () => {
  await expectRejected('echo not here >&2; exit 2', 'not here');
  await expectRejected(`${says({ approval: 'allow' })}; echo not here >&2; exit 2`, 'not here');
  await expectRejected('echo not here; exit 2', 'not here');
});
