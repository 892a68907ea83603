import { HookEngine, type HookEngineOptions, InvalidHookError, type MatcherFields, type PreToolUseEvent } from '@tenterhook/handlers';
import { remembering, toolUse, ways } from './both-ways.js';

type Row = [matcher: MatcherFields, event: Partial<PreToolUseEvent>, isCalled: boolean];
const write = (file_path: string) => ({ tool: 'Write', args: { file_path } });
const run = (command: string, tool = 'Bash') => ({ tool, args: { command } });

const edits = [{ file_path: 'x' }, { file_path: 'a.txt' }];
const combined = { tool: 'Bash', command_pattern: 'rm', session_id: 's1' };
const rows: [number, ...Row][] = [
  [10, {}, {}, true],
  [10, {}, { tool: 'Read', args: {} }, true],
  [10, { tool: 'Bash' }, {}, true],
  [10, { tool: 'Bash' }, { tool: 'Read' }, false],
  [10, { tool: 'Bash' }, { tool: 'bash' }, false],
  [11, { session_id: 's1' }, {}, true],
  [11, { session_id: 's1' }, { session_id: 's2' }, false],
  [13, { path_pattern: '*.rs' }, write('src/main.rs'), true],
  [13, { path_pattern: '*.rs' }, write('src/main.py'), false],
  [14, { path_pattern: 'src/**/*.ts' }, write('src/a.ts'), true],
  [14, { path_pattern: 'src/**/*.ts' }, write('src/x/y/a.ts'), true],
  [14, { path_pattern: 'src/**/*.ts' }, write('lib/a.ts'), false],
  [14, { path_pattern: 'src/**/*.ts' }, write('/srv/app/src/a.ts'), true],
  [14, { path_pattern: 'src/**/*.ts' }, write('/srv/other/src/a.ts'), false],
  [15, { path_pattern: '*.{ts,js}' }, write('a.js'), true],
  [15, { path_pattern: '.env' }, write('src/.env'), true],
  [15, { path_pattern: '*test*' }, write('a/my.test.ts'), true],
  [16, { path_pattern: '*.txt' }, { tool: 'Read', args: { path: 'a.txt' } }, true],
  [16, { path_pattern: '*.txt' }, { tool: 'NotebookEdit', args: { notebook_path: 'a.txt' } }, true],
  [16, { path_pattern: '*.txt' }, { tool: 'MultiEdit', args: { edits } }, true],
  [16, { path_pattern: '*.txt' }, run('cat a.txt'), false],
  [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x'), true],
  [17, { command_pattern: 'rm\\s+-rf' }, run('echo hi'), false],
  [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x', 'run_shell_command'), true],
  [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x', 'Read'), false],
  [18, { command_pattern: '^git\\s+' }, run('cd x && git push'), false],
  [18, { command_pattern: '^git\\s+' }, run('git push'), true],
  [20, combined, run('rm x'), true],
  [20, combined, run('rm x', 'bash'), false],
  [20, combined, run('ls'), false],
  [20, combined, { ...run('rm x'), session_id: 's2' }, false],
];

describe.each(ways)('%s', (_, fire) => {
  test.each(rows)('a3s %i: a hook with the matcher %j and the call %j: called is %j', async (_number, matcher, event, isCalled) => {
    const engine = new HookEngine();
    const handler = remembering({ action: 'Block', reason: 'called' });
    engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
    engine.register_handler('h', handler);
    expect((await fire(engine, toolUse(event))).action).toBe(isCalled ? 'Block' : 'Continue');
    expect(handler.seen).toHaveLength(isCalled ? 1 : 0);
  });

  test.each<[HookEngineOptions, MatcherFields, Partial<PreToolUseEvent>, boolean]>([
    [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { target: { to: 'a.rs' } } }, true],
    [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { moves: [{}, null, { from: 'a.rs' }] } }, true],
    [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { file_path: 'a.rs' } }, false],
    [{ pathFields: ['target'] }, { path_pattern: '*.rs' }, { args: { target: ['a.rs'] } }, true],
    [{}, { path_pattern: '*.rs' }, { args: { paths: ['a.py', 7, 'a.rs'] } }, true],
    [{}, { path_pattern: '*.rs' }, { args: { absolute_path: '/x/a.rs' } }, true],
    [{ shellTools: ['terminal'] }, { command_pattern: 'ls' }, { tool: 'terminal' }, true],
    [{ shellTools: ['terminal'] }, { command_pattern: 'ls' }, { tool: 'Bash' }, false],
  ])('a3s 16, 17: with the settings %j, the matcher %j and the call %j: called is %j', async (options, matcher, event, isCalled) => {
    const engine = new HookEngine(options);
    const handler = remembering();
    engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
    engine.register_handler('h', handler);
    await fire(engine, toolUse(event));
    expect(handler.seen).toHaveLength(isCalled ? 1 : 0);
  });

  test.each([{ tool: 'Bash' }, { path_pattern: '*' }, { command_pattern: '.*' }])(
    'a3s 12: a hook of session_start with the matcher %j is never called',
    async (matcher) => {
      const engine = new HookEngine();
      const handler = remembering();
      engine.register({ id: 'h', event_type: 'session_start', matcher });
      engine.register_handler('h', handler);
      await fire(engine, { event_type: 'session_start', payload: { session_id: 's1', model_provider: '', model_name: '' } });
      expect(handler.seen).toEqual([]);
    },
  );
});

test('a3s 19: a command pattern that is none is refused at registration, by its name and its text', () => {
  const engine = new HookEngine();
  const register = () => engine.register({ id: 'guard', event_type: 'pre_tool_use', matcher: { command_pattern: 'rm (' } });
  expect(register).toThrow(InvalidHookError);
  expect(register).toThrow(expect.objectContaining({ code: 'invalid_hook', path: 'matcher.command_pattern' }));
  expect(register).toThrow(/"guard".*rm \(/);
  expect(engine.hook_count()).toBe(0);
});
