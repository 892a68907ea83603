import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, llxprtGuard, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agent = new RelayedAgent('cursor');
afterAll(() => agent.remove());

const base = (event: string) => ({
  conversation_id: 'c1',
  generation_id: 'g1',
  model: 'm',
  session_id: 'c1',
  hook_event_name: event,
  cursor_version: '2026.09.18-9a7762b',
  workspace_roots: [agent.project],
  user_email: null,
  transcript_path: null,
});
const call = { tool_name: 'Shell', tool_input: { command: 'npm test' }, tool_use_id: 't1', cwd: agent.project };
const P = { ...base('preToolUse'), ...call, agent_message: '' };
const quiet = { status: 0, stderr: '' };
const denied = (reason: unknown) => ({ permission: 'deny', user_message: reason, agent_message: reason });
const before = (answer: object | undefined) => llxprtGuard('BeforeTool', answer);
const deny = before({ decision: 'deny', reason: 'no' });
const rewriting = (input: object) => before(specific('BeforeTool', { tool_input: input }));
const after = (tool: string, output: unknown) => ({
  ...base('postToolUse'),
  ...call,
  tool_name: tool,
  tool_output: JSON.stringify(output),
  duration: 5,
});

test('42. no opinion is an empty object, never nothing', () => {
  expect(agent.run('preToolUse', P)).toMatchObject({ ...quiet, stdout: '{}\n' });
});

test('43. a deny reaches the user and the model', async () => {
  const { answer, ...rest } = await agent.runHere('preToolUse', P, [deny]);
  expect(rest).toMatchObject(quiet);
  expect(answer).toEqual(denied('no'));
});

test('44. an ask is a deny, and an ask only where Cursor sometimes asks and the user wants it', async () => {
  const asking = before({ decision: 'ask', reason: 'sure?' });
  // Of another generation than the calls before: the daemon keeps the answer to one event of a call for the next one.
  const shell = { ...base('beforeShellExecution'), generation_id: 'g44', command: 'npm test', cwd: agent.project, sandbox: false };
  expect((await agent.runHere('beforeShellExecution', shell, [asking])).answer).toEqual(denied(expect.stringMatching(/^sure\?/)));
  const native = ['--ask', 'native'];
  expect((await agent.runHere('beforeShellExecution', shell, [asking], native)).answer).toEqual({
    permission: 'ask',
    user_message: 'sure?',
    agent_message: 'sure?',
  });
  expect((await agent.runHere('preToolUse', P, [asking], native)).answer).toEqual(denied(expect.stringMatching(/^sure\?/)));
});

test('45. new arguments, and those of a tool that drops them', async () => {
  expect((await agent.runHere('preToolUse', P, [rewriting({ command: 'ls' })])).answer).toEqual({ updated_input: { command: 'ls' } });
  for (const [name, key, why] of [
    ['Write', 'content', 'ignores new arguments of Write'],
    ['Delete', 'file_path', 'ignores new arguments of Delete'],
    ['Delete', 'content', 'The tool Delete cannot do what'],
  ] as const) {
    const writing = { ...P, tool_name: name, tool_input: { file_path: '/srv/a' } };
    const { answer } = await agent.runHere('preToolUse', writing, [rewriting({ [key]: 'y' })]);
    expect(answer).toEqual(denied(expect.stringContaining(why)));
  }
});

test('a guard of files sees a file that is deleted', async () => {
  const { answer, seen } = await agent.runHere('preToolUse', { ...P, tool_name: 'Delete', tool_input: { path: '/srv/a' } }, [
    groups('claude-code', 'PreToolUse', printing({ decision: 'block', reason: 'keep it' }), {}, 'Write'),
  ]);
  expect(seen).toMatchObject([{ tool_name: 'Write', tool_input: { file_path: '/srv/a', content: '', deleted: true } }]);
  expect(answer).toEqual(denied('keep it'));
});

test('46. the arguments of an MCP tool come as a text, and its server is named', async () => {
  const mcp = { ...base('beforeMCPExecution'), tool_name: 'search', tool_input: '{"q":1}', mcp_server_name: 'gh', url: 'http://x' };
  const guard = groups('claude-code', 'PreToolUse', printing({ decision: 'block', reason: 'no' }), {}, 'mcp__gh__.*');
  const { answer, seen } = await agent.runHere('beforeMCPExecution', mcp, [guard]);
  expect(seen).toMatchObject([{ tool_name: 'mcp__gh__search', tool_input: { q: 1 }, cwd: agent.project }]);
  expect(answer).toEqual(denied('no'));
});

