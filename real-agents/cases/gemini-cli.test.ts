import { rmSync } from 'node:fs';
import { groups, llxprtGuard, printing, specific, type TestGuard } from '../../test/relay/relayed-agent.js';
import { GeminiCli, geminiPackage, startGeminiOnce } from '../agents/gemini-cli.js';
import { describeAgent } from '../agents/real-agent.js';

const call = ['run_shell_command', { command: 'npm test', description: 'd' }] as const;
const result = { llmContent: 'key', returnDisplay: 'key' };
const request = { model: 'm', contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const response = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason }],
});
const unopposed = { success: true, errors: [], blocked: false, asks: false, stops: false };

describeAgent('Gemini CLI', geminiPackage, startGeminiOnce, () => {
  const agent = new GeminiCli();
  beforeAll(() => agent.install('--events', 'all'));
  afterAll(async () => {
    await agent.restart();
    agent.remove();
  });

  /** Fires an event with these guards. */
  const fire = (guards: readonly TestGuard[], event: string, ...args: readonly unknown[]) => {
    agent.list(guards);
    return agent.fire(event, ...args);
  };
  const before = (answer: object) => fire([llxprtGuard('BeforeTool', answer)], 'BeforeTool', ...call);
  const claude = (event: string, answer: object | undefined, exit = 0, stderr = '') =>
    groups('claude-code', event, printing(answer, exit, stderr), {}, 'Bash');

  test('15. without a guard, nothing is decided', async () => {
    const report = await fire([], 'BeforeTool', ...call);
    expect(report).toMatchObject(unopposed);
    expect(report['message']).toBeUndefined();
  });

  test('16. a deny', async () => {
    expect(await before({ decision: 'deny', reason: 'no' })).toMatchObject({ success: true, blocked: true, reason: 'no' });
    expect(agent.seen).toMatchObject([{ session_id: 's1', cwd: agent.project, tool_name: 'run_shell_command', tool_input: call[1] }]);
  });

  test('17. exit code 2 of a guard', async () => {
    const report = await fire([claude('PreToolUse', undefined, 2, 'no')], 'BeforeTool', ...call);
    expect(report).toMatchObject({ success: true, errors: [], blocked: true, reason: 'no' });
  });

  test('18. new arguments, and an argument that is taken away', async () => {
    const rewriting = (input: object) => claude('PreToolUse', specific('PreToolUse', { updatedInput: input }));
    const both = { command: 'ls', description: 'd' };
    expect(await fire([rewriting(both)], 'BeforeTool', ...call)).toMatchObject({ ...unopposed, input: both });
    const one = await fire([rewriting({ command: 'ls' })], 'BeforeTool', ...call);
    expect(one).toMatchObject({ blocked: true, reason: expect.stringContaining('description') });
  });

  test('19. an ask', async () => {
    expect(await before({ decision: 'ask', reason: 'sure?' })).toMatchObject({ asks: true, blocked: false, reason: 'sure?' });
  });

  test('20. a stop', async () => {
    expect(await before({ continue: false, stopReason: 's' })).toMatchObject({ stops: true, reason: 's' });
  });

  test('21. feedback after a tool is context, and the result stays', async () => {
    const feedback = claude('PostToolUse', { decision: 'block', reason: 'r' });
    expect(await fire([feedback], 'AfterTool', ...call, result)).toMatchObject({ blocked: false, context: 'r' });
  });

  test('22. a redaction', async () => {
    const redacting = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
    expect(await fire([redacting], 'AfterTool', ...call, result)).toMatchObject({ blocked: true, reason: 'gone' });
    expect(agent.seen).toMatchObject([{ tool_response: result }]);
  });

  test('23. a prompt that is denied, and context for it', async () => {
    const denying = llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' });
    expect(await fire([denying], 'BeforeAgent', 'p')).toMatchObject({ blocked: true, reason: 'no' });
    const adding = llxprtGuard('BeforeAgent', specific('BeforeAgent', { additionalContext: 'c' }));
    expect(await fire([adding], 'BeforeAgent', 'p')).toMatchObject({ ...unopposed, context: 'c' });
  });

  test('24. the agent goes on', async () => {
    const denying = llxprtGuard('AfterAgent', { decision: 'deny', reason: 'go on' });
    expect(await fire([denying], 'AfterAgent', 'p', 'done', false)).toMatchObject({ blocked: true, stops: false, reason: 'go on' });
  });

  test('25. an answer in place of the model, which is not called', async () => {
    const answer = { text: 'x', candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason: 'STOP' }] };
    const guard = llxprtGuard('BeforeModel', specific('BeforeModel', { llm_response: answer }));
    const report = await fire([guard], 'BeforeModel', request);
    expect(report).toMatchObject({ blocked: true, syntheticResponse: response('x', 'STOP') });
  });

  test('a new request to the model, and a request that is denied', async () => {
    const messages = [{ role: 'user', content: 'bye' }];
    const rewriting = llxprtGuard('BeforeModel', specific('BeforeModel', { llm_request: { messages } }));
    const report = await fire([rewriting], 'BeforeModel', request);
    expect(report).toMatchObject({ blocked: false, modifiedContents: [{ role: 'user', parts: [{ text: 'bye' }] }] });
    const denying = llxprtGuard('BeforeModel', { decision: 'deny', reason: 'no' });
    expect(await fire([denying], 'BeforeModel', request)).toMatchObject({ blocked: true, reason: 'no' });
  });

  test('26. no tool is selected', async () => {
    const guard = llxprtGuard('BeforeToolSelection', specific('BeforeToolSelection', { toolConfig: { mode: 'NONE' } }));
    const report = await fire([guard], 'BeforeToolSelection', request);
    expect(report).toMatchObject({ toolConfig: { functionCallingConfig: { mode: 'NONE', allowedFunctionNames: [] } } });
  });

  test('27. only the last chunk of an answer is judged', async () => {
    const guard = llxprtGuard('AfterModel', { decision: 'deny', reason: 'no' });
    const chunk = await fire([guard], 'AfterModel', request, response('x'));
    expect(chunk).toEqual({ response: response('x') });
    expect(agent.seen).toEqual([]);
    const last = await fire([guard], 'AfterModel', request, response('x', 'STOP'));
    expect(last).toMatchObject({ response: { candidates: [{ content: { parts: [{ text: 'no' }] } }] } });
    expect(JSON.stringify(last)).not.toContain('"x"');
  });

  test('the answer of the model is replaced, also by one without any part', async () => {
    const replacing = (parts: readonly string[]) =>
      llxprtGuard('AfterModel', specific('AfterModel', { llm_response: { candidates: [{ content: { role: 'model', parts } }] } }));
    const replaced = await fire([replacing(['y'])], 'AfterModel', request, response('x', 'STOP'));
    expect(replaced).toMatchObject({ response: { candidates: [{ content: { parts: [{ text: 'y' }] } }] } });
    const removed = await fire([replacing([])], 'AfterModel', request, response('x', 'STOP'));
    expect(removed).toMatchObject({ response: { candidates: [{ content: { parts: [{ text: 'A hook removed this answer.' }] } }] } });
  });

  test('28. a guard that dies is named, and with onError block it denies', async () => {
    const dying = (hook: object) => groups('llxprt', 'BeforeTool', 'kill -9 $$', { name: 'fragile', ...hook });
    const open = await fire([dying({})], 'BeforeTool', ...call);
    expect(open).toMatchObject({ ...unopposed, message: expect.stringContaining('fragile') });
    const closed = await fire([dying({ onError: 'block' })], 'BeforeTool', ...call);
    expect(closed).toMatchObject({ blocked: true, reason: expect.stringContaining('fragile') });
  });

  test('context at the start of a session, and messages on the events that decide nothing', async () => {
    const adding = llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: 'c' }));
    expect(await fire([adding], 'SessionStart', 'startup')).toMatchObject({ success: true, context: 'c' });
    const saying = (event: 'SessionEnd' | 'PreCompress' | 'Notification') => llxprtGuard(event, { systemMessage: 'm' });
    expect(await fire([saying('SessionEnd')], 'SessionEnd', 'exit')).toMatchObject({ success: true, message: 'm' });
    expect(await fire([saying('PreCompress')], 'PreCompress', 'auto')).toMatchObject({ success: true, message: 'm' });
    const notification = await fire([saying('Notification')], 'Notification', 'ToolPermission', 't', { type: 'exec' });
    expect(notification).toMatchObject({ success: true, message: 'm' });
  });

  test('72. the daemon is killed while a guard runs: open lets the call pass, closed denies it', async () => {
    const killing = () => groups('llxprt', 'BeforeTool', `kill -9 ${agent.daemon?.pid}; exec sleep 300`);
    await fire([], 'BeforeTool', ...call);
    const open = await fire([killing()], 'BeforeTool', ...call);
    expect(open).toMatchObject({ ...unopposed, message: expect.stringContaining('could not answer') });
    agent.install('--events', 'all', '--on-failure', 'closed');
    await agent.restart();
    await fire([], 'BeforeTool', ...call);
    const closed = await fire([killing()], 'BeforeTool', ...call);
    expect(closed).toMatchObject({ blocked: true, reason: expect.stringContaining('could not answer') });
  });

  test('without the program, the call is denied', async () => {
    rmSync(agent.client);
    expect(await fire([], 'BeforeTool', ...call)).toMatchObject({ blocked: true, reason: expect.stringContaining('tenterhook-hook') });
  });
});
