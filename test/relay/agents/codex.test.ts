import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import { noOtherHome, withEnvironment } from '../../support/environment.js';
import { groups, llxprtGuard, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agent = new RelayedAgent('codex');
afterAll(() => agent.remove());

const base = (event: string) => ({
  session_id: 's1',
  turn_id: 'u1',
  transcript_path: null,
  cwd: agent.project,
  hook_event_name: event,
  model: 'm-1',
  permission_mode: 'default',
});
const P = { ...base('PreToolUse'), tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't1' };
const quiet = { status: 0, stderr: '' };
const denied = (reason: unknown) => specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
const before = (answer: object | undefined) => llxprtGuard('BeforeTool', answer);

test('29. no opinion is nothing at all', () => {
  expect(agent.run('PreToolUse', P)).toMatchObject({ ...quiet, stdout: '' });
  expect(agent.run('PreToolUse', P, [before({ decision: 'allow' })])).toMatchObject({ ...quiet, stdout: '' });
});

test('30. a deny always has a reason', () => {
  expect(agent.run('PreToolUse', P, [before({ decision: 'deny', reason: 'no' })]).answer).toEqual(denied('no'));
  const named = llxprtGuard('BeforeTool', { decision: 'deny' }, { name: 'strict' });
  expect(agent.run('PreToolUse', P, [named]).answer).toEqual(denied(expect.stringContaining('strict')));
});

test('31. an ask is a deny that begins with the question', () => {
  expect(agent.run('PreToolUse', P, [before({ decision: 'ask', reason: 'sure?' })]).answer).toEqual(
    denied(expect.stringMatching(/^sure\?.*Codex/)),
  );
});

test('32. a rewrite needs the word allow', () => {
  const { answer } = agent.run('PreToolUse', P, [before(specific('BeforeTool', { tool_input: { command: 'ls' } }))]);
  expect(answer).toEqual(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } }));
});

test('33. a stop is a deny before a tool', () => {
  expect(agent.run('PreToolUse', P, [before({ continue: false, stopReason: 's' })]).answer).toEqual(denied('s'));
});