test('the other name of the tool that reads a file is known', async () => {
  const guard = groups('claude-code', 'PreToolUse', printing(specific('PreToolUse', { permissionDecision: 'deny' })), {}, 'Read');
  const { seen, stdout } = await agent.runHere('preToolUse', { ...P, tool_name: 'ReadFile', tool_input: { file_path: '/srv/app/.env' } }, [
    guard,
  ]);
  expect(seen).toMatchObject([{ tool_name: 'Read', tool_input: { file_path: '/srv/app/.env' } }]);
  expect(stdout).toContain('"permission":"deny"');
});

test('47. a file is not read', async () => {
  const reading = { ...base('beforeReadFile'), file_path: '/srv/app/.env', content: 'A=1', attachments: [] };
  const { answer, seen } = await agent.runHere('beforeReadFile', reading, [deny]);
  expect(seen).toMatchObject([{ tool_name: 'read_file', tool_input: { file_path: '/srv/app/.env' }, content: 'A=1' }]);
  expect(answer).toEqual(denied('no'));
});

test('48. one call asks the guards once, and another command asks them again', () => {
  const ofTurn = { generation_id: 'g48' };
  const shell = { ...base('beforeShellExecution'), ...ofTurn, cwd: agent.project, sandbox: false };
  expect(agent.relay('preToolUse', { ...P, ...ofTurn }, [deny])).toMatchObject({ answer: denied('no'), seen: [{}] });
  // The guards are listed again, so that the file of what they have seen is empty.
  expect(agent.relay('beforeShellExecution', { ...shell, command: 'npm test' }, [deny])).toMatchObject({ answer: denied('no'), seen: [] });
  expect(agent.relay('beforeShellExecution', { ...shell, command: 'ls' }, [deny])).toMatchObject({ answer: denied('no'), seen: [{}] });
});

test('55. the context of a call is given to the model with its result', () => {
  const ofTurn = { generation_id: 'g55', tool_use_id: 't55' };
  const guards = [before(specific('BeforeTool', { additionalContext: 'c' }))];
  expect(agent.relay('preToolUse', { ...P, ...ofTurn }, guards).stdout).toBe('{}\n');
  const { answer } = agent.relay('postToolUse', { ...after('Shell', { output: 'x', exitCode: 0 }), ...ofTurn }, guards);
  expect(answer).toEqual({ additional_context: 'c' });
});

test('49. the output of a command, and a context that is too long for Cursor', async () => {
  const context = 'x'.repeat(20_000);
  const { answer, seen } = await agent.runHere('postToolUse', after('Shell', { output: 'x', exitCode: 0 }), [
    llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: context })),
  ]);
  expect(seen).toMatchObject([{ tool_response: { llmContent: 'x' } }]);
  const { additional_context: cut } = answer as { readonly additional_context: string };
  expect(cut).toHaveLength(10_000);
  expect(cut).toMatch(/^x+\n\[cut off\]$/);
});

test('50. a redaction reaches only the results of MCP tools', async () => {
  const redacting = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
  const lost = await agent.runHere('postToolUse', after('Shell', { output: 'key', exitCode: 0 }), [redacting]);
  expect(lost).toMatchObject({ status: 0, stdout: '{}\n', stderr: expect.stringContaining('the result of Shell') });
  const { answer } = await agent.runHere('postToolUse', after('MCP:q', { content: [{ type: 'text', text: 'key' }] }), [redacting]);
  expect(answer).toEqual({ updated_mcp_tool_output: 'gone' });
});

test('a deny after a tool is feedback for the model', async () => {
  const guard = llxprtGuard('AfterTool', { decision: 'deny', reason: 'r' });
  const { answer } = await agent.runHere('postToolUse', after('Shell', { output: 'x', exitCode: 0 }), [guard]);
  expect(answer).toEqual({ additional_context: 'r' });
});

test('51. a failed tool is an AfterTool with an error', async () => {
  const failed = { ...base('postToolUseFailure'), ...call, error_message: 'boom', failure_type: 'error', is_interrupt: false };
  const { stdout, seen } = await agent.runHere('postToolUseFailure', failed, [llxprtGuard('AfterTool', undefined)]);
  expect(seen).toMatchObject([{ tool_name: 'run_shell_command', tool_response: { error: { message: 'boom' } } }]);
  expect(stdout).toBe('{}\n');
});

