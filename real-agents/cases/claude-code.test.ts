import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ecaGuard, groups, llxprtGuard, printing, specific, type TestGuard } from '../../test/relay/relayed-agent.js';
import { ClaudeCode, type ClaudeRun, claudePackage, startClaudeOnce } from '../agents/claude-code.js';
import { describeAgent, onceDenying } from '../agents/real-agent.js';
import type { ModelTurn } from '../models/scripted-model.js';

const shell = { tool: 'Bash', input: { command: 'echo ran >> ran', description: 'd' } };
const printKey = { tool: 'Bash', input: { command: 'echo key', description: 'd' } };
const failing = { tool: 'Bash', input: { command: 'echo boom >&2; exit 3', description: 'd' } };
/** Without it, Claude Code asks its user, who is not there. */
const permitted = ['--allowedTools', 'Bash,Read,Write,Edit'];

describeAgent('Claude Code', claudePackage, startClaudeOnce, () => {
  const agent = new ClaudeCode();
  beforeAll(async () => {
    await agent.model.start();
    agent.install();
  });
  afterAll(async () => {
    await agent.model.stop();
    agent.remove();
  });

  const ran = join(agent.project, 'ran');
  /** Runs a prompt with these guards. The model calls the tool once. */
  const call = (guards: readonly TestGuard[], turn: ModelTurn = shell, flags = permitted): Promise<ClaudeRun> => {
    rmSync(ran, { force: true });
    agent.list(guards);
    return agent.runWithCall(turn, flags);
  };
  const before = (answer: object, flags = permitted) => call([llxprtGuard('BeforeTool', answer)], shell, flags);
  const asked = () => JSON.stringify(agent.model.requests);

  test('1. without a guard, the call runs', async () => {
    const { result } = await call([]);
    expect([result, existsSync(ran)]).toMatchObject([{ is_error: false }, true]);
  });

  test('2. a deny', async () => {
    const { result } = await before({ decision: 'deny', reason: 'no' });
    expect([result, existsSync(ran)]).toMatchObject([{ is_error: true, content: expect.stringContaining('no') }, false]);
    expect(agent.seen).toMatchObject([{ cwd: agent.project, tool_name: 'run_shell_command', tool_input: shell.input }]);
  });

  test('3. an ask, which is a deny without a user, and an allow, which spares the question', async () => {
    const question = await before({ decision: 'ask', reason: 'sure?' });
    expect([question.result, existsSync(ran)]).toMatchObject([{ is_error: true }, false]);
    const unasked = await before({}, []);
    expect([unasked.result, existsSync(ran)]).toMatchObject([{ is_error: true }, false]);
    const allowed = await before({ decision: 'allow' }, []);
    expect([allowed.result, existsSync(ran)]).toMatchObject([{ is_error: false }, true]);
  });

  test('4. new arguments', async () => {
    const { result } = await before(specific('BeforeTool', { tool_input: { command: 'echo other' } }));
    expect([result, existsSync(ran)]).toMatchObject([{ is_error: false, content: expect.stringContaining('other') }, false]);
  });

  test('5. a guard of Gemini CLI denies', async () => {
    const guard = groups('gemini-cli', 'BeforeTool', printing({ decision: 'deny', reason: 'no' }), {}, '^run_shell_command$');
    const { result } = await call([guard]);
    expect([result, existsSync(ran)]).toMatchObject([{ is_error: true, content: expect.stringContaining('no') }, false]);
  });

  test('6. a guard of ECA writes another path', async () => {
    const guard = ecaGuard('preToolCall', { updatedInput: { path: join(agent.project, 'other') } }, 'eca__write_file');
    await call([guard], { tool: 'Write', input: { file_path: ran, content: 'x' } });
    expect([readFileSync(join(agent.project, 'other'), 'utf8').trim(), existsSync(ran)]).toEqual(['x', false]);
  });

  test('7. a stop ends the turn', async () => {
    const { reported } = await before({ continue: false, stopReason: 'stopped by a guard' });
    expect(existsSync(ran)).toBe(false);
    expect(agent.model.requests).toHaveLength(1);
    expect(reported).toContain('stopped by a guard');
  });

  test('8. a redaction replaces the result', async () => {
    const { result } = await call([groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }))], printKey);
    expect(result).toMatchObject({ content: 'gone' });
    expect(agent.seen).toMatchObject([{ tool_response: { llmContent: 'key' } }]);
  });

  test('9. feedback and context after a tool', async () => {
    const denied = await call([llxprtGuard('AfterTool', { decision: 'deny', reason: 'try again' })], printKey);
    expect(denied.result).toMatchObject({ content: 'key' });
    expect(asked()).toContain('try again');
    await call([llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'of a guard' }))], printKey);
    expect(asked()).toContain('of a guard');
  });

  test('10. a tool that fails', async () => {
    await call([llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'of a guard' }))], failing);
    expect(agent.seen).toMatchObject([{ tool_response: { error: { message: expect.stringContaining('boom') } } }]);
    expect(asked()).toContain('of a guard');
  });

  test('11. a prompt that is denied, and one that Claude Code cannot rewrite', async () => {
    const denied = await call([llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'not this' })]);
    expect(agent.model.requests).toEqual([]);
    expect(denied.reported).toContain('not this');
    const unwritten = await call([ecaGuard('preRequest', { replacedPrompt: 'q' })]);
    expect(agent.model.requests).toEqual([]);
    expect(unwritten.reported).toContain('cannot rewrite a prompt');
  });

  test('12. the agent goes on, and the next end of the turn is marked', async () => {
    await call([groups('llxprt', 'AfterAgent', onceDenying('run tests'))]);
    expect(asked()).toContain('run tests');
    expect(agent.seen).toMatchObject([{ prompt_response: 'done', stop_hook_active: false }, { stop_hook_active: true }]);
  });

  test('13. context of two guards at the start of a session, and a message on a prompt', async () => {
    const context = (text: string) => llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: text }));
    await call([context('first of two'), context('second of two')]);
    expect(asked()).toContain('first of two\\nsecond of two');
    await call([llxprtGuard('BeforeAgent', { systemMessage: 'for everyone' })]);
    expect(asked()).toContain('for everyone');
  });

  test('the end of a session', async () => {
    await call([llxprtGuard('SessionEnd', { systemMessage: 'bye' })]);
    expect(agent.seen).toMatchObject([{ hook_event_name: 'SessionEnd' }]);
  });

  test('80. an agent inside three others is denied, and no guard runs', async () => {
    agent.variables = { TENTERHOOK_RELAY: '3' };
    const { reported } = await call([llxprtGuard('BeforeTool', { decision: 'allow' })]);
    agent.variables = {};
    expect([agent.seen, agent.model.requests]).toEqual([[], []]);
    expect(reported).toContain('This agent runs inside 3 agents');
  });

  test('72. the daemon is killed while a guard runs: open lets the call pass, closed denies it', async () => {
    const killing = () => groups('llxprt', 'BeforeTool', `kill -9 ${agent.daemon?.pid}; exec sleep 300`);
    const open = await call([killing()]);
    expect([open.result, existsSync(ran)]).toMatchObject([{ is_error: false }, true]);
    agent.install('--on-failure', 'closed');
    await call([]);
    const closed = await call([killing()]);
    expect([closed.result, existsSync(ran)]).toMatchObject([
      { is_error: true, content: expect.stringContaining('could not answer') },
      false,
    ]);
  });

  test('without the program, closed denies the call', async () => {
    agent.install('--on-failure', 'closed', '--events', 'PreToolUse');
    rmSync(agent.client);
    const { result } = await call([]);
    expect([result, existsSync(ran)]).toMatchObject([{ is_error: true }, false]);
  });
});
