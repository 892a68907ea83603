import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, llxprtGuard, printing, specific, type TestGuard } from '../../test/relay/relayed-agent.js';
import { Copilot, copilotPackage, startCopilotOnce } from '../agents/copilot.js';
import { describeAgent, onceDenying } from '../agents/real-agent.js';
import type { ModelTurn } from '../models/scripted-model.js';

describeAgent('Copilot', copilotPackage, startCopilotOnce, () => {
  const agent = new Copilot();
  beforeAll(async () => {
    await agent.model.start();
    agent.install();
  });
  afterAll(async () => {
    await agent.model.stop();
    agent.remove();
  });
  const ran = join(agent.project, 'ran');
  const shell = { tool: 'bash', input: { command: 'echo ran >> ran', description: 'd' } };
  const printKey = { tool: 'bash', input: { command: 'echo key', description: 'd' } };
  const permitted = ['--allow-all-tools'];
  /** Runs a prompt with these guards. The model calls the tool once. */
  const call = (guards: readonly TestGuard[], turn: ModelTurn = shell, flags = permitted) => {
    rmSync(ran, { force: true });
    agent.list(guards);
    return agent.runWithCall(turn, flags);
  };
  const before = (answer: object, flags = permitted) => call([llxprtGuard('BeforeTool', answer)], shell, flags);
  const asked = () => JSON.stringify(agent.model.requests);

  test('56. without a guard, the call runs', async () => {
    const { result } = await call([]);
    expect([result, existsSync(ran)]).toMatchObject([{ content: expect.stringContaining('exit code 0') }, true]);
  });

  test('57. a deny, which another hook that allows later does not outweigh', async () => {
    const { result } = await before({ decision: 'deny', reason: 'no' });
    expect([result, existsSync(ran)]).toMatchObject([{ content: expect.stringMatching(/Denied .*no$/) }, false]);
    expect(agent.seen).toMatchObject([{ tool_name: 'run_shell_command', tool_input: shell.input }]);
    const other = join(agent.home, '.copilot/hooks/zz.json');
    const mark = join(agent.home, 'allowed');
    const allowing = { type: 'command', command: `touch '${mark}'; echo '{"permissionDecision":"allow"}'` };
    writeFileSync(other, JSON.stringify({ version: 1, hooks: { PreToolUse: [allowing] } }));
    await before({ decision: 'deny', reason: 'no' });
    rmSync(other);
    expect([existsSync(mark), existsSync(ran)]).toEqual([true, false]);
  });

  test('58. an ask, which is a deny without a user, and an allow, which spares the question', async () => {
    const question = await before({ decision: 'ask', reason: 'sure?' });
    expect([question.result, existsSync(ran)]).toMatchObject([{ content: expect.stringContaining('sure?') }, false]);
    await before({}, []);
    expect(existsSync(ran)).toBe(false);
    await before({ decision: 'allow' }, []);
    expect(existsSync(ran)).toBe(true);
  });

  test('59. new arguments', async () => {
    const { result } = await before(specific('BeforeTool', { tool_input: { command: 'echo other' } }));
    expect([result, existsSync(ran)]).toMatchObject([{ content: expect.stringContaining('other') }, false]);
  });

  test('62 and 63. a redaction replaces the result, and feedback is added to it', async () => {
    const redacted = await call([groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }))], printKey);
    expect(redacted.result).toMatchObject({ content: 'gone' });
    const kept = await call([llxprtGuard('AfterTool', { decision: 'deny', reason: 'try again' })], printKey);
    expect(kept.result).toMatchObject({ content: expect.stringMatching(/key.*try again/s) });
  });

  test('64. a tool that fails', async () => {
    const guard = llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'of a guard' }));
    await call([guard], { tool: 'view', input: { path: join(agent.project, 'missing') } });
    expect(agent.seen).toMatchObject([
      { tool_name: 'read_file', tool_response: { error: { message: expect.stringContaining('not exist') } } },
    ]);
    expect(asked()).toContain('of a guard');
  });

  test('65. a prompt that is denied, and an agent that goes on', async () => {
    const { stderr } = await call([llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'not this' })]);
    expect([agent.model.requests, stderr]).toEqual([[], expect.stringContaining('not this')]);
    await call([groups('llxprt', 'AfterAgent', onceDenying('run tests'))]);
    expect(asked()).toContain('run tests');
    expect(agent.seen).toMatchObject([{ stop_hook_active: false }, { stop_hook_active: true }]);
  });

  test('66. context at the start of a session, and context for a prompt', async () => {
    await call([llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: 'of the session' }))]);
    expect(asked()).toContain('of the session');
    await call([llxprtGuard('BeforeAgent', specific('BeforeAgent', { additionalContext: 'of the prompt' }))]);
    expect(asked()).toContain('of the prompt');
  });

  test('68. the user reads a message beside a deny', async () => {
    const { stdout, result } = await before({ decision: 'deny', reason: 'no', systemMessage: 'for the user' });
    expect([stdout, result]).toMatchObject([expect.stringContaining('for the user'), { content: expect.stringContaining('no') }]);
  });

  test('69. a guard that crashes lets the call pass, and the user reads its name', async () => {
    const { stdout } = await call([groups('llxprt', 'BeforeTool', 'kill -KILL $$', { name: 'fragile' })]);
    expect([stdout, existsSync(ran)]).toEqual([expect.stringContaining('fragile'), true]);
  });

  test('without the program, the call is denied', async () => {
    rmSync(agent.client);
    const { result } = await call([]);
    expect([result, existsSync(ran)]).toMatchObject([{ content: expect.stringContaining('hook errored') }, false]);
  });
});