test('52. a prompt is denied, and so is a prompt that a guard stops', async () => {
  const prompt = { ...base('beforeSubmitPrompt'), prompt: 'p', attachments: [] };
  const blocked = await agent.runHere('beforeSubmitPrompt', prompt, [llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]);
  expect(blocked.answer).toEqual({ continue: false, user_message: 'no' });
  const stopped = await agent.runHere('beforeSubmitPrompt', prompt, [llxprtGuard('BeforeAgent', { continue: false, stopReason: 's' })]);
  expect(stopped.answer).toEqual({ continue: false, user_message: 's' });
});

test('53. the agent goes on, and the guard knows that it has before', async () => {
  const stop = { ...base('stop'), status: 'completed', loop_count: 1 };
  const { answer, seen } = await agent.runHere('stop', stop, [llxprtGuard('AfterAgent', { decision: 'deny', reason: 'r' })]);
  expect(answer).toEqual({ followup_message: 'r' });
  expect(seen).toMatchObject([{ stop_hook_active: true, prompt_response: '' }]);
});

test('54. a byte order mark before the input is skipped', () => {
  expect(agent.run('preToolUse', `\uFEFF${JSON.stringify(P)}`, [deny]).answer).toEqual(denied('no'));
});

test('a directory that Cursor leaves empty is the first folder of the workspace', async () => {
  const { seen } = await agent.runHere('preToolUse', { ...P, cwd: '' }, [before(undefined)]);
  expect(seen).toMatchObject([{ cwd: agent.project }]);
});

test("hooks in Claude Code's settings are run by Cursor itself, unless the user has switched that off", async () => {
  const guard = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: printing({ decision: 'block', reason: 'claude' }) }] }] } };
  mkdirSync(join(agent.home, '.claude'));
  writeFileSync(join(agent.home, '.claude/settings.json'), JSON.stringify(guard));
  const list = join(agent.home, '.config/tenterhook/relay.json');
  expect(await agent.runHere('preToolUse', P)).toMatchObject({ stdout: '{}\n', seen: [] });
  const settings = { agents: { cursor: { claudeFiles: false } } };
  const { answer } = await agent.runHere('preToolUse', P, [], [], settings);
  expect(JSON.parse(readFileSync(list, 'utf8'))).toMatchObject(settings);
  expect(answer).toEqual(denied('claude'));
  rmSync(join(agent.home, '.claude'), { recursive: true });
});

describe('install', () => {
  const file = join(agent.home, '.cursor/hooks.json');
  const install = (...args: readonly string[]) => agent.act('install', '--agent', 'cursor', ...args);

  test('writes the version, the limit of a stop, and closed entries where Cursor can deny', async () => {
    expect(await install('--on-failure', 'closed')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('only results of MCP tools'),
    });
    const { version, hooks } = JSON.parse(readFileSync(file, 'utf8'));
    expect(version).toBe(1);
    expect(hooks.preToolUse).toEqual([
      { command: expect.stringMatching(/tenterhook-hook' cursor preToolUse --closed$/), timeout: 65, failClosed: true },
    ]);
    expect(hooks.stop).toEqual([{ command: expect.stringContaining('cursor stop'), timeout: 65, loop_limit: 8 }]);
    expect(Object.keys(hooks)).not.toContain('subagentStop');
    expect((await agent.act('status')).stdout).toContain('cursor asks twice about one call');
    expect(await agent.act('uninstall', '--agent', 'cursor')).toMatchObject({ status: 0 });
  });

  test.each([
    ['of another version', '{ "version": 2, "hooks": {} }', '"version" must be 1, and is 2'],
    ['that Cursor cuts inside of a text', '{ "version": 1, "hooks": { "stop": [ { "command": "curl http://x" } ] } }', 'Line 1'],
    ['with an event that Cursor does not know', '{ "version": 1, "hooks": { "beforeTool": [] } }', '"beforeTool"'],
  ])('does not edit a file %s', async (_what, text, why) => {
    mkdirSync(join(agent.home, '.cursor'), { recursive: true });
    writeFileSync(file, text);
    expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining(why) });
    expect(readFileSync(file, 'utf8')).toBe(text);
    rmSync(file);
  });
});
