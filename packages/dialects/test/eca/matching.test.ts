import { eca } from '../../src/index.js';
import { eventOf } from '../event-of.js';
import { hookOf, parsed } from './eca-rig.js';

function selection(matcher: string | undefined, tool_name: string, server_name?: string, options = {}) {
  const hook = hookOf('preToolCall', matcher === undefined ? {} : { matcher });
  return eca(options).select(
    hook,
    eventOf('BeforeTool', { tool_name, ...(server_name === undefined ? {} : { mcp_context: { server_name } }) }),
  );
}

const runs: Record<string, [matcher: string | undefined, tool: string, server?: string]> = {
  "ECA's name of a tool": ['eca__shell_command', 'run_shell_command'],
  "the host's own name": ['eca__run_shell_command', 'run_shell_command'],
  'the older name of a tool': ['eca__grep', 'search_file_content'],
  'a tool that ECA does not know': ['eca__deploy', 'deploy'],
  'a list of names': ['eca__write_file|eca__edit_file', 'replace'],
  'a newline in the name': ['eca__.*', 'a\nb'],
  'a tool of a server': ['gh__search', 'search', 'gh'],
  'a tool of a server, which the host calls by both names': ['gh__search', 'gh__search', 'gh'],
  'the same as some hosts write it': ['gh__search', 'mcp__gh__search', 'gh'],
  'the same with one line': ['gh__search', 'mcp_gh_search', 'gh'],
  'a tool of a server that the host does not name': ['gh__search', 'gh__search'],
  "the same in another agent's spelling": ['gh__search', 'mcp__gh__search'],
  'a server of no name is the host': ['eca__shell_command', 'run_shell_command', ''],
  'no matcher': [undefined, 'anything'],
};

test.each(Object.entries(runs))('%s fits', (_, [matcher, tool, server]) => {
  expect(selection(matcher, tool, server)).toMatchObject({ run: true });
});

const skips: Record<string, [matcher: string, tool: string, server?: string]> = {
  'a name without a server': ['shell_command', 'run_shell_command'],
  'a part of the name': ['eca__shell', 'run_shell_command'],
  'other letters': ['eca__Shell_Command', 'run_shell_command'],
  'a tool of that name of another server': ['eca__shell_command', 'run_shell_command', 'gh'],
  "a tool of a server that is called like the host's": ['eca__shell_command', 'run_shell_command', 'eca'],
  "a tool that is called like one of the host's": ['eca__read_file', 'eca__read_file', 'evil'],
  'the same without a server': ['eca__read_file', 'eca__read_file'],
  'a pattern of another server': ['my-mcp__my.*', 'my-tool', 'other'],
};

test.each(Object.entries(skips))('%s does not fit', (_, [matcher, tool, server]) => {
  expect(selection(matcher, tool, server)).toMatchObject({
    run: false,
    skipReason: 'matcher',
    reason: expect.stringContaining(JSON.stringify(matcher)),
  });
});

test('a host may have another name for its server, and tools of its own', () => {
  const options = { server: 'host', tools: { bash: 'shell_command' } };
  expect(selection('host__shell_command', 'bash', undefined, options)).toMatchObject({ run: true });
  expect(selection('eca__shell_command', 'bash', undefined, options)).toMatchObject({ run: false });
  const named = { tools: { sh: { as: 'shell_command', keys: { cmd: 'command' } } } };
  expect(selection('eca__shell_command', 'sh', undefined, named)).toMatchObject({ run: true });
});

test('whether a hook with a matcher runs for an event without a tool is unknown', () => {
  expect(eca().select(hookOf('preToolCall', { matcher: 'eca__.*' }), eventOf('BeforeTool'))).toMatchObject({
    run: false,
    reconsider: true,
  });
});

test.each([
  [{ error: { message: 'no' } }, false],
  [{ error: 'no' }, false],
  [{ error: null }, true],
  [{ error: false }, true],
  [{ llmContent: 'ok' }, true],
  ['ok', true],
])('after a tool whose response is %j a hook without runOnError runs: %j', (tool_response, run) => {
  const event = eventOf('AfterTool', { tool_name: 'x', tool_response });
  expect(eca().select(hookOf('postToolCall'), event)).toMatchObject(run ? { run } : { run, skipReason: 'condition', reconsider: true });
  expect(eca().select(hookOf('postToolCall', { runOnError: true }), event)).toMatchObject({ run: true });
});

test('keys are compared by code units, and what stands under one key stays together', () => {
  const actions = [
    { type: 'shell', shell: 'x' },
    { type: 'shell', shell: 'y' },
  ];
  const type = 'preToolCall';
  const { hooks } = parsed({
    b: { type, actions },
    a: { type, actions },
    B: { type, actions },
    10: { type, actions },
    9: { type, actions },
  });
  const names = eca()
    .layOut(hooks)
    .map((stage) => stage.hooks.map(({ name }) => name));
  expect(names).toEqual([['10-1'], ['10-2'], ['9-1'], ['9-2'], ['B-1'], ['B-2'], ['a-1'], ['a-2'], ['b-1'], ['b-2']]);
});
