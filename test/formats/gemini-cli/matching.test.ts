import { callModelWithHooks, executeToolWithHooks } from '@tenterhook/agent';
import { recordingModel, recordingTool } from '../../support/agent.js';
import { fireEvent, outcomeAt, says } from '../../support/fire-hooks.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../../support/plain-translator.js';
import { deeds, fire, fireWrite, groupOf, hooksOf, idOf, seen, specific, withGemini } from './gemini-hooks.js';

describe('matching', () => {
  const runsFor = (matcher: string, toolName: string, mcpContext?: { server_name: string }) =>
    withGemini(hooksOf('BeforeTool', 'true', { matcher }), async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent(toolName, {}, mcpContext);
      return outcomeAt(result, 0).status === 'succeeded';
    });

  test.each<[string, string, boolean]>([
    ['read', 'read_file', true],
    ['read', 'spread_file', true],
    ['^read$', 'read_file', false],
    ['^read$', 'spread_file', false],
    ['Read', 'read_file', false],
    ['write_.*|replace', 'replace', true],
    ['*_file', 'write_file', false],
    ['*_file', '*_file', true],
    ['/write/', 'write_file', false],
    ['', 'write_file', true],
    ['*', 'write_file', true],
  ])('the matcher %j and the tool %s: runs is %s', async (matcher, toolName, expected) => {
    expect(await runsFor(matcher, toolName)).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    ['*_file', 'error', 'invalid_matcher', '"^.*_file$"'],
    ['/write/', 'warning', 'unmatched_matcher', '"write"'],
    ['write', 'note', 'plain_matcher', '"^write$"'],
  ])('the matcher %j is a load %s with the remedy', async (matcher, severity, code, remedy) => {
    await withGemini(hooksOf('BeforeTool', 'true', { matcher }), async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code, severity, path: 'hooks.BeforeTool[0].matcher', remedy: expect.stringContaining(remedy) },
      ]);
    });
  });

  test('a pattern that only an engine with backtracking has is a diagnostic, and its hook does not run', async () => {
    const BeforeTool = [groupOf('exit 2', { matcher: '^(?!read)' }), groupOf('true')];
    await withGemini({ BeforeTool }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error', path: 'hooks.BeforeTool[0].matcher' }]);
      expect(deeds(await handler.fireBeforeToolEvent('write_file', {}))).toEqual(['skipped: invalid', 'succeeded']);
    });
  });

  test('a pattern that is catastrophic elsewhere is answered, on a name of 20,000 letters', async () => {
    expect(await runsFor('^(a+)+$', `${'a'.repeat(20_000)}!`)).toBe(false);
  });

  test.each(['mcp_gh_search', '^mcp_gh_', '^search$', '^mcp__gh__search$'])(
    'the matcher %s knows the tool search of the server gh',
    async (matcher) => {
      const hostName = matcher.includes('__') ? 'mcp__gh__search' : 'search';
      expect(await runsFor(matcher, hostName, { server_name: 'gh' })).toBe(true);
    },
  );

  test('SessionStart compares its source', async () => {
    const SessionStart = [groupOf('true', { matcher: 'startup' }), groupOf('true', { matcher: 'startup|resume' })];
    await withGemini({ SessionStart }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([
        {
          code: 'unmatched_matcher',
          severity: 'warning',
          path: 'hooks.SessionStart[1].matcher',
          remedy: expect.stringContaining('"resume"'),
        },
      ]);
      expect(deeds(await handler.fireSessionStartEvent('startup'))).toEqual(['succeeded', 'skipped: matcher']);
      expect(deeds(await handler.fireSessionStartEvent('clear'))).toEqual(['skipped: matcher', 'skipped: matcher']);
    });
  });

  test('a matcher on Notification is a warning, and the hook runs', async () => {
    await withGemini(hooksOf('Notification', 'true', { matcher: 'Other' }), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.Notification[0].matcher' }]);
      expect(deeds(await handler.fireNotificationEvent('ToolPermission', 'm', {}))).toEqual(['succeeded']);
    });
  });

  test('the same settings in the native format know other matchers', async () => {
    // The kind of a matcher depends on the format and not on the event: in LLxprt's format `*_file` is a glob.
    const native = await fireEvent('BeforeTool', { tool_name: 'write_file', tool_input: {} }, ['true'], { matcher: '*_file' });
    expect(outcomeAt(native, 0).status).toBe('succeeded');
    expect(deeds(await fireWrite('true', { matcher: '*_file' }))).toEqual(['skipped: matcher']);
  });
});

