import { ecaGuard, groups, llxprtGuard, RelayedAgent } from '../relayed-agent.js';

const home = new RelayedAgent('gemini-cli');
afterAll(() => home.remove());

const P = { session_id: 's1', cwd: home.project, tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });

test('an input of 50 MB is judged', () => {
  const large = { ...P, tool_input: { command: 'x'.repeat(50 * 1024 * 1024) } };
  const guard = groups('llxprt', 'BeforeTool', `cat > /dev/null; printf '{"decision":"deny","reason":"long"}'`);
  expect(home.run('BeforeTool', large, [guard])).toMatchObject({ status: 0, answer: { decision: 'deny', reason: 'long' } });
});

test('an input above the limit is answered by the policy', () => {
  const large = `{"a":"${'x'.repeat(65 * 1024 * 1024)}"}`;
  const { status, answer } = home.run('BeforeTool', large, [deny], ['--on-failure', 'closed']);
  expect({ status, answer }).toEqual({ status: 0, answer: { decision: 'deny', reason: expect.stringContaining('more than') } });
});

test('after the budget, the answers so far count, and with closed the call is denied', () => {
  const slow = groups('llxprt', 'BeforeTool', 'sleep 300');
  const { answer } = home.run('BeforeTool', P, [slow], ['--budget', '1']);
  expect(answer).toEqual({ systemMessage: expect.any(String) });
  // Long enough for the guard that answers, also on a busy machine.
  expect(home.run('BeforeTool', P, [slow, deny], ['--budget', '8']).answer).toMatchObject({ decision: 'deny' });
  expect(home.run('BeforeTool', P, [slow], ['--budget', '1', '--on-failure', 'closed']).answer).toMatchObject({ decision: 'deny' });
  const strict = groups('llxprt', 'BeforeTool', 'sleep 300', { onError: 'block' });
  for (const guards of [[strict], [slow, ecaGuard('preToolCall', {}, undefined, { onError: 'block' })]])
    expect(home.run('BeforeTool', P, guards, ['--budget', '1']).answer).toMatchObject({ decision: 'deny' });
});

// Codex receives no text at the end of a session. With the usual budget, the test would take longer than its limit.
test.each([
  ['claude-code', { systemMessage: expect.stringMatching(/within (3000|2\d{3}) ms/) }],
  ['codex', undefined],
])('at the end of a session, %s waits less, and so does the relay', (agent, expected) => {
  const other = new RelayedAgent(agent);
  const slow = groups('llxprt', 'SessionEnd', 'sleep 300');
  const { status, answer } = other.run('SessionEnd', { ...P, hook_event_name: 'SessionEnd', reason: 'other' }, [slow]);
  other.remove();
  expect({ status, answer }).toEqual({ status: 0, answer: expected });
});
