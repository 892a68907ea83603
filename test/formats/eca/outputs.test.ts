import { acceptPromptWithHooks, executeToolWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { blockOf, shellCall, withEcaAgent } from './eca-agent.js';
import { contextOf, deeds, firePrompt, fireShell, hookOf, idOf, preToolCall, withEca } from './eca-hooks.js';

describe('outputs', () => {
  test('silence with exit 0 is not an opinion', async () => {
    const result = await fireShell({ quiet: preToolCall('true') });
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ hookId: idOf('quiet'), name: 'quiet', status: 'succeeded', exitCode: 0, warnings: [] });
    expect(result).toMatchObject({ success: true, allOutputs: [], errors: [], changes: [] });
  });

  test('approval deny is a deny, and its context is the reason and no context any more', async () => {
    const result = await fireShell({ guard: preToolCall(says({ approval: 'deny', additionalContext: 'no rm' })) });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no rm', by: [idOf('guard')] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 0, warnings: [] });
    expect(contextOf(result)).toBeUndefined();
    expect(result.success).toBe(true);
  });

  test('a deny without a context has a reason that names the hook', async () => {
    const result = await fireShell({ guard: preToolCall(says({ approval: 'deny' })) });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('guard') });
  });

  test('plain text on exit 0 is context', async () => {
    const result = await firePrompt({ note: hookOf('preRequest', 'echo plain words') });
    expect(contextOf(result)).toBe('plain words');
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
  });

  test.each([
    ['[1]', []],
    ['{bad', ['invalid_json']],
    ['[{"approval":"deny"}]', ['not_an_object']],
  ])('%s on exit 0 is context too, and what may have been an answer is said', async (text, warnings) => {
    const result = await firePrompt({ note: hookOf('preRequest', `echo '${text}'`) });
    expect(contextOf(result)).toBe(text);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0).status).toBe('succeeded');
    expect(warningCodes(outcomeAt(result, 0))).toEqual(warnings);
  });

  test.each(['maybe', 'DENY', 'block', true, 7])('the approval %j is a warning and no opinion', async (approval) => {
    const result = await fireShell({ guard: preToolCall(says({ approval })) });
    expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'wrong_type', message: expect.stringContaining('approval') }],
    });
  });

  test('continue false stops with its stop reason, and later hooks do not run', async () => {
    const result = await firePrompt({
      a: hookOf('preRequest', says({ continue: false, stopReason: 'R' })),
      b: hookOf('preRequest', 'echo never'),
    });
    expect(result.verdict).toMatchObject({ stop: true, stopReason: 'R', stoppedBy: [idOf('a', 'BeforeAgent')] });
    expect(result.finalOutput?.shouldStopExecution()).toBe(true);
    expect(deeds(result).at(-1)).toEqual(['b', 'skipped', 'chain-ended']);
    expect(contextOf(result)).toBeUndefined();
  });

  const stoppable: [type: string, eventName: HookEventName, input: Record<string, unknown>, ends: boolean][] = [
    ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {} }, true],
    ['postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: {} }, false],
    ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }, true],
    ['chatStart', 'SessionStart', { source: 'startup' }, false],
    ['chatEnd', 'SessionEnd', { reason: 'exit' }, false],
    ['sessionStart', 'HostStart', {}, false],
    ['sessionEnd', 'HostEnd', {}, false],
  ];

  test.each(stoppable)('a stop of a %s hook ends the chain where it holds something up', async (type, eventName, input, ends) => {
    const hooks = { a: hookOf(type, says({ continue: false, stopReason: 'R' })), b: hookOf(type, 'true') };
    await withEca(hooks, async ({ handler }) => {
      const result = await handler.fire(eventName, input);
      expect(result.verdict).toMatchObject({ kind: 'none', stop: true, stopReason: 'R', stoppedBy: [idOf('a', eventName)] });
      expect(deeds(result)).toEqual([['a', 'succeeded'], ends ? ['b', 'skipped', 'chain-ended'] : ['b', 'succeeded']]);
    });
  });

  test('continue as the text "false" is not a stop, and a warning', async () => {
    const result = await firePrompt({ a: hookOf('preRequest', says({ continue: 'false' })), b: hookOf('preRequest', 'true') });
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false, stoppedBy: [] });
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining('continue') }]);
    expect(deeds(result)).toEqual([
      ['a', 'succeeded'],
      ['b', 'succeeded'],
    ]);
  });

  test('the contexts of two hooks are joined in order, a line each', async () => {
    const result = await firePrompt({
      b: hookOf('preRequest', says({ additionalContext: 'Y' })),
      a: hookOf('preRequest', says({ additionalContext: 'X' })),
    });
    expect(contextOf(result)).toBe('X\nY');
  });

  test('two hooks that say the same are heard twice', async () => {
    const hook = hookOf('preRequest', says({ additionalContext: 'X' }));
    expect(contextOf(await firePrompt({ a: hook, b: hook }))).toBe('X\nX');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no decision', {}, 'none'],
    ['a deny', { approval: 'deny', additionalContext: 'no' }, 'deny'],
    ['an allow', { approval: 'allow' }, 'allow'],
  ])('suppressOutput beside %s is a flag of the result, and the decision is what it was', async (_, fields, kind) => {
    const result = await fireShell({ guard: preToolCall(says({ ...fields, suppressOutput: true })) });
    expect(result.finalOutput?.suppressOutput).toBe(true);
    expect(result.verdict.kind).toBe(kind);
  });
});

describe('fields of the output', () => {
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

  /** Fires one hook of a type that runs this command. */
  function fire(type: Type, shell: string): Promise<AggregatedHookResult> {
    const [eventName, input] = moments[type];
    return withEca({ a: hookOf(type, shell) }, ({ handler }) => handler.fire(eventName, input));
  }

  /** Checks that a field counts only on these types, and is dropped with a warning on the others. */
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

  test('replacedOutput: on postToolCall it is the new result; on other types it is dropped with a warning', async () => {
    await withEcaAgent({ a: hookOf('postToolCall', says({ replacedOutput: 'redacted' })) }, async ({ client }) => {
      const { result, after } = await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
      expect(result).toMatchObject({ llmContent: 'redacted', returnDisplay: 'redacted' });
      expect(after?.outcomes[0]?.warnings).toEqual([]);
    });
    await expectDroppedBut(['postToolCall'], { replacedOutput: 'redacted' });
    const number = await fire('postToolCall', says({ replacedOutput: 7 }));
    expect([warningCodes(outcomeAt(number, 0)), number.changes]).toEqual([['wrong_type'], []]);
  });

  test('replacedOutput: the next hook is shown it', async () => {
    const hooks = { a: hookOf('postToolCall', says({ replacedOutput: 'redacted' })), b: hookOf('postToolCall', 'cat > seen.json') };
    await withEcaAgent(hooks, async ({ client, read }) => {
      await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
      expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ tool_response: { llmContent: 'redacted' } });
    });
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

  test('continue: false stops what goes on and later hooks; true and nothing go on', async () => {
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
    // The field of a hook that failed does not count (decision 58).
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

    test.each(['[1]', '{bad'])('%s is not a JSON object, so it is text', async (text) => {
      expect(contextOf(await fire('preRequest', `echo '${text}'`))).toBe(text);
    });
  });

  /** Checks that the call is rejected and nothing else in the output has an effect. */
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
});
