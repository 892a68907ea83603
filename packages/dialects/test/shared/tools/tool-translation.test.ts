import { claudeTools } from '../../../src/claude-code/tools/tool-table.js';
import { canonicalTools } from '../../../src/shared/tools/canonical-tools.js';
import { kindsNamed, namesElsewhere, type ToolTable } from '../../../src/shared/tools/tool-table.js';
import { translateTools } from '../../../src/shared/tools/tool-translation.js';

const cwd = '/srv/app';
const claude = translateTools(claudeTools, { my_shell: { as: 'Bash', keys: { cmd: 'command' } }, task: 'Task' }, { absoluteFiles: true });

/** An agent whose keys differ from those of the host; two of them are swapped. */
const swapped: ToolTable = {
  read: { names: ['view'], keys: { file: ['target', 'document'], limit: ['offset'] } },
  subagent: { names: ['run'], keys: { agent: ['prompt'], prompt: ['agent_name'] } },
};
const strange = translateTools(swapped);

describe('names', () => {
  test.each([
    ['run_shell_command', 'shell', ['Bash']],
    ['read_many_files', 'read-many', ['Read']],
    ['search_file_content', 'search', ['Grep']],
    ['invoke_agent', 'subagent', ['Agent', 'Task']],
    ['list_directory', 'list', ['list_directory']],
    ['my_shell', 'shell', ['Bash']],
    ['task', 'subagent', ['Task', 'Agent']],
    ['Bash', 'shell', ['Bash']],
    ['Read', 'read', ['Read']],
    ['deploy', undefined, ['deploy']],
    ['constructor', undefined, ['constructor']],
    ['__proto__', undefined, ['__proto__']],
  ])('%s is of the kind %s and has the names %j', (hostName, kind, names) => {
    expect(claude.kindOf(hostName)).toBe(kind);
    expect(claude.namesOf(hostName)).toEqual(names);
  });

  test('what the host says of a canonical name counts', () => {
    const own = translateTools(claudeTools, { replace: 'MultiEdit' });
    expect([own.kindOf('replace'), own.namesOf('replace')]).toEqual([undefined, ['MultiEdit']]);
  });

  test('one of an agent has those of another', () => {
    expect(namesElsewhere('Read', claudeTools, canonicalTools)).toEqual(['read_file', 'read_many_files']);
    expect(namesElsewhere('Task', claudeTools, canonicalTools)).toEqual(['invoke_agent']);
    expect(namesElsewhere('search_file_content', canonicalTools, claudeTools)).toEqual(['Grep']);
    expect(namesElsewhere('list_directory', canonicalTools, claudeTools)).toEqual([]);
    expect(namesElsewhere('toString', canonicalTools, claudeTools)).toEqual([]);
    expect(kindsNamed('Read', claudeTools)).toEqual(['read', 'read-many']);
  });
});

