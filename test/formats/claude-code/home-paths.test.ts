import { homedir } from 'node:os';
import { join } from 'node:path';
import { command, deeds, preToolUse, seen, specific, specificOf, withClaude } from './claude-hooks.js';

const home = homedir();

test.each<[tool: string, input: (dir: string) => object, key: string, expected: (dir: string) => string]>([
  ['read_file', () => ({ path: '~/.aws/credentials' }), 'file_path', () => join(home, '.aws/credentials')],
  ['write_file', () => ({ file_path: '~/.bashrc', content: '' }), 'file_path', () => join(home, '.bashrc')],
  ['replace', () => ({ absolute_path: '~/a/../b', old_string: 'a', new_string: 'b' }), 'file_path', () => join(home, 'b')],
  ['grep_search', () => ({ dir_path: '~', pattern: 'x' }), 'path', () => home],
  ['read_many_files', () => ({ paths: ['~/.npmrc', 'a.ts'] }), 'file_path', (dir) => `${join(home, '.npmrc')}\n${join(dir, 'a.ts')}`],
  ['read_file', () => ({ path: './sub/../x.ts' }), 'file_path', (dir) => join(dir, 'x.ts')],
  ['read_file', () => ({ path: 'notes~/~' }), 'file_path', (dir) => join(dir, 'notes~/~')],
  ['read_file', () => ({ path: '~other/.ssh/id' }), 'file_path', (dir) => join(dir, '~other/.ssh/id')],
])('%s: a hook receives the path of a file as an absolute one', async (tool, input, key, expected) => {
  await withClaude(preToolUse('cat > seen.json'), async (scene) => {
    await scene.handler.fireBeforeToolEvent(tool, input(scene.projectDir) as Record<string, unknown>);
    expect((seen(scene)['tool_input'] as Record<string, unknown>)[key]).toBe(expected(scene.projectDir));
  });
});

test.each<[rule: string, tool: string, input: object, expected: boolean]>([
  ['Read(~/.aws/**)', 'read_file', { path: '~/.aws/credentials' }, true],
  ['Read(~/.aws/**)', 'read_file', { path: '~/.awsome/x' }, false],
  ['Read(~/.aws/**)', 'read_many_files', { paths: ['a.ts', '~/.aws/config'] }, true],
  ['Read(~/.aws/**)', 'grep_search', { pattern: 'key', dir_path: '~' }, true],
  ['Read(~/.aws/**)', 'glob', { pattern: '.aws/*', dir_path: '~' }, true],
  ['Edit(~/.bashrc)', 'NotebookEdit', { notebook_path: '~/.bashrc' }, true],
  ['Edit(~/.bashrc)', 'write_file', { path: '~/.profile', content: '' }, false],
  ['Edit(src/**)', 'write_file', { path: '~/src/a.ts', content: '' }, false],
  [`Edit(/${home}/.config/**)`, 'replace', { file_path: '~/.config/x', old_string: 'a', new_string: 'b' }, true],
])('the condition %s, %s %j: %s', async (rule, tool, input, expected) => {
  await withClaude(preToolUse(command('true', { if: rule })), async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent(tool, input as Record<string, unknown>);
    expect(deeds(result)).toEqual([expected ? 'succeeded' : 'skipped: condition']);
  });
});

test('a hook that returns the path as it read it leaves the spelling of the agent, and another path is the new one', async () => {
  const answer = (file: string) => specific('PreToolUse', { updatedInput: { file_path: file, content: 'x' } });
  const rewritten = (text: string) =>
    withClaude(preToolUse(text), async ({ handler }) =>
      specificOf(await handler.fireBeforeToolEvent('write_file', { path: '~/a.txt', content: '' })),
    );
  expect(await rewritten(answer(join(home, 'a.txt')))).toMatchObject({ tool_input: { path: '~/a.txt', content: 'x' } });
  expect(await rewritten(answer('/tmp/b.txt'))).toMatchObject({ tool_input: { path: '/tmp/b.txt', content: 'x' } });
});
