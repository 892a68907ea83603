import { says } from '../../support/fire-hooks.js';
import {
  type AntigravityOptions,
  after,
  afterModel,
  beforeModel,
  deeds,
  failed,
  fire,
  hooksOf,
  type Moment,
  mcp,
  seen,
  shell,
  specificOf,
  start,
  stop,
  withAntigravity,
  write,
} from './antigravity-hooks.js';

/** Returns what a hook of this event reads. */
async function stdinOf([eventName, input]: Moment, event: string, own: AntigravityOptions = {}): Promise<Record<string, unknown>> {
  return withAntigravity(
    hooksOf(event, 'cat > seen.json'),
    async (scene) => {
      await scene.handler.fire(eventName, input);
      return seen(scene);
    },
    { antigravity: own },
  );
}

test('the fields of every event: the conversation, the workspace, the transcript, and no name of the event', async () => {
  const stdin = await stdinOf(shell, 'PreToolUse');
  expect(stdin).toMatchObject({ conversationId: 's1', workspacePaths: [expect.stringMatching(/^\//)], artifactDirectoryPath: '' });
  expect(Object.keys(stdin).filter((field) => /event|cwd|session|tool_/.test(field))).toEqual([]);
});

test('a model, and facts of the host, are passed on', async () => {
  expect(await stdinOf(shell, 'PreToolUse', { model: 'big' })).toMatchObject({ modelName: 'big' });
  const input = {
    ...shell[1],
    model_name: 'small',
    workspace_roots: ['/srv/a', '/srv/b'],
    artifact_directory_path: '/srv/x',
    step_index: 7,
  };
  expect(await stdinOf(['BeforeTool', input], 'PreToolUse', { model: 'big' })).toMatchObject({
    modelName: 'small',
    workspacePaths: ['/srv/a', '/srv/b'],
    artifactDirectoryPath: '/srv/x',
    stepIdx: 7,
  });
});

const conversation = [
  { role: 'user', content: 'a' },
  { role: 'model', content: 'b' },
  { role: 'user', content: 'c' },
  { role: 'model', content: 'd' },
  { role: 'model', content: 'e' },
];

test.each<[event: string, moment: Moment, fields: object]>([
  ['PreToolUse', shell, { toolCall: { name: 'run_command', args: { CommandLine: 'npm test' } }, stepIdx: 0 }],
  ['PreToolUse', write, { toolCall: { name: 'write_to_file', args: { TargetFile: '/srv/a.txt', CodeContent: 'x' } } }],
  ['PreToolUse', mcp, { toolCall: { name: 'call_mcp_tool', args: { ServerName: 'gh', ToolName: 'search', Arguments: { q: 'x' } } } }],
  ['PostToolUse', after, { toolCall: { name: 'run_command', args: { CommandLine: 'npm test' } }, stepIdx: 0, error: '' }],
  ['PostToolUse', failed, { toolCall: { name: 'run_command' }, error: 'broken' }],
  ['PreInvocation', beforeModel, { invocationNum: 0, initialNumSteps: 1 }],
  ['PreInvocation', ['BeforeModel', { llm_request: { messages: conversation } }], { invocationNum: 2, initialNumSteps: 5 }],
  ['PostInvocation', afterModel, { invocationNum: 0, initialNumSteps: 1 }],
  ['Stop', stop, { executionNum: 0, terminationReason: 'NO_TOOL_CALL', error: '', fullyIdle: true }],
  [
    'Stop',
    ['AfterAgent', { ...stop[1], fully_idle: false, termination_reason: 'ERROR' }],
    { terminationReason: 'ERROR', fullyIdle: false },
  ],
  ['SessionStart', start, { conversationId: 's1' }],
])('the stdin of %s has the fields of Antigravity', async (event, moment, fields) => {
  expect(await stdinOf(moment, event)).toMatchObject(fields);
});

test('after a tool there is no result, and after an answer there is no text of it', async () => {
  expect(JSON.stringify(await stdinOf(after, 'PostToolUse'))).not.toContain('"ok"');
  expect(JSON.stringify(await stdinOf(afterModel, 'PostInvocation'))).not.toContain('done');
  expect(JSON.stringify(await stdinOf(stop, 'Stop'))).not.toContain('done');
});

test('a hook receives the conversation in a variable', async () => {
  await withAntigravity(hooksOf('PreToolUse', 'printf %s "$ANTIGRAVITY_CONVERSATION_ID" > seen.txt'), async ({ handler, read }) => {
    await handler.fire(...shell);
    expect(read('seen.txt')).toBe('s1');
  });
});

test.each<[matcher: string | undefined, moment: Moment, runs: boolean]>([
  [undefined, shell, true],
  ['', shell, true],
  ['*', shell, true],
  ['run_command', shell, true],
  ['^run_command$', shell, true],
  ['run_comm', shell, true],
  ['Run_Command', shell, false],
  ['view_file|run_command', shell, true],
  ['write_to_file', shell, false],
  ['^write', write, true],
  ['.*_file', write, true],
  ['call_mcp_tool', mcp, true],
  ['mcp__gh__search', mcp, true],
  ['mcp__docs__', mcp, false],
])('a matcher is a regular expression that may match a part of the name: %s', async (matcher, moment, runs) => {
  const result = await fire(moment, 'PreToolUse', { command: 'true', ...(matcher === undefined ? {} : { matcher }) });
  expect([matcher, deeds(result)]).toEqual([matcher, [runs ? 'succeeded' : 'skipped: matcher']]);
});

test('a hook reads the files of a call as absolute paths, and writes them under the names of Antigravity', async () => {
  const many: Moment = ['BeforeTool', { tool_name: 'read_many_files', tool_input: { paths: ['a.txt', 'b.txt'] } }];
  expect(await stdinOf(many, 'PreToolUse')).toMatchObject({
    toolCall: { name: 'view_file', args: { AbsolutePath: expect.stringMatching(/^\/.*a\.txt\n\/.*b\.txt$/) } },
  });
  const answer = says({ decision: 'allow', overwrite: { TargetFile: '/srv/b.txt', CodeContent: 'y' } });
  expect(specificOf(await fire(write, 'PreToolUse', answer))).toMatchObject({ tool_input: { file_path: '/srv/b.txt', content: 'y' } });
});

test('SessionStart runs hooks for new conversations alone', async () => {
  for (const [source, deed] of [
    ['startup', 'succeeded'],
    ['clear', 'succeeded'],
    ['resume', 'skipped: condition'],
    ['compress', 'skipped: condition'],
  ]) {
    expect([source, deeds(await fire(['SessionStart', { source }], 'SessionStart', 'true'))]).toEqual([source, [deed]]);
  }
});

test('own tools of the host have the names that the option tools gives them', async () => {
  const tools = { deploy: 'run_command' } as AntigravityOptions['tools'] & object;
  const moment: Moment = ['BeforeTool', { tool_name: 'deploy', tool_input: { target: 'prod' } }];
  expect(await stdinOf(moment, 'PreToolUse', { tools })).toMatchObject({ toolCall: { name: 'run_command', args: { target: 'prod' } } });
});