describe('what hooks receive', () => {
  test.each([
    ['run_shell_command', { command: 'ls', is_background: true, x: 1 }, { command: 'ls', run_in_background: true, x: 1 }],
    ['my_shell', { cmd: 'ls', description: 'd' }, { command: 'ls', description: 'd' }],
    ['replace', { path: 'a.txt', old_string: 'a', new_string: 'b' }, { file_path: '/srv/app/a.txt', old_string: 'a', new_string: 'b' }],
    ['read_file', { absolute_path: '/etc/../etc/passwd' }, { file_path: '/etc/passwd' }],
    ['write_file', { file_path: '../b', content: '' }, { file_path: '/srv/b', content: '' }],
    ['grep_search', { pattern: 'x', dir_path: 'src', include: '*.ts' }, { pattern: 'x', path: '/srv/app/src', glob: '*.ts' }],
    ['read_file', { file_path: ['a'] }, { file_path: ['a'] }],
    ['read_file', { path: null }, { file_path: null }],
    ['list_directory', { dir_path: 'a' }, { dir_path: 'a' }],
    ['read_many_files', { paths: ['a', 'b'] }, { paths: ['a', 'b'] }],
    ['deploy', { path: 'a' }, { path: 'a' }],
    ['Read', { path: 'a' }, { file_path: '/srv/app/a' }],
  ])('%s %j is reported as %j', (hostName, input, reported) => {
    expect(claude.toDialect(hostName, input, cwd)).toEqual(reported);
  });

  test('a file that is there twice is reported once, and one without a value not at all', () => {
    const input = { absolute_path: '/a', path: '/a', file_path: null };
    expect(claude.toDialect('read_file', input, cwd)).toEqual({ file_path: '/a' });
    expect(claude.rivals('read_file', input)).toBeUndefined();
  });

  test('two files of which the tool may read either are rivals, and neither is lost', () => {
    const input = { file_path: '/tmp/decoy', absolute_path: '/etc/passwd' };
    expect(claude.rivals('read_file', input)).toEqual(['file_path', 'absolute_path']);
    expect(claude.toDialect('read_file', input, cwd)).toEqual(input);
    expect(strange.toDialect('read_file', { path: '/a', target: '/b' }, cwd)).toEqual({ target: '/a', host_target: '/b' });
    expect(claude.rivals('deploy', input)).toBeUndefined();
  });

  test("the dialect's own key beside the one that the host named is a rival of it", () => {
    expect(claude.rivals('my_shell', { cmd: 'ls', command: 'rm' })).toEqual(['cmd', 'command']);
    expect(claude.toDialect('my_shell', { command: 'rm' }, cwd)).toEqual({ command: 'rm' });
    const renamed = translateTools(claudeTools, { open: { as: 'Read', keys: { target: 'file_path' } } });
    expect(renamed.rivals('open', { target: 'a', path: 'b' })).toBeUndefined();
    expect(renamed.rivals('open', { target: 'a', file_path: 'b' })).toEqual(['target', 'file_path']);
  });

  test('keys that change places are both right', () => {
    const input = { agent_name: 'reviewer', prompt: 'look' };
    expect(strange.toDialect('invoke_agent', input, cwd)).toEqual({ prompt: 'reviewer', agent_name: 'look' });
    expect(strange.toHost('invoke_agent', { prompt: 'other', agent_name: 'look' }, input, cwd)).toEqual({
      agent_name: 'other',
      prompt: 'look',
    });
    expect(strange.toHost('invoke_agent', { prompt: 'other' }, { prompt: 'look' }, cwd)).toEqual({ agent_name: 'other' });
    expect(strange.rivals('invoke_agent', input)).toBeUndefined();
  });

  test('a key that the dialect has for another argument is reported under a separate name', () => {
    const input = { file_path: '/a', limit: 5, offset: 3, host_offset: 1 };
    const reported = { target: '/a', offset: 5, host_host_offset: 3, host_offset: 1 };
    expect(strange.toDialect('read_file', input, cwd)).toEqual(reported);
    expect(strange.toHost('read_file', reported, input, cwd)).toEqual(input);
    expect(strange.toDialect('read_file', { offset: 3 }, cwd)).toEqual({ host_offset: 3 });
    expect(strange.toHost('read_file', { host_offset: 4, offset: 9 }, { offset: 3 }, cwd)).toEqual({ offset: 4, limit: 9 });
  });

  test('names that are made for such keys are never made twice', () => {
    const { toDialect, toHost } = translateTools({ read: { names: ['view'], keys: { file: ['limit'], offset: ['host_limit'] } } });
    const input = { file_path: '/a', limit: 3, offset: 1, host_limit: 2 };
    const reported = toDialect('read_file', input, cwd);
    expect(reported).toEqual({ limit: '/a', host_host_limit: 3, host_limit: 1, host_host_host_limit: 2 });
    expect(toHost('read_file', reported, input, cwd)).toEqual(input);
  });

  test('a key that the host gives another meaning has the usual one no more', () => {
    const { toDialect, rivals } = translateTools(claudeTools, { put: { as: 'Write', keys: { path: 'content' } } });
    const input = { absolute_path: '/a', path: 'text' };
    expect(toDialect('put', input, cwd)).toEqual({ file_path: '/a', content: 'text' });
    expect(rivals('put', input)).toBeUndefined();
  });

  test('the order is that of the host', () => {
    const reported = claude.toDialect('replace', { old_string: 'a', path: '/f', new_string: 'b', path2: 1 }, cwd);
    expect(Object.keys(reported)).toEqual(['old_string', 'file_path', 'new_string', 'path2']);
  });
});

