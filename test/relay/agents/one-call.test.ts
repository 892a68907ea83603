import { defaultDialects } from '@tenterhook/dialects';
import type { RelayFormat } from '@tenterhook/protocol';
import { answerEvent, KeptResults } from '@tenterhook/relay';
import { withClient } from '../../support/agent.js';
import { specific } from '../relayed-agent.js';

const relay = defaultDialects().find(({ name }) => name === 'cursor')?.relay as RelayFormat;
const policy = { onFailure: 'open', ask: 'deny', onLoss: 'deny' } as const;

const base = {
  conversation_id: 'c1',
  generation_id: 'g1',
  cursor_version: 'x',
  session_id: 'c1',
  workspace_roots: ['/srv/app'],
  cwd: '/srv/app',
};
const P = { ...base, tool_name: 'Shell', tool_input: { command: 'npm test' }, tool_use_id: 't1' };
const shell = (command: string, more: object = {}) => ({ ...base, command, sandbox: false, ...more });
const succeeded = { ...P, tool_output: '{"output":"x","exitCode":0}' };

type Ask = (event: string, payload: object) => Promise<unknown>;

/** Answers events of one agent in one process, as a daemon does. The guards are in LLxprt's format, and print these objects. */
async function withDaemon(
  answers: Readonly<Record<string, object>>,
  use: (ask: Ask, runs: () => number, pass: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const hooks = Object.entries(answers).map(([event, answer]) => [
    event,
    [{ hooks: [{ type: 'command', command: `cat > /dev/null; echo run >> runs; printf '%s' '${JSON.stringify(answer)}'` }] }],
  ]);
  const settings = { tools: { enableHooks: true }, hooks: Object.fromEntries(hooks) };
  let now = 0;
  const kept = new KeptResults(() => now);
  await withClient({ settings, dialect: 'llxprt' }, async ({ handler, read, projectDir }) => {
    const ask: Ask = async (event, payload) => {
      const { stdout } = await answerEvent({
        format: relay,
        event,
        text: JSON.stringify(payload),
        policy,
        depth: 0,
        kept,
        ask: async (inputs) => ({
          results: await Promise.all(inputs.map(({ eventName, input }) => handler.fire(eventName, { ...input, cwd: projectDir }))),
        }),
      });
      return JSON.parse(stdout);
    };
    await use(
      ask,
      () => (read('runs') ?? '').split('\n').length - 1,
      (ms) => {
        now += ms;
      },
    );
  });
}

const denied = { permission: 'deny', user_message: 'no', agent_message: 'no' };
const deny = { BeforeTool: { decision: 'deny', reason: 'no' } };

test('48. the guards run once for the two events of one command, and again for another command', async () => {
  await withDaemon(deny, async (ask, runs) => {
    expect(await ask('preToolUse', P)).toEqual(denied);
    expect(await ask('beforeShellExecution', shell('npm test'))).toEqual(denied);
    expect(runs()).toBe(1);
    expect(await ask('beforeShellExecution', shell('rm -rf .'))).toEqual(denied);
    expect(runs()).toBe(2);
    // An answer is used once: the same command may come again, as another call.
    await ask('beforeShellExecution', shell('npm test'));
    expect(runs()).toBe(3);
  });
});

test.each([
  ['of another turn', shell('npm test', { generation_id: 'g2' })],
  ['in another directory', shell('npm test', { cwd: '/srv' })],
  ['that runs confined, which the first event does not say', shell('npm test', { sandbox: true })],
  ['without a conversation', shell('npm test', { conversation_id: undefined })],
])('the guards run for a command %s', async (_what, payload) => {
  await withDaemon(deny, async (ask, runs) => {
    await ask('preToolUse', P);
    await ask('beforeShellExecution', payload);
    expect(runs()).toBe(2);
  });
});

test('an answer is forgotten after a minute', async () => {
  await withDaemon(deny, async (ask, runs, pass) => {
    await ask('preToolUse', P);
    pass(60_000);
    await ask('beforeShellExecution', shell('npm test'));
    expect(runs()).toBe(2);
  });
});

test('a command that was rewritten is not rewritten again, and the command as it was given is denied', async () => {
  const rewrite = { BeforeTool: specific('BeforeTool', { tool_input: { command: 'ls' } }) };
  await withDaemon(rewrite, async (ask, runs) => {
    expect(await ask('preToolUse', P)).toEqual({ updated_input: { command: 'ls' } });
    expect(await ask('beforeShellExecution', shell('ls'))).toEqual({});
    expect(await ask('beforeShellExecution', shell('npm test'))).toMatchObject({ permission: 'deny' });
    expect(runs()).toBe(1);
  });
});

test('55. a text of a guard before a tool reaches the model after this tool, once', async () => {
  const context = { BeforeTool: specific('BeforeTool', { additionalContext: 'c' }) };
  await withDaemon(context, async (ask) => {
    expect(await ask('preToolUse', P)).toEqual({});
    expect(await ask('beforeShellExecution', shell('npm test'))).toEqual({});
    expect(await ask('postToolUse', { ...succeeded, tool_use_id: 't2' })).toEqual({});
    expect(await ask('postToolUse', succeeded)).toEqual({ additional_context: 'c' });
    expect(await ask('postToolUse', succeeded)).toEqual({});
  });
});

test('events that tell more than the first one have their own run', async () => {
  await withDaemon(deny, async (ask, runs) => {
    await ask('preToolUse', { ...P, tool_name: 'Read', tool_input: { file_path: '/srv/a' } });
    await ask('beforeReadFile', { ...base, file_path: '/srv/a', content: 'key' });
    await ask('preToolUse', { ...P, tool_name: 'MCP:q', tool_input: {} });
    await ask('beforeMCPExecution', { ...base, tool_name: 'q', tool_input: '{}', mcp_server_name: 'gh' });
    expect(runs()).toBe(4);
  });
});
