import { rmSync } from 'node:fs';
import { groups, llxprtGuard, printing, specific, type TestGuard } from '../../test/relay/relayed-agent.js';
import { copilotPackage, startCopilotOnce } from '../agents/copilot.js';
import { type CopilotReport, CopilotRunner } from '../agents/copilot-runner.js';
import { describeAgent } from '../agents/real-agent.js';

describeAgent('hook runner of Copilot', copilotPackage, startCopilotOnce, () => {
  const agent = new CopilotRunner();
  beforeAll(() => agent.install());
  afterAll(async () => {
    await agent.restart();
    agent.remove();
  });

  const call = { toolName: 'bash', toolArgs: { command: 'npm test' } };
  const fire = (guards: readonly TestGuard[], event: string, fields: object) => {
    agent.list(guards);
    return agent.fire(event, fields);
  };
  const before = (answer: object, hook: object = {}) => fire([llxprtGuard('BeforeTool', answer, hook)], 'preToolUse', call);
  const denied = (reason: unknown) => ({ permissionDecision: 'deny', permissionDecisionReason: reason });

  const hands = async (report: Promise<CopilotReport>) => {
    const { output, failures, hooks } = await report;
    return { output, failures, hooks };
  };
  const gives = (output: object | undefined) => ({ output, failures: [], hooks: 10 });
  const toolResult = { resultType: 'success', textResultForLlm: 'key' };
  const context = specific('AfterTool', { additionalContext: 'c' });

  test('56. without a guard, nothing is decided', async () => {
    expect(await hands(fire([], 'preToolUse', call))).toEqual(gives(undefined));
  });

  test('57. a deny', async () => {
    expect(await hands(before({ decision: 'deny', reason: 'no' }))).toEqual(gives(denied('no')));
    expect(agent.seen).toMatchObject([{ session_id: 's1', tool_name: 'run_shell_command', tool_input: call.toolArgs }]);
  });

  test('58. an ask, and an allow', async () => {
    const asked = { permissionDecision: 'ask', permissionDecisionReason: 'sure?' };
    expect(await hands(before({ decision: 'ask', reason: 'sure?' }))).toEqual(gives(asked));
    expect(await hands(before({ decision: 'allow' }))).toEqual(gives({ permissionDecision: 'allow' }));
  });

  test('59. new arguments', async () => {
    const report = await hands(before(specific('BeforeTool', { tool_input: { command: 'ls' } })));
    expect(report).toEqual(gives({ modifiedArgs: { command: 'ls' } }));
  });

  test('60. a guard of Claude Code reads its own keys, and what it writes comes back in those of Copilot', async () => {
    const updated = { file_path: '/srv/app/a', old_string: 'x', new_string: 'z' };
    const guard = groups('claude-code', 'PreToolUse', printing(specific('PreToolUse', { updatedInput: updated })), {}, 'Edit');
    const edit = { toolName: 'edit', toolArgs: { path: '/srv/app/a', old_str: 'x', new_str: 'y' } };
    const report = await hands(fire([guard], 'preToolUse', edit));
    expect(report).toEqual(gives({ modifiedArgs: { path: '/srv/app/a', old_str: 'x', new_str: 'z' } }));
    expect(agent.seen).toMatchObject([{ tool_name: 'Edit', tool_input: { file_path: '/srv/app/a', old_string: 'x', new_string: 'y' } }]);
  });

  test('61. a stop is a deny before a tool', async () => {
    expect(await hands(before({ continue: false, stopReason: 's' }))).toEqual(gives(denied('s')));
  });

  test('62 and 63. a redaction, and feedback that keeps the result', async () => {
    const redacting = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
    const redacted = await hands(fire([redacting], 'postToolUse', { ...call, toolResult }));
    expect(redacted).toEqual(gives({ modifiedResult: { resultType: 'success', textResultForLlm: 'gone' } }));
    expect(agent.seen).toMatchObject([{ tool_response: { llmContent: 'key' } }]);
    const kept = fire([llxprtGuard('AfterTool', { decision: 'deny', reason: 'r' })], 'postToolUse', { ...call, toolResult });
    expect(await hands(kept)).toEqual(gives({ additionalContext: 'r' }));
  });

  test('64. a failed tool has an error, and context comes back', async () => {
    const failed = { ...call, error: 'boom' };
    expect(await hands(fire([llxprtGuard('AfterTool', context)], 'postToolUseFailure', failed))).toEqual(gives({ additionalContext: 'c' }));
    expect(agent.seen).toMatchObject([{ tool_response: { error: { message: 'boom' } } }]);
  });

  test('65. a prompt that is denied, and an agent that goes on', async () => {
    const prompt = fire([llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })], 'userPromptSubmitted', { prompt: 'p' });
    expect(await hands(prompt)).toEqual(gives({ decision: 'block', reason: 'no' }));
    const fields = { transcriptPath: '/srv/t.jsonl', stopReason: 'end_turn' };
    const ended = fire([llxprtGuard('AfterAgent', { decision: 'deny', reason: 'r' })], 'agentStop', fields);
    expect(await hands(ended)).toEqual(gives({ decision: 'block', reason: 'r' }));
  });

  test('66. context at the start of a session', async () => {
    const guard = llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: 'c' }));
    expect(await hands(fire([guard], 'sessionStart', { source: 'new' }))).toEqual(gives({ additionalContext: 'c' }));
    expect(agent.seen).toMatchObject([{ source: 'startup' }]);
  });

  test('68. a message beside a deny does not hide it', async () => {
    expect(await hands(before({ decision: 'deny', reason: 'no', systemMessage: 'm' }))).toEqual(gives(denied('no')));
  });

  test('69. a guard that crashes decides nothing, and with onError block it denies', async () => {
    const dying = (hook: object) => fire([groups('llxprt', 'BeforeTool', 'kill -KILL $$', { name: 'g', ...hook })], 'preToolUse', call);
    expect(await hands(dying({}))).toEqual(gives(undefined));
    expect(await hands(dying({ onError: 'block' }))).toEqual(gives(denied(expect.stringContaining('"g"'))));
  });

  test('guards run on the events that decide nothing', async () => {
    const saying = (event: 'SessionEnd' | 'PreCompress' | 'Notification') => llxprtGuard(event, { systemMessage: 'm' });
    const compact = { transcriptPath: '/srv/t.jsonl', trigger: 'auto', customInstructions: '' };
    for (const [guard, event, fields, seen] of [
      [saying('SessionEnd'), 'sessionEnd', { reason: 'user_exit' }, { reason: 'exit' }],
      [saying('PreCompress'), 'preCompact', compact, { trigger: 'auto' }],
      [
        saying('Notification'),
        'notification',
        { message: 'm', notificationType: 'permission_prompt' },
        { notification_type: 'ToolPermission' },
      ],
    ] as const) {
      expect(await hands(fire([guard], event, fields))).toEqual(gives(undefined));
      expect(agent.seen).toMatchObject([seen]);
    }
  });

  test('72. the daemon is killed while a guard runs: open lets the call pass, closed denies it', async () => {
    const killing = () => groups('llxprt', 'BeforeTool', `kill -9 ${agent.daemon?.pid}; exec sleep 300`);
    await fire([], 'preToolUse', call);
    expect(await hands(fire([killing()], 'preToolUse', call))).toEqual(gives(undefined));
    agent.install('--on-failure', 'closed');
    await agent.restart();
    await fire([], 'preToolUse', call);
    expect(await hands(fire([killing()], 'preToolUse', call))).toEqual(gives(denied(expect.stringContaining('could not answer'))));
  });

  test('80. an agent inside three others is denied, and no guard runs', async () => {
    await agent.restart({ TENTERHOOK_RELAY: '3' });
    expect(await hands(before({ decision: 'allow' }))).toEqual(gives(denied(expect.stringContaining('inside 3 agents'))));
    expect(agent.seen).toEqual([]);
  });

  test('without the program, the runner reports a failed hook', async () => {
    rmSync(agent.client);
    await agent.restart();
    expect(await fire([], 'preToolUse', call)).toMatchObject({ failures: [{ message: expect.stringContaining('code 127') }] });
  });
});