const patch = (...lines: readonly string[]) => ({
  ...P,
  tool_name: 'apply_patch',
  tool_input: { command: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});
const writes = (answer: object) => groups('claude-code', 'PreToolUse', printing(answer), {}, 'Write');
const noWrite = specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no writes' });

test('34. an added file of a patch is a write', () => {
  const { answer, seen } = agent.run('PreToolUse', patch('*** Add File: a.txt', '+x'), [writes(noWrite)]);
  expect(seen).toMatchObject([{ tool_name: 'Write', tool_input: { file_path: join(agent.project, 'a.txt'), content: 'x' } }]);
  expect(answer).toEqual(denied('no writes'));
});

test('35. one denied file denies the patch', () => {
  const two = patch('*** Add File: a.txt', '+x', '*** Update File: b.txt', '@@', '-x', '+y');
  expect(agent.run('PreToolUse', two, [writes(noWrite)]).answer).toEqual(denied('no writes'));
  const removed = agent.run('PreToolUse', patch('*** Delete File: a.txt'), [writes(noWrite)]);
  expect(removed.seen).toMatchObject([{ tool_input: { file_path: join(agent.project, 'a.txt'), content: '', deleted: true } }]);
  expect(removed.answer).toEqual(denied('no writes'));
});

/** A patch as Codex reads it, although its text differs from the usual one. */
const unusual: readonly (readonly [what: string, text: string])[] = [
  ['a space after the name of a file', '*** Begin Patch\n*** Add File: .env \n+x\n*** End Patch'],
  ['white space that JavaScript does not trim', '*** Begin Patch\n*** Add File: .env\u0085\n+x\n*** End Patch'],
  ['spaces around the first and the last line', '*** Begin Patch \n*** Add File: .env\n+x\n *** End Patch'],
  ['an indented marker', '*** Begin Patch\n*** Add File: a\n+x\n  *** Add File: .env\n+x\n*** End Patch'],
  ['a here-document', "<<'EOF'\n*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch\nEOF"],
  ['a named machine', '*** Begin Patch\n*** Environment ID: m\n*** Add File: .env\n+x\n*** End Patch'],
  ['a blank line with a tab', '*** Begin Patch\n*** Update File: a\n@@\n-x\n\t\n*** Add File: .env\n+x\n*** End Patch'],
];

test.each(unusual)('a guard sees all files of a patch with %s', async (_what, command) => {
  const { seen, answer } = await agent.runHere('PreToolUse', { ...patch(), tool_input: { command } }, [writes(noWrite)]);
  const files = seen.map(({ tool_input: input }) => (input as { file_path: string }).file_path);
  expect(files).toContain(join(agent.project, '.env'));
  expect(answer).toEqual(denied('no writes'));
});

test('a marker in the text of a file is text', async () => {
  const command = '*** Begin Patch\n*** Update File: a.md\n@@\n *** Add File: b\n-x\n+*** Delete File: c\n*** End Patch';
  const edits = groups('claude-code', 'PreToolUse', printing(noWrite), {}, 'Edit|Write');
  const { seen } = await agent.runHere('PreToolUse', { ...patch(), tool_input: { command } }, [edits]);
  expect(seen).toMatchObject([
    { tool_name: 'Edit', tool_input: { old_string: '*** Add File: b\nx', new_string: '*** Add File: b\n*** Delete File: c' } },
  ]);
});

test('a patch of more files than guards can judge is denied, whatever the policy is', async () => {
  const added = (count: number) => Array.from({ length: count }, (_, index) => [`*** Add File: ${index}.txt`, '+x']).flat();
  const guard = groups('claude-code', 'PreToolUse', 'exit 0', {}, 'Write');
  expect((await agent.runHere('PreToolUse', patch(...added(200)), [guard])).stdout).toBe('');
  const { answer } = await agent.runHere('PreToolUse', patch(...added(1100), '*** Add File: .env', '+x'), [guard]);
  expect(answer).toEqual(denied(expect.stringMatching(/1101 parts.*several calls/)));
});

test('a patch of so many files that there is no time to judge them is denied, whatever the policy is', async () => {
  const files = Array.from({ length: 17 }, (_, index) => [`*** Add File: ${index}.txt`, '+x']).flat();
  const guard = groups('claude-code', 'PreToolUse', 'sleep 300', {}, 'Write');
  const { answer } = await agent.runHere('PreToolUse', patch(...files), [guard], ['--budget', '1']);
  expect(answer).toEqual(denied(expect.stringMatching(/enough time to judge the 17 parts/)));
});

test('a patch of two files for which the time is not enough is denied with the policy open, too', async () => {
  const guard = groups('claude-code', 'PreToolUse', 'sleep 300', {}, 'Write');
  const two = patch('*** Add File: a.txt', '+x', '*** Add File: b.txt', '+x');
  const { answer } = await agent.runHere('PreToolUse', two, [guard], ['--budget', '1', '--on-failure', 'open']);
  expect(answer).toEqual(denied(expect.stringMatching(/enough time to judge the 2 parts/)));
});

test('an allow of one file does not allow the others', async () => {
  const allow = specific('PermissionRequest', { decision: { behavior: 'allow' } });
  const guard = (matcher: string) => groups('claude-code', 'PermissionRequest', printing(allow), {}, matcher);
  const two = { ...patch('*** Add File: a.txt', '+x', '*** Update File: b.txt', '@@', '-x', '+y'), hook_event_name: 'PermissionRequest' };
  expect(await agent.runHere('PermissionRequest', two, [guard('Write')])).toMatchObject({ status: 0, stdout: '' });
  expect((await agent.runHere('PermissionRequest', two, [guard('Write|Edit')])).answer).toEqual(allow);
});

test('36. a rewrite of a changed file is lost, and that of an added file is a new patch', () => {
  const edits = groups('llxprt', 'BeforeTool', printing(specific('BeforeTool', { tool_input: { new_string: 'z' } })), {}, 'replace');
  const { answer } = agent.run('PreToolUse', patch('*** Update File: b.txt', '@@', '-x', '+y'), [edits]);
  expect(answer).toEqual(denied(expect.stringContaining('cannot be written back')));
  const adds = groups('llxprt', 'BeforeTool', printing(specific('BeforeTool', { tool_input: { content: 'safe' } })), {}, 'write_file');
  const added = agent.run('PreToolUse', patch('*** Add File: a.txt', '+x'), [adds]).answer;
  const command = '*** Begin Patch\n*** Add File: a.txt\n+safe\n*** End Patch';
  expect(added).toEqual(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command } }));
});

