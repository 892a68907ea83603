import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('extensions');
afterAll(() => rmSync(cwd, { recursive: true }));

const guard = { hooks: [{ type: 'command', name: 'guard', command: `echo "\${extensionPath}" >&2; exit 2` }] };

/** Writes an extension with a hook before tools and these manifests, and returns its name. */
function extension(name: string, manifests: Readonly<Record<string, object>>, hooks: object = { BeforeTool: [guard] }): string {
  mkdirSync(join(cwd, name, 'hooks'), { recursive: true });
  writeFileSync(join(cwd, name, 'hooks/hooks.json'), JSON.stringify({ hooks }));
  for (const [file, value] of Object.entries(manifests)) writeFileSync(join(cwd, name, file), JSON.stringify(value));
  return name;
}

const run = (command: string, name: string, ...others: readonly string[]) =>
  runCli([command, ...(command === 'validate' ? [] : ['BeforeTool']), '--extension', name, ...others], { cwd, home: '/nowhere' });
const call = ['--input', '{"tool_name":"write_file","tool_input":{}}'];

const manifests: Readonly<Record<string, object>> = {
  bare: { name: 'bare', version: '1.0.0' },
  context: { name: 'context', version: '0.2.1', description: 'Style of the team.', contextFileName: ['STYLE.md', 'GLOSSARY.md'] },
  servers: {
    name: 'servers',
    version: '3.0.0',
    mcpServers: { index: { command: 'node', args: ['server.js'] } },
    excludeTools: ['web_fetch'],
  },
  settings: { name: 'settings', version: '1.1.0', settings: [{ name: 'Token', envVar: 'TOKEN', sensitive: true }] },
};

test.each(Object.entries(manifests))(
  'every extension of Gemini CLI has a manifest, of which nothing is said: %s',
  async (name, manifest) => {
    extension(name, { 'gemini-extension.json': manifest });
    expect(await run('validate', name)).toMatchObject({ status: 0, stdout: expect.stringContaining('0 errors, 0 warnings, 0 notes.') });
    const fired = await run('fire', name, ...call);
    expect(fired).toMatchObject({ stderr: '', stdout: expect.stringContaining(`→ deny by guard: ${join(cwd, name)}`) });
    expect((await run('explain', name, ...call)).stdout).toContain(`gemini-cli/extension:${name}/BeforeTool/guard  would run`);
    const options = { projectDir: cwd, dialect: 'gemini-cli', trust: 'all', strict: true } as const;
    await using hooks = await createHooks({ ...options, extensions: [{ name, directory: join(cwd, name) }] });
    expect(hooks.diagnostics).toEqual([]);
  },
);

test.each([
  ['an object', { BeforeTool: [guard] }],
  ['an empty object', {}],
  ['null', null],
])('hooks in the manifest are an error, also as %s', async (_, hooks) => {
  const name = extension('with-hooks', { 'gemini-extension.json': { name: 'with-hooks', version: '1.0.0', hooks } });
  const { status, stdout } = await run('validate', name);
  expect(status).toBe(1);
  expect(stdout).toContain('hooks: Gemini CLI does not read hooks from the manifest of an extension; they do not run.');
});

test.each<[title: string, manifests: readonly string[], chosen: string | undefined, dialect: string]>([
  ['the manifest of Gemini CLI', ['gemini-extension.json'], undefined, 'gemini-cli'],
  ['the same, where the caller has chosen LLxprt Code, which reads it too', ['gemini-extension.json'], 'llxprt', 'llxprt'],
  ['the manifest of LLxprt Code', ['llxprt-extension.json'], undefined, 'llxprt'],
  ['no manifest, and a choice', [], 'llxprt', 'llxprt'],
  ['no manifest', [], undefined, 'gemini-cli'],
  ['both, and a choice', ['llxprt-extension.json', 'gemini-extension.json'], 'llxprt', 'llxprt'],
])('the format of an extension: %s', async (title, files, chosen, dialect) => {
  const name = title.replace(/\W+/g, '-');
  extension(name, Object.fromEntries(files.map((file) => [file, { name, version: '1.0.0' }])));
  const { stdout, stderr } = await run('fire', name, ...(chosen === undefined ? [] : ['--dialect', chosen]), '--json', ...call);
  expect(stderr).toBe('');
  // The path of the extension is known in both formats.
  expect(JSON.parse(stdout).output.outcomes).toMatchObject([{ dialect, status: 'blocked', output: { reason: join(cwd, name) } }]);
});

test('LLxprt Code reads hooks in its own manifest, beside those of hooks.json', async () => {
  const inside = { hooks: [{ name: 'inside', command: `echo "$LLXPRT_PROJECT_DIR" >/dev/null; echo '{"systemMessage":"m"}'` }] };
  const name = extension('of-llxprt', {
    'llxprt-extension.json': { name: 'of-llxprt', version: '1.0.0', hooks: { BeforeTool: [inside] } },
  });
  const { stdout } = await run('explain', name, ...call);
  expect(stdout).toContain('llxprt/extension:of-llxprt/BeforeTool/guard  would run');
  expect(stdout).toContain('llxprt/extension:of-llxprt/BeforeTool/inside  would run');
});
