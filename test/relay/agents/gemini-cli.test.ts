import { groups, llxprtGuard, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agent = new RelayedAgent('gemini-cli');
afterAll(() => agent.remove());

const base = (event: string) => ({
  session_id: 's1',
  transcript_path: '',
  cwd: agent.project,
  hook_event_name: event,
  timestamp: '2026-11-21T10:00:00.000Z',
});
const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test', description: 'd' } };
const P = { ...base('BeforeTool'), ...call };
const after = { ...base('AfterTool'), ...call, tool_response: { llmContent: 'key', returnDisplay: 'key' } };
const quiet = { status: 0, stderr: '' };
const claude = (event: string, answer: object, matcher?: string) => groups('claude-code', event, printing(answer), {}, matcher);

test('15. no guard', () => {
  expect(agent.run('BeforeTool', P)).toMatchObject({ ...quiet, stdout: '{}\n' });
});

test('16. a deny', () => {
  const { answer, ...rest } = agent.run('BeforeTool', P, [llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' })]);
  expect(rest).toMatchObject(quiet);
  expect(answer).toEqual({ decision: 'deny', reason: 'no' });
});

test('17. exit code 2 of a guard is a deny on stdout', () => {
  const guard = groups('claude-code', 'PreToolUse', printing(undefined, 2, 'no'), {}, 'Bash');
  const { answer, ...rest } = agent.run('BeforeTool', P, [guard]);
  expect(rest).toMatchObject(quiet);
  expect(answer).toEqual({ decision: 'deny', reason: 'no' });
});

test('18. a rewrite, and one that takes an argument away', () => {
  const both = claude('PreToolUse', specific('PreToolUse', { updatedInput: { command: 'ls', description: 'd' } }), 'Bash');
  expect(agent.run('BeforeTool', P, [both]).answer).toEqual(specific('BeforeTool', { tool_input: { command: 'ls', description: 'd' } }));
  const one = claude('PreToolUse', specific('PreToolUse', { updatedInput: { command: 'ls' } }), 'Bash');
  expect(agent.run('BeforeTool', P, [one]).answer).toEqual({ decision: 'deny', reason: expect.stringContaining('description') });
});

test('19. an ask', () => {
  const { answer } = agent.run('BeforeTool', P, [llxprtGuard('BeforeTool', { decision: 'ask', reason: 'sure?' })]);
  expect(answer).toEqual({ decision: 'ask', reason: 'sure?' });
});

test('20. a stop', () => {
  const { answer } = agent.run('BeforeTool', P, [llxprtGuard('BeforeTool', { continue: false, stopReason: 's' })]);
  expect(answer).toEqual({ continue: false, stopReason: 's' });
});

test('21. feedback that keeps the result is context', () => {
  const { answer } = agent.run('AfterTool', after, [claude('PostToolUse', { decision: 'block', reason: 'r' })]);
  expect(answer).toEqual(specific('AfterTool', { additionalContext: 'r' }));
});

test('22. a redaction is a deny', () => {
  const { answer } = agent.run('AfterTool', after, [groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }))]);
  expect(answer).toEqual({ decision: 'deny', reason: 'gone' });
});

test('23. a prompt', () => {
  const payload = { ...base('BeforeAgent'), prompt: 'p' };
  expect(agent.run('BeforeAgent', payload, [llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]).answer).toEqual({
    decision: 'deny',
    reason: 'no',
  });
  const context = llxprtGuard('BeforeAgent', specific('BeforeAgent', { additionalContext: 'c' }));
  expect(agent.run('BeforeAgent', payload, [context]).answer).toEqual(specific('BeforeAgent', { additionalContext: 'c' }));
});

test('24. the end of a turn', () => {
  const payload = { ...base('AfterAgent'), prompt: 'p', prompt_response: 'done', stop_hook_active: false };
  const { answer } = agent.run('AfterAgent', payload, [llxprtGuard('AfterAgent', { decision: 'deny', reason: 'go on' })]);
  expect(answer).toEqual({ decision: 'deny', reason: 'go on' });
});

const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

