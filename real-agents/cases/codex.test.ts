import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, llxprtGuard, printing, specific, type TestGuard } from '../../test/relay/relayed-agent.js';
import { Codex, codexPackage, startCodexOnce } from '../agents/codex.js';
import { describeAgent, onceDenying } from '../agents/real-agent.js';
import type { ModelTurn } from '../models/scripted-model.js';

const shell = { tool: 'exec_command', input: { cmd: 'echo ran >> ran' } };

describeAgent('Codex', codexPackage, startCodexOnce, () => {
  const agent = new Codex();
  beforeAll(async () => {
    await agent.model.start();
    agent.configure();
  });
  afterAll(async () => {
    await agent.restart();
    await agent.model.stop();
    agent.remove();
  });

  const ran = join(agent.project, 'ran');
  /** Runs a turn with these guards, in which the model calls the tool once. */
  const call = (guards: readonly TestGuard[], turn: ModelTurn = shell) => {
    rmSync(ran, { force: true });
    agent.list(guards);
    return agent.turnWithCall(turn);
  };
  const before = (answer: object, hook: object = {}) => call([llxprtGuard('BeforeTool', answer, hook)]);
  const after = (guard: TestGuard) => call([guard], { tool: 'exec_command', input: { cmd: 'echo key' } });

  test('81. Codex trusts the hashes that --trust writes, and no other entry', async () => {
    agent.install();
    const untrusted = await agent.listHooks();
    expect(untrusted.map(({ trustStatus }) => trustStatus)).toEqual(untrusted.map(() => 'untrusted'));
    agent.install('--events', 'all', '--trust');
    await agent.restart();
    const listed = await agent.listHooks();
    expect(listed.length).toBeGreaterThan(untrusted.length);
    expect(listed.map(({ eventName, trustStatus }) => [eventName, trustStatus])).toEqual(
      listed.map(({ eventName }) => [eventName, 'trusted']),
    );
    const config = readFileSync(join(agent.home, '.codex/config.toml'), 'utf8');
    const written = [...config.matchAll(/\[hooks\.state\.("[^"]+")\]\ntrusted_hash = ("[^"]+")/g)].map(([, key, hash]) => [key, hash]);
    expect(written.sort()).toEqual(listed.map(({ key, currentHash }) => [JSON.stringify(key), JSON.stringify(currentHash)]).sort());
  });

  test('81. an entry that was edited after the review is not run', async () => {
    const file = join(agent.home, '.codex/hooks.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('codex PreToolUse', 'codex  PreToolUse'));
    await agent.restart();
    expect((await agent.listHooks()).find(({ eventName }) => eventName === 'preToolUse')?.trustStatus).toBe('modified');
    writeFileSync(file, text);
    await agent.restart();
  });

  test('29. without a guard, and with an allow, the call runs', async () => {
    const { run, output } = await call([]);
    expect(run('preToolUse')).toMatchObject({ status: 'completed', entries: [] });
    expect([output, existsSync(ran)]).toEqual([expect.stringContaining('exited with code 0'), true]);
    const allowed = await before({ decision: 'allow' });
    expect(allowed.run('preToolUse')).toMatchObject({ status: 'completed', entries: [] });
    expect(existsSync(ran)).toBe(true);
  });

  test('30. a deny', async () => {
    const { run, output } = await before({ decision: 'deny', reason: 'no' });
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ kind: 'feedback', text: 'no' }] });
    expect([output, existsSync(ran)]).toEqual([expect.stringContaining('no'), false]);
    expect(agent.seen).toMatchObject([{ tool_name: 'run_shell_command', tool_input: { command: shell.input.cmd } }]);
    const named = await before({ decision: 'deny' }, { name: 'strict' });
    expect(named.run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: expect.stringContaining('strict') }] });
  });

  test('31. an ask is a deny', async () => {
    const { run } = await before({ decision: 'ask', reason: 'sure?' });
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: expect.stringMatching(/^sure\?/) }] });
    expect(existsSync(ran)).toBe(false);
  });

  test('32. new arguments', async () => {
    const { run, output } = await before(specific('BeforeTool', { tool_input: { command: 'echo other' } }));
    expect(run('preToolUse')).toMatchObject({ status: 'completed' });
    expect([output, existsSync(ran)]).toEqual([expect.stringContaining('other'), false]);
  });

  test('33. a stop is a deny', async () => {
    const { run } = await before({ continue: false, stopReason: 's' });
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: 's' }] });
    expect(existsSync(ran)).toBe(false);
  });

  test('37. a prompt that is denied ends the turn, and context reaches the model', async () => {
    const denied = await call([llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]);
    expect(denied.run('userPromptSubmit')).toMatchObject({ status: 'blocked', entries: [{ text: 'no' }] });
    expect(agent.model.requests).toEqual([]);
    const adding = await call([llxprtGuard('BeforeAgent', specific('BeforeAgent', { additionalContext: 'from a guard' }))]);
    expect(adding.run('userPromptSubmit')).toMatchObject({ status: 'completed', entries: [{ kind: 'context', text: 'from a guard' }] });
    expect(JSON.stringify(agent.model.requests[0])).toContain('from a guard');
  });

  test('38. the agent goes on, and the next end of the turn is marked', async () => {
    const { runs } = await call([groups('llxprt', 'AfterAgent', onceDenying('go on'))]);
    const ends = runs.filter(({ eventName }) => eventName === 'stop');
    expect(ends).toMatchObject([{ status: 'blocked', entries: [{ text: 'go on' }] }, { status: 'completed' }]);
    expect(JSON.stringify(agent.model.requests.at(-1))).toContain('go on');
    expect(agent.seen).toMatchObject([{ prompt_response: 'done', stop_hook_active: false }, { stop_hook_active: true }]);
  });

  test('39. a redaction replaces the result, and feedback is added to it', async () => {
    const redacted = await after(groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' })));
    expect(redacted.run('postToolUse')).toMatchObject({ status: 'blocked' });
    expect([redacted.output, redacted.output.includes('key')]).toEqual([expect.stringContaining('gone'), false]);
    const kept = await after(llxprtGuard('AfterTool', { decision: 'deny', reason: 'try again' }));
    expect(kept.run('postToolUse')).toMatchObject({ status: 'completed', entries: [{ kind: 'context', text: 'try again' }] });
    expect(kept.output).toContain('key');
    expect(JSON.stringify(agent.model.requests.at(-1))).toContain('try again');
  });

  test('40. the guard runs at the end of a session', async () => {
    // Each session of the app server ends with it.
    await agent.restart();
    await call([llxprtGuard('SessionEnd', { systemMessage: 'bye' })]);
    await agent.restart();
    expect(agent.seen).toMatchObject([{ hook_event_name: 'SessionEnd', reason: 'other' }]);
  });

  /** Runs a turn in which the model applies a patch. Only models that Codex knows have the tool. */
  const patch = (guard: TestGuard, ...lines: readonly string[]) => {
    agent.list([guard]);
    const text = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
    return agent.turnWithCall({ tool: 'apply_patch', input: { text } }, 'gpt-5.5');
  };
  const inProject = (name: string) => join(agent.project, name);
  const noWrites = { permissionDecision: 'deny', permissionDecisionReason: 'no writes' };
  const forbidding = groups('claude-code', 'PreToolUse', printing(specific('PreToolUse', noWrites)), {}, 'Write');
  const writing = (tool: string, fields: object) =>
    groups('llxprt', 'BeforeTool', printing(specific('BeforeTool', { tool_input: fields })), {}, tool);

  test('34. an added file of a patch is a write', async () => {
    const { run } = await patch(forbidding, '*** Add File: a.txt', '+x');
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: 'no writes' }] });
    expect(agent.seen).toMatchObject([{ tool_name: 'Write', tool_input: { file_path: inProject('a.txt'), content: 'x' } }]);
    expect(existsSync(inProject('a.txt'))).toBe(false);
  });

  test('35. one denied file denies the patch', async () => {
    writeFileSync(inProject('b.txt'), 'x\n');
    const { run } = await patch(forbidding, '*** Add File: a.txt', '+x', '*** Update File: b.txt', '@@', '-x', '+y');
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: 'no writes' }] });
    expect([existsSync(inProject('a.txt')), readFileSync(inProject('b.txt'), 'utf8')]).toEqual([false, 'x\n']);
  });

  test('36. a rewrite of a changed file is denied, and that of an added file is a new patch', async () => {
    const changed = await patch(writing('replace', { new_string: 'z' }), '*** Update File: b.txt', '@@', '-x', '+y');
    const entries = [{ text: expect.stringContaining('cannot be written back') }];
    expect(changed.run('preToolUse')).toMatchObject({ status: 'blocked', entries });
    const added = await patch(writing('write_file', { content: 'safe' }), '*** Add File: a.txt', '+x');
    expect(added.run('preToolUse')).toMatchObject({ status: 'completed' });
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('safe\n');
  });

  test('41. a message beside a deny', async () => {
    const { run } = await before({ decision: 'deny', reason: 'no', systemMessage: 'm' });
    const entries = expect.arrayContaining([expect.objectContaining({ text: 'no' }), { kind: 'warning', text: 'm' }]);
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries });
  });

  test('context at the start of a session, and a stop there', async () => {
    const adding = await call([llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: 'of the session' }))]);
    expect(adding.run('sessionStart')).toMatchObject({ status: 'completed', entries: [{ kind: 'context', text: 'of the session' }] });
    expect(JSON.stringify(agent.model.requests[0])).toContain('of the session');
    const stopped = await call([llxprtGuard('SessionStart', { continue: false, stopReason: 's' })]);
    expect(stopped.run('sessionStart')).toMatchObject({ status: 'stopped', entries: [{ text: 's' }] });
    expect(agent.model.requests).toEqual([]);
  });

  test('80. an agent inside three others is denied, and no guard runs', async () => {
    await agent.restart({ TENTERHOOK_RELAY: '3' });
    const { run } = await call([llxprtGuard('BeforeTool', { decision: 'allow' })]);
    // The prompt is denied first.
    expect(run('userPromptSubmit')).toMatchObject({ status: 'blocked' });
    expect([agent.seen, existsSync(ran)]).toEqual([[], false]);
    await agent.restart();
  });

  test('72. the daemon is killed while a guard runs: closed denies the call', async () => {
    agent.install('--events', 'PreToolUse', '--on-failure', 'closed', '--trust');
    await agent.restart();
    await call([]);
    const { run } = await call([groups('llxprt', 'BeforeTool', `kill -9 ${agent.daemon?.pid}; exec sleep 300`)]);
    expect(run('preToolUse')).toMatchObject({ status: 'blocked', entries: [{ text: expect.stringContaining('could not answer') }] });
    expect(existsSync(ran)).toBe(false);
  });

  test('without the program, the call runs', async () => {
    rmSync(agent.client);
    const { run } = await call([]);
    expect([run('preToolUse'), existsSync(ran)]).toMatchObject([{ status: 'failed' }, true]);
  });
});
