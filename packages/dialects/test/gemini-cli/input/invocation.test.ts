import { geminiCli } from '../../../src/gemini-cli/index.js';
import { eventOf } from '../../event-of.js';
import { commandOf, hookOf } from '../gemini-rig.js';

const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };

test('what runs is the command as it was written, in the directory of the event', () => {
  expect(commandOf('BeforeTool', { ...call, cwd: '/srv/app/sub' })).toMatchObject({
    kind: 'command',
    command: { kind: 'shell', text: './guard.sh' },
    cwd: '/srv/app/sub',
    env: {
      PARENT: 'p',
      GEMINI_PROJECT_DIR: '/srv/app',
      CLAUDE_PROJECT_DIR: '/srv/app',
      GEMINI_CWD: '/srv/app/sub',
      GEMINI_SESSION_ID: 's1',
      OWN: 'o',
    },
  });
});

test('GEMINI_PLANS_DIR is set where the host says one', () => {
  expect(commandOf('BeforeTool', call).env).not.toHaveProperty('GEMINI_PLANS_DIR');
  expect(commandOf('BeforeTool', call, { plansDir: '/srv/plans' }).env).toMatchObject({ GEMINI_PLANS_DIR: '/srv/plans' });
});

test('stdin is one JSON document without a newline, the one of the sheet', () => {
  const { stdin } = commandOf('BeforeTool', { ...call, recent_tools: [], approval: 'ask' });
  expect(stdin).toBe(
    '{"session_id":"s1","transcript_path":"","cwd":"/srv/app","hook_event_name":"BeforeTool","timestamp":"2026-11-21T10:00:00.000Z",' +
      '"tool_name":"run_shell_command","tool_input":{"command":"npm test"}}',
  );
});

test('it is written once for all hooks that see the same input', () => {
  const event = eventOf('BeforeTool', call);
  const [one, other] = [hookOf({ command: 'a' }), hookOf({ command: 'b' })].map((hook) => geminiCli().invocation(event, hook, {}));
  expect([one, other]).toMatchObject([{ stdin: expect.any(String) }, { stdin: (one as { stdin: string }).stdin }]);
});

test('the context of the hooks before it is in the prompt', () => {
  const event = { ...eventOf('BeforeAgent', { prompt: 'p' }), contextSoFar: 'c' };
  const invocation = geminiCli().invocation(event, hookOf({}, 'BeforeAgent'), {});
  expect(JSON.parse((invocation as { stdin: string }).stdin)['prompt']).toBe('p\n\nc');
});

test('a hook that is not a command is a fault of ours', () => {
  const hook = { ...hookOf(), action: { kind: 'call', handlerId: 'x' } } as const;
  expect(() => geminiCli().invocation(eventOf('BeforeTool', call), hook, {})).toThrow(TypeError);
});