test('25. an answer in place of the model', () => {
  const response = { text: 'x', candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason: 'STOP' }] };
  const guard = llxprtGuard('BeforeModel', specific('BeforeModel', { llm_response: response }));
  const payload = { ...base('BeforeModel'), llm_request: request };
  const { answer } = agent.run('BeforeModel', payload, [guard]);
  const answered = (given: object) => ({
    decision: 'deny',
    reason: expect.any(String),
    ...specific('BeforeModel', { llm_response: given }),
  });
  expect(answer).toEqual(answered(response));
  // Without candidates, Gemini CLI would call the model.
  const text = llxprtGuard('BeforeModel', specific('BeforeModel', { llm_response: { text: 'x' } }));
  expect(agent.run('BeforeModel', payload, [text]).answer).toEqual(answered(response));
});

test('a text is written in place of a denied or removed answer of the model, which Gemini CLI would show', () => {
  const answered = { candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason: 'STOP' }] };
  const payload = { ...base('AfterModel'), llm_request: request, llm_response: answered };
  const replacing = (parts: readonly string[]) =>
    llxprtGuard('AfterModel', specific('AfterModel', { llm_response: { candidates: [{ content: { role: 'model', parts } }] } }));
  const shown = (text: string) =>
    specific('AfterModel', { llm_response: { candidates: [expect.objectContaining({ content: textOf(text) })] } });
  const textOf = (text: string) => ({ role: 'model', parts: [text] });
  expect(agent.run('AfterModel', payload, [replacing([])]).answer).toMatchObject(shown('A hook removed this answer.'));
  expect(agent.run('AfterModel', payload, [replacing(['y'])]).answer).toEqual(
    specific('AfterModel', { llm_response: { candidates: [{ content: textOf('y') }] } }),
  );
  const denying = llxprtGuard('AfterModel', { decision: 'deny', reason: 'no' });
  const denied = agent.run('AfterModel', payload, [denying]).answer;
  expect(denied).toMatchObject(shown('no'));
  // With a deny, Gemini CLI ends the turn, and shows the answer of the model.
  expect(denied).not.toHaveProperty('decision');
});

test('a candidate without parts gets an empty list: Gemini CLI would throw, and call the model', () => {
  const denying = llxprtGuard('BeforeModel', {
    decision: 'deny',
    reason: 'no',
    ...specific('BeforeModel', { llm_response: { candidates: [{ content: { role: 'model' } }] } }),
  });
  const { answer } = agent.run('BeforeModel', { ...base('BeforeModel'), llm_request: request }, [denying]);
  const candidates = [{ content: { role: 'model', parts: [] } }];
  expect(answer).toEqual({ decision: 'deny', reason: 'no', ...specific('BeforeModel', { llm_response: { candidates } }) });
});

test('26. a selection of tools', () => {
  const guard = llxprtGuard('BeforeToolSelection', specific('BeforeToolSelection', { toolConfig: { mode: 'NONE' } }));
  const { answer } = agent.run('BeforeToolSelection', { ...base('BeforeToolSelection'), llm_request: request }, [guard]);
  expect(answer).toEqual(specific('BeforeToolSelection', { toolConfig: { mode: 'NONE', allowedFunctionNames: [] } }));
});

test('27. only the last chunk of an answer is judged', () => {
  const guard = llxprtGuard('AfterModel', { decision: 'deny', reason: 'no' });
  const chunk = { candidates: [{ content: { role: 'model', parts: ['x'] } }] };
  const payload = { ...base('AfterModel'), llm_request: request, llm_response: chunk };
  expect(agent.run('AfterModel', payload, [guard])).toMatchObject({ ...quiet, stdout: '{}\n', seen: [] });
  const last = { candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason: 'STOP' }] };
  expect(agent.run('AfterModel', { ...payload, llm_response: last }, [guard]).seen).toHaveLength(1);
});

test('28. a guard that dies is named, and with onError block it denies', () => {
  const dying = (hook: object) => groups('llxprt', 'BeforeTool', 'kill -9 $$', { name: 'fragile', ...hook });
  const { answer, ...rest } = agent.run('BeforeTool', P, [dying({})]);
  expect(rest).toMatchObject(quiet);
  expect(answer).toEqual({ systemMessage: expect.stringContaining('fragile') });
  const closed = agent.run('BeforeTool', P, [dying({ onError: 'block' })]);
  expect(closed.answer).toEqual({ decision: 'deny', reason: expect.stringContaining('fragile') });
});