describe('chaining', () => {
  const call = { name: 'write_file', input: { a: 1 } };
  const deny = says({ decision: 'deny', reason: 'no' });

  test('tool_input is merged into the arguments, and cannot remove any of them', async () => {
    await withGemini(hooksOf('BeforeTool', specific({ tool_input: { b: 2 } })), async ({ client }) => {
      const tool = recordingTool();
      expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
      expect(tool.calls).toEqual([{ a: 1, b: 2 }]);
    });
  });

  test('two parallel rewriters see the same input, and the tool gets what both wrote', async () => {
    const texts = [`cat > first.json; ${specific({ tool_input: { b: 2 } })}`, `cat > second.json; ${specific({ tool_input: { c: 3 } })}`];
    const hooks = texts.map((command) => ({ type: 'command', command, recheck: false }));
    await withGemini(hooksOf('BeforeTool', hooks), async (scene) => {
      const tool = recordingTool();
      await executeToolWithHooks(scene.client, { ...call, ...tool });
      for (const file of ['first.json', 'second.json']) expect(seen(scene, file)).toMatchObject({ tool_input: { a: 1 } });
      expect(seen(scene, 'second.json')['tool_input']).toEqual({ a: 1 });
      expect(tool.calls).toEqual([{ a: 1, b: 2, c: 3 }]);
    });
  });

  test('one sequential group makes all hooks of the event run one by one', async () => {
    const BeforeTool = [groupOf(specific({ tool_input: { b: 2 } }), { sequential: true }), groupOf('cat > seen.json')];
    await withGemini({ BeforeTool }, async (scene) => {
      const result = await scene.handler.fireBeforeToolEvent('write_file', { a: 1 });
      expect(deeds(result)).toEqual(['succeeded', 'succeeded']);
      expect(seen(scene)['tool_input']).toEqual({ a: 1, b: 2 });
    });
  });

  test('a deny ends the chain', async () => {
    const result = await fireWrite([deny, 'true'], { sequential: true });
    expect(deeds(result)).toEqual(['blocked', 'skipped: chain-ended']);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('a failed hook does not end the chain', async () => {
    expect(deeds(await fireWrite(['exit 1', 'true'], { sequential: true }))).toEqual(['failed', 'succeeded']);
  });

  test('the next hook of a prompt sees the context of the one before it', async () => {
    const hooks = [specific({ additionalContext: 'It rains.' }), 'cat > seen.json'];
    await withGemini(hooksOf('BeforeAgent', hooks, { sequential: true }), async (scene) => {
      await scene.handler.fireBeforeAgentEvent('Shall we go?');
      expect(seen(scene)['prompt']).toBe('Shall we go?\n\nIt rains.');
    });
  });

  test.each([
    ['after it', [deny, 'echo logged']],
    ['before it', ['echo logged', deny]],
  ])('BeforeModel: a deny stays one with a text %s', async (_, hooks) => {
    const result = await fire('BeforeModel', { llm_request: {} }, hooks);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(result.finalOutput?.systemMessage).toBe('logged');
  });

  const request: PlainRequest = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
  const response: PlainResponse = {
    text: 'hi',
    candidates: [{ content: { role: 'model', parts: ['hi'] }, finishReason: 'STOP' }],
    functionCalls: ['write_file'],
  };
  const modelCall = () => ({ request, translator: plainTranslator(), ...recordingModel<PlainRequest, PlainResponse>(response) });

  test('with an llm_response the model is not called', async () => {
    const answer = { candidates: [{ content: { role: 'model', parts: ['from the hook'] }, finishReason: 'STOP' }] };
    await withGemini(hooksOf('BeforeModel', specific({ llm_response: answer })), async ({ client }) => {
      const model = modelCall();
      const done = await callModelWithHooks(client, model);
      expect(done.status).toBe('synthetic');
      expect(JSON.stringify(done.response)).toContain('from the hook');
      expect(model.requests).toEqual([]);
    });
  });

  const selection = (toolConfig: Record<string, unknown>) => specific({ toolConfig });
  const selected = async (hooks: readonly string[]) =>
    (await fire('BeforeToolSelection', { llm_request: {} }, hooks)).finalOutput?.hookSpecificOutput?.['toolConfig'];

  test('NONE wins, and empties the list', async () => {
    const any = selection({ mode: 'ANY', allowedFunctionNames: ['a'] });
    expect(await selected([selection({ mode: 'NONE' }), any])).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
  });

  test('names are united, and an output without a toolConfig changes nothing', async () => {
    const lists = [selection({ allowedFunctionNames: ['b'] }), selection({ allowedFunctionNames: ['a'] })];
    expect(await selected(lists)).toMatchObject({ allowedFunctionNames: ['a', 'b'] });
    expect(await selected([says({ systemMessage: 'm' })])).toBeUndefined();
  });

  test('a toolConfig in the words of the API has no effect, and a warning says what to write', async () => {
    const hook = selection({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } });
    const { finalOutput, changes, outcomes } = await fire('BeforeToolSelection', { llm_request: {} }, hook);
    expect(finalOutput?.hookSpecificOutput?.['toolConfig']).toBeUndefined();
    expect(changes).toEqual([]);
    expect(outcomes[0]?.warnings).toEqual([
      { code: 'no_effect', message: expect.stringContaining('Write its "mode" and "allowedFunctionNames" directly into toolConfig.') },
    ]);
  });

  const result = { llmContent: 'the password is 1234', returnDisplay: 'the password is 1234' };

  test('the reason of an AfterTool deny takes the place of the result', async () => {
    const hooks = [says({ decision: 'deny', reason: 'redacted' }), specific({ additionalContext: 'Ask the user.' })];
    await withGemini(hooksOf('AfterTool', hooks), async ({ client }) => {
      const done = await executeToolWithHooks(client, { ...call, ...recordingTool(result) });
      expect(done.after?.verdict).toMatchObject({ kind: 'deny', reason: 'redacted', by: [idOf('0.0', 'AfterTool')] });
      expect(done.after?.outcomes[0]?.output?.hookSpecificOutput).toMatchObject({ updatedToolOutput: 'redacted' });
      expect(done.result.llmContent).toBe('redacted\n\n<hook_context>\nAsk the user.\n</hook_context>');
      expect(JSON.stringify(done.result)).not.toContain('1234');
    });
  });

  test.each(['echo redacted >&2; exit 2', 'echo redacted; exit 3'])('the same of %s', async (command) => {
    await withGemini(hooksOf('AfterTool', command), async ({ client }) => {
      const done = await executeToolWithHooks(client, { ...call, ...recordingTool(result) });
      expect(done.after?.verdict).toMatchObject({ kind: 'deny', reason: 'redacted' });
      expect(done.result).toMatchObject({ llmContent: 'redacted', returnDisplay: 'redacted' });
    });
  });

  test('a silent AfterTool deny takes the result away nevertheless', async () => {
    await withGemini(hooksOf('AfterTool', { name: 'guard', command: says({ decision: 'deny' }) }), async ({ client }) => {
      const done = await executeToolWithHooks(client, { ...call, ...recordingTool(result) });
      expect(done.result.llmContent).toEqual(expect.stringContaining('guard'));
      expect(JSON.stringify(done.result)).not.toContain('1234');
    });
  });

  test('an AfterModel deny discards the answer', async () => {
    await withGemini(hooksOf('AfterModel', deny), async ({ client }) => {
      const done = await callModelWithHooks(client, modelCall());
      expect(done.after?.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(done.response).toEqual({ text: '', candidates: [] });
      expect(done.after?.outcomes[0]?.warnings).toEqual([]);
    });
  });
});
