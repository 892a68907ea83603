import { HookEngine, HookMatcher, type MatcherFields, type UntypedHandlerEvent } from '../../src/index.js';

/** Tests whether a hook with this matcher is called for these arguments. */
async function isCalledFor(matcher: MatcherFields, args: unknown, tool: unknown = 'Bash'): Promise<boolean> {
  const engine = new HookEngine();
  let isCalled = false;
  engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
  engine.register_handler('h', {
    handle: () => {
      isCalled = true;
    },
  });
  const payload = { session_id: 's1', tool, args, working_directory: '/srv/app', recent_tools: [] };
  const event: UntypedHandlerEvent = { event_type: 'pre_tool_use', payload };
  const { warnings } = await engine.fire(event as Parameters<HookEngine['fire']>[0]);
  expect(warnings).toEqual([]);
  return isCalled;
}

const path = HookMatcher.path('*.rs');
const command = HookMatcher.command('rm');

test.each<[string, MatcherFields, unknown, boolean]>([
  ['args that are missing', path, undefined, false],
  ['args that are null', command, null, false],
  ['args that are a text', path, 'a.rs', false],
  ['args that are a list', path, ['a.rs'], false],
  ['a command that is a list', command, { command: ['rm', 'x'] }, true],
  [
    'a command that is a list of words, one of them the one',
    HookMatcher.command('^git push --force'),
    { command: ['git', 'push', '--force'] },
    true,
  ],
  ['a command that is a list without it', command, { command: ['ls', 7, null] }, false],
  ['a command that goes on in the next line', HookMatcher.command('rm.*-rf'), { command: 'rm \\\n -rf x' }, true],
  ['a path that is a number', path, { file_path: 7 }, false],
  ['edits that are not a list', path, { edits: { file_path: 'a.rs' } }, true],
  ['edits that hold anything', path, { edits: [null, 7, 'a.rs', [], { file_path: 'a.rs' }] }, true],
  ['a list of paths that is a text', path, { paths: 'a.rs' }, true],
  ['a __proto__ that holds a path', path, JSON.parse('{"__proto__": {"file_path": "a.rs"}}'), false],
  ['a constructor that holds a path', path, { constructor: { file_path: 'a.rs' }, prototype: { path: 'a.rs' } }, false],
  ['an empty path', HookMatcher.path('*'), { file_path: '' }, true],
])('%s: called is right, and nothing is warned of', async (_, matcher, args, isCalled) => {
  expect(await isCalledFor(matcher, args)).toBe(isCalled);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a tool that is called %s is a tool like others', async (tool) => {
  expect(await isCalledFor(HookMatcher.tool(tool), {}, tool)).toBe(true);
  expect(await isCalledFor(HookMatcher.tool(tool), {}, 'Bash')).toBe(false);
  expect(await isCalledFor(command, { command: 'rm x' }, tool)).toBe(false);
  expect(await isCalledFor(HookMatcher.tool('Bash'), {}, undefined)).toBe(true);
});

test('a path field that every object inherits is read as a field of the arguments alone', async () => {
  const engine = new HookEngine({ pathFields: ['constructor.name', '__proto__.file_path'] });
  let calls = 0;
  engine.register({ id: 'h', event_type: 'pre_tool_use', matcher: { path_pattern: '*' } });
  engine.register_handler('h', {
    handle: () => {
      calls += 1;
    },
  });
  const fire = (args: object) =>
    engine.fire({ event_type: 'pre_tool_use', payload: { session_id: 's', tool: 'T', args, working_directory: '/', recent_tools: [] } });
  await fire({});
  expect(calls).toBe(0);
  await fire(JSON.parse('{"__proto__": {"file_path": "a"}}'));
  expect(calls).toBe(1);
});

test('huge arguments are matched nevertheless', async () => {
  const filler = 'x'.repeat(1_000_000);
  expect(await isCalledFor(command, { command: `${filler} rm`, content: filler })).toBe(true);
  expect(await isCalledFor(path, { edits: Array.from({ length: 9_999 }, () => ({ file_path: 'a.py' })), path: 'b.rs' })).toBe(true);
});

test('more paths than are looked at match every path pattern: the one that matters may be among the others', async () => {
  const edits = Array.from({ length: 10_001 }, () => ({ file_path: 'a.py' }));
  expect(await isCalledFor(path, { edits })).toBe(true);
  expect(await isCalledFor(path, { edits: edits.slice(1) })).toBe(false);
  expect(await isCalledFor(path, { edits: [...edits.slice(1), { file_path: 'b.rs' }] })).toBe(true);
});

// A regular expression engine with backtracking would need practically endless time for each of these patterns.
test.each(['(a+)+$', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])('the command pattern %s comes to an end', async (pattern) => {
  await isCalledFor(HookMatcher.command(pattern), { command: `${'a'.repeat(5000)}!${'x'.repeat(5000)}` });
});

test.each(['**a**a**a**a**a**b', '*a*a*a*a*a*a*a*b', `${'{a,aa}'.repeat(40)}b`])('the path pattern %s comes to an end', async (pattern) => {
  expect(await isCalledFor(HookMatcher.path(pattern), { file_path: 'a'.repeat(5000) })).toBe(false);
});

/** The table of decision 43. Each row is registered as a matcher. */
const rows: [pattern: string, path: string, isMatch: boolean, workingDirectory?: string][] = [
  ['*.rs', 'src/main.rs', true],
  ['*.rs', 'main.rs', true],
  ['*.rs', 'main.rsx', false],
  ['.env', 'src/.env', true],
  ['*test*', 'src/my.test.ts', true],
  ['*', 'a/b', true],
  ['src/*.ts', 'src/d/a.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/d/e/a.ts', true],
  ['src/**/*.ts', '/srv/app/src/a.ts', true, '/srv/app'],
  ['src/**/*.ts', '/srv/app/src/a.ts', false, '/srv/other'],
  ['src/**/*.ts', '/srv/app/src/a.ts', false],
  ['src/**', 'src/a/b', true],
  ['*.{ts,js}', 'lib/a.js', true],
  ['*.{ts,js}', 'lib/a.jsx', false],
  ['a?b', 'axb', true],
  ['a?b', 'ab', false],
  ['lib/**', 'src/a.ts', false],
  // Paths are also compared in normalised form, so writing a path in another way does not bypass a guard.
  ['/etc/**', '/srv/app/../../etc/passwd', true],
  ['/etc/**', '../../etc/passwd', true, '/srv/app'],
  ['src/**', './lib//../src/a.ts', true, '/srv/app'],
  ['/srv/app/src/**', 'src/a.ts', true, '/srv/app'],
  // Characters that are special in regular expressions match literally.
  ['a+b.(c)', 'a+b.(c)', true],
  ['a.b', 'axb', false],
  ['*.RS', 'main.rs', false],
];

test.each(rows)('the pattern %s on the path %s is a match: %j (in %s)', async (pattern, path, isMatch, working_directory = '') => {
  const engine = new HookEngine();
  let isCalled = false;
  engine.register({ id: 'h', event_type: 'pre_tool_use', matcher: HookMatcher.path(pattern) });
  engine.register_handler('h', {
    handle: () => {
      isCalled = true;
    },
  });
  const payload = { session_id: 's1', tool: 'Write', args: { file_path: path }, working_directory, recent_tools: [] };
  await engine.fire({ event_type: 'pre_tool_use', payload });
  expect(isCalled).toBe(isMatch);
});