describe('what hooks return', () => {
  test.each([
    [
      { file_path: '/srv/app/a.txt', content: 'y' },
      { path: 'a.txt', content: 'y' },
    ],
    [
      { file_path: '/srv/app/b.txt', content: 'x' },
      { path: '/srv/app/b.txt', content: 'x' },
    ],
    [{ content: 'y' }, { content: 'y' }],
    [{ path: '/b' }, { path: '/b' }],
    [{ file_path: '/b', path: '/c', absolute_path: '/d' }, { path: '/b' }],
    [{}, {}],
  ])('%j comes back as %j', (returned, host) => {
    expect(claude.toHost('write_file', returned, { path: 'a.txt', content: 'x' }, cwd)).toEqual(host);
  });

  test('all keys of an argument get the new value, those without one keep it', () => {
    const original = { path: '/a', absolute_path: '/a', file_path: null };
    expect(claude.toHost('read_file', { file_path: '/b' }, original, cwd)).toEqual({ path: '/b', absolute_path: '/b', file_path: null });
  });

  test("an argument that the host did not give gets the first of the host's keys", () => {
    expect(claude.toHost('grep_search', { path: '/x', glob: '*' }, { pattern: 'p' }, cwd)).toEqual({
      dir_path: '/x',
      include_pattern: '*',
    });
    expect(claude.toHost('run_shell_command', { run_in_background: true, timeout: 5 }, {}, cwd)).toEqual({
      is_background: true,
      timeout: 5,
    });
    expect(claude.toHost('my_shell', { command: 'ls' }, {}, cwd)).toEqual({ cmd: 'ls' });
  });

  test('an argument comes back under any name that the dialect has for it', () => {
    expect(strange.toHost('read_file', { document: '/b' }, { path: '/a' }, cwd)).toEqual({ path: '/b' });
  });

  test('rivals come back each under its own key', () => {
    const input = { path: '/a', target: '/b', document: null };
    expect(strange.toHost('read_file', strange.toDialect('read_file', input, cwd), input, cwd)).toEqual(input);
  });

  test('of an unknown tool everything stays as it is', () => {
    const returned = { file_path: '/a' };
    expect(claude.toHost('deploy', returned, { path: 'a' }, cwd)).toBe(returned);
  });
});

describe('the file of tools that the dialect does not have', () => {
  const others = translateTools(
    { read: { names: ['view'], keys: { file: ['path'] } } },
    { open: { as: 'opener', keys: { it: 'thing' } } },
    { fileOfOthers: 'path' },
  );

  test.each([
    ['deploy', { file_path: '/a', x: 1 }, { path: '/a', x: 1 }],
    ['glob', { dir_path: '/a' }, { path: '/a' }],
    ['deploy', { file_path: '/a', path: '/b' }, { file_path: '/a', path: '/b' }],
    ['deploy', { file_path: '/a', path: null }, { path: '/a' }],
    ['deploy', { x: 1 }, { x: 1 }],
    ['open', { it: 1, file_path: '/a' }, { thing: 1, path: '/a' }],
  ])('%s %j is reported as %j, and comes back', (hostName, input, reported) => {
    expect(others.toDialect(hostName, input, cwd)).toEqual(reported);
    expect(others.toHost(hostName, reported, input, cwd)).toEqual(input);
    expect(others.rivals(hostName, input)).toBeUndefined();
  });
});

test('a key that is called __proto__ is a key like others, in both directions', () => {
  const input = JSON.parse('{ "path": "a", "__proto__": { "polluted": true } }') as Record<string, unknown>;
  const reported = claude.toDialect('read_file', input, cwd);
  expect(Object.entries(reported)).toEqual([
    ['file_path', '/srv/app/a'],
    ['__proto__', { polluted: true }],
  ]);
  const back = claude.toHost('read_file', reported, input, cwd);
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  expect(new Map(Object.entries(back))).toEqual(new Map(Object.entries(input)));
  expect((back as { polluted?: true }).polluted).toBeUndefined();
});

describe('a call that was captured in the agent, as the host makes it', () => {
  const host = translateTools(claudeTools, { sh: { as: 'Bash', keys: { cmd: 'command' } } }, { absoluteFiles: true });

  test.each<[name: string, input: object, hostName: string, hostInput: object]>([
    ['Write', { file_path: '/a', content: 'x' }, 'write_file', { file_path: '/a', content: 'x' }],
    [
      'Grep',
      { pattern: 'x', path: '/a', glob: '*.ts', n: 1 },
      'grep_search',
      { pattern: 'x', dir_path: '/a', include_pattern: '*.ts', n: 1 },
    ],
    // If the name is a tool of the host and a canonical name, the tool of the host counts.
    ['Bash', { command: 'ls', timeout: 5 }, 'sh', { cmd: 'ls', timeout: 5 }],
    // There is no translation, because hooks would receive another name than they return.
    ['Task', { prompt: 'p' }, 'Task', { prompt: 'p' }],
    ['NotebookEdit', { notebook_path: '/n' }, 'NotebookEdit', { notebook_path: '/n' }],
    // Both keys remain, because a guard must see both paths.
    ['Write', { file_path: '/a', path: '/b' }, 'Write', { file_path: '/a', path: '/b' }],
  ])('%s %j', (name, input, hostName, hostInput) => {
    const call = host.toHostCall(name, input as Record<string, unknown>);
    expect(call).toEqual({ name: hostName, input: hostInput });
    expect(host.namesOf(call.name)).toContain(name);
  });

  test('canonical calls stay as they are', () => {
    expect(host.toHostCall('write_file', { path: 'a' })).toEqual({ name: 'write_file', input: { path: 'a' } });
  });
});