test('37. a prompt', () => {
  const payload = { ...base('UserPromptSubmit'), prompt: 'p' };
  const blocked = agent.run('UserPromptSubmit', payload, [llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]);
  expect(blocked.answer).toEqual({ decision: 'block', reason: 'no' });
  const context = llxprtGuard('BeforeAgent', specific('BeforeAgent', { additionalContext: 'c' }));
  expect(agent.run('UserPromptSubmit', payload, [context]).answer).toEqual(specific('UserPromptSubmit', { additionalContext: 'c' }));
});

test('38. the end of a turn', () => {
  const payload = { ...base('Stop'), stop_hook_active: false, last_assistant_message: 'done' };
  expect(agent.run('Stop', payload)).toMatchObject({ ...quiet, stdout: '{}\n' });
  const { answer } = agent.run('Stop', payload, [llxprtGuard('AfterAgent', { decision: 'deny', reason: 'r' })]);
  expect(answer).toEqual({ decision: 'block', reason: 'r' });
});

test('39. a redaction, and feedback that keeps the result', () => {
  const payload = { ...P, hook_event_name: 'PostToolUse', tool_response: 'key' };
  const redacting = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
  expect(agent.run('PostToolUse', payload, [redacting]).answer).toEqual({ decision: 'block', reason: 'gone' });
  const kept = agent.run('PostToolUse', payload, [llxprtGuard('AfterTool', { decision: 'deny', reason: 'r' })]).answer;
  expect(kept).toEqual(specific('PostToolUse', { additionalContext: 'r' }));
});

test('40. the end of a session has no answer, and its guard runs', () => {
  const ended = { session_id: 's1', transcript_path: null, cwd: agent.project, hook_event_name: 'SessionEnd', reason: 'other' };
  const run = agent.run('SessionEnd', ended, [llxprtGuard('SessionEnd', { systemMessage: 'bye' })]);
  expect(run).toMatchObject({ status: 0, stdout: '', seen: [{ reason: 'other' }] });
});

test('41. a message beside a deny', () => {
  const { answer } = agent.run('PreToolUse', P, [before({ decision: 'deny', reason: 'no', systemMessage: 'm' })]);
  expect(answer).toEqual({ systemMessage: 'm', ...denied('no') });
});

test('79. the guards of a project run for another agent once they are trusted, and its entry never does', async () => {
  const guarded = new RelayedAgent('claude-code');
  try {
    const hooks = [{ hooks: [{ type: 'command', command: '/x/tenterhook-hook claude-code PreToolUse' }] }];
    const guard = { hooks: [{ type: 'command', command: printing(noWrite) }] };
    writeClaudeSettings(guarded.project, { hooks: { PreToolUse: [...hooks, guard] } });
    const asClaude = { ...P, cwd: guarded.project };
    expect(guarded.run('PreToolUse', asClaude)).toMatchObject({ stdout: '{}\n', seen: [] });
    const codex = new RelayedAgent('codex', guarded);
    expect(codex.run('PreToolUse', asClaude)).toMatchObject({ stdout: '', seen: [] });
    await trustAll(guarded);
    expect(codex.run('PreToolUse', asClaude)).toMatchObject({ answer: denied('no writes'), seen: [{ tool_name: 'Bash' }] });
    expect(guarded.run('PreToolUse', asClaude)).toMatchObject({ stdout: '{}\n', seen: [] });
  } finally {
    guarded.remove();
  }
});

function writeClaudeSettings(project: string, settings: object): void {
  mkdirSync(join(project, '.claude'));
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify(settings));
}

/** Trusts the hooks of the project, as its user. */
async function trustAll({ home, project }: RelayedAgent): Promise<void> {
  await withEnvironment({ ...noOtherHome, HOME: home, XDG_STATE_HOME: join(home, 'state') }, async () => {
    const hooks = await createHooks({ projectDir: project });
    for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
    await hooks.dispose();
  });
}
