import { HookEngine, HookMatcher } from '../../src/index.js';

/** The table of decision 43, each row as a matcher that is registered. */
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
  // Paths are tried as normalised, too: a guard cannot be walked around by writing one in another way.
  ['/etc/**', '/srv/app/../../etc/passwd', true],
  ['/etc/**', '../../etc/passwd', true, '/srv/app'],
  ['src/**', './lib//../src/a.ts', true, '/srv/app'],
  ['/srv/app/src/**', 'src/a.ts', true, '/srv/app'],
  // Characters that mean something in a regular expression mean themselves.
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
