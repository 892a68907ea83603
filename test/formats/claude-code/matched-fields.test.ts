import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../support/fire-hooks.js';
import { runCli } from '../../support/run-cli.js';
import { command, deeds, fireClaude, groupOf, hooksOf, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

/** Events that only a host fires and whose matcher Claude Code compares with a field: the field, a value that fits, and one that does not. */
const matched: readonly [event: string, field: string, fitting: string, other: string][] = [
  ['UserPromptExpansion', 'command_name', 'release-notes', 'review'],
  ['ConfigChange', 'source', 'policy_settings', 'skills'],
  ['InstructionsLoaded', 'load_reason', 'path_glob_match', 'include'],
  ['DirectoryAdded', 'source', 'register_repo_root', 'slash_command'],
  ['SubagentStop', 'agent_type', 'Explore', 'Plan'],
  ['Elicitation', 'mcp_server_name', 'linear', 'github'],
];

test.each(matched)('a matcher of %s is compared with %s', async (event, field, fitting, other) => {
  const [, eventName, input] = moment(event);
  const runs = async (matcher: string, value: string) =>
    deeds(await fireClaude([event, eventName, { ...input, [field]: value }], 'true', { matcher }));
  expect(await runs(fitting, fitting)).toEqual(['succeeded']);
  expect(await runs(fitting, other)).toEqual(['skipped: matcher']);
  expect(await runs(`${other}|${fitting}`, fitting)).toEqual(['succeeded']);
  expect(await runs(`^${fitting.slice(0, 4)}.*`, fitting)).toEqual(['succeeded']);
  expect(await runs(`^${fitting.slice(0, 4)}.*`, other)).toEqual(['skipped: matcher']);
});

test('a guard of one command denies no other command', async () => {
  const guard = command('echo "Ask the release team." >&2; exit 2');
  const named = (command_name: string) => ['UserPromptExpansion', 'UserPromptExpansion', { command_name }] as const;
  const verdictOf = async (name: string) => (await fireClaude(named(name), guard, { matcher: '^ops:(publish|tag)$' })).verdict;
  expect(await verdictOf('ops:publish')).toMatchObject({ kind: 'deny', reason: 'Ask the release team.' });
  for (const name of ['publish', 'ops:publisher', 'review']) expect(await verdictOf(name)).toMatchObject({ kind: 'none' });
});

test.each([
  ['ConfigChange', 'project', 'user_settings, project_settings, local_settings, policy_settings, skills'],
  ['InstructionsLoaded', 'startup', 'session_start, nested_traversal, path_glob_match, include, compact'],
  ['DirectoryAdded', 'cli', 'slash_command, register_repo_root'],
])('on %s, the matcher %s is reported, because the event cannot have this value', async (event, matcher, values) => {
  await withClaude(hooksOf(event, 'true', { matcher }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'unmatched_matcher', message: expect.stringContaining(`is one of ${values}.`) }]);
  });
});

test('validate has nothing to say about these matchers, and of a matcher where there is nothing to match it says that it is ignored', async () => {
  const cwd = freshDirectory('matched');
  try {
    mkdirSync(join(cwd, '.claude'));
    const groups = matched.map(([event, , fitting]) => [event, [groupOf('true', { matcher: fitting })]]);
    const hooks = { ...Object.fromEntries(groups), CwdChanged: [groupOf('true', { matcher: 'src' })] };
    writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }));
    const { stdout } = await runCli(['validate'], { cwd, home: '/nowhere' });
    expect(stdout).toContain('CwdChanged has no value to match; the matcher "src" is ignored and the hooks run every time.');
    expect(stdout).toContain('0 errors, 1 warning');
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
