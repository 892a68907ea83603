import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHooks } from 'tenterhook';
import { otherAgentsFiles } from '../../packages/tenterhook/src/settings/discover/other-agents.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

const hooks = JSON.stringify({ version: 1, hooks: { stop: [{ command: './audit.sh' }] } });

/** Runs a command in a project with these files. */
async function inProject<Result>(files: Readonly<Record<string, string>>, use: (cwd: string) => Promise<Result>): Promise<Result> {
  const cwd = freshDirectory('unread');
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(cwd, dirname(path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    return await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

const run = (args: readonly string[], cwd: string) => runCli(args, { cwd, home: '/nowhere' });
const said = 'The project has hooks in formats that Tenterhook does not read, and they do not run: ';
const count = (text: string) => text.split(said).length - 1;

test.each(Object.entries(otherAgentsFiles))('%s is named by validate, fire and explain, once', async (path, { agent }) => {
  const file = path.endsWith('/') ? `${path}on-save.json` : path;
  const text = path.endsWith('.toml') ? '[model]\nname = "m"\n\n[[hooks]]\nevent = "PreToolUse"\ncommand = "./audit.sh"\n' : hooks;
  await inProject({ [file]: text }, async (cwd) => {
    for (const args of [
      ['validate'],
      ['fire', 'AfterAgent', '--input', '{"prompt":"p","prompt_response":"r","stop_hook_active":false}'],
      ['explain', 'AfterAgent'],
    ]) {
      const { stdout, stderr } = await run(args, cwd);
      const shown = `${stdout}${stderr}`.replace(/\s+/g, ' ');
      expect([args[0], count(shown)]).toEqual([args[0], 1]);
      expect(shown).toContain(`${said}${file} (${agent}).`);
    }
  });
});

test('all of them are one note, which does not fail', async () => {
  await inProject(
    { '.windsurf/hooks.json': hooks, '.kiro/hooks/a.json': hooks, '.kiro/hooks/b.json': hooks, '.kiro/hooks/README.md': '' },
    async (cwd) => {
      const { status, stdout } = await run(['validate'], cwd);
      expect(status).toBe(0);
      expect(stdout).toContain(`${said}.kiro/hooks/ (Kiro), .windsurf/hooks.json (Windsurf).`);
      expect(stdout).toContain('0 errors, 0 warnings, 1 note.');
    },
  );
});

test.each<[title: string, files: Readonly<Record<string, string>>, args: readonly string[]]>([
  ['a folder without hooks', { '.kiro/hooks/README.md': 'none' }, ['validate']],
  [
    'settings of Kimi and Crush without hooks',
    { '.kimi/config.toml': 'hooked = 1\n[hooking]\n', 'crush.json': '{"lsp":{}}' },
    ['validate'],
  ],
  ['a format that was chosen', { '.windsurf/hooks.json': hooks }, ['validate', '--dialect', 'claude-code']],
  ['settings that were passed', { '.windsurf/hooks.json': hooks, 'own.json': '{"hooks":{"Stop":[]}}' }, ['validate', 'own.json']],
])('nothing is said of %s', async (_, files, args) => {
  await inProject(files, async (cwd) => expect(count((await run(args, cwd)).stdout)).toBe(0));
});

test('an event with hooks is not disturbed, and the library looks for none of these files', async () => {
  const claude = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } });
  await inProject({ '.windsurf/hooks.json': hooks, '.claude/settings.json': claude }, async (cwd) => {
    const fired = await run(['fire', 'Stop', '--input', '{"stop_hook_active":false}'], cwd);
    expect([fired.status, count(`${fired.stdout}${fired.stderr}`)]).toEqual([0, 0]);
    await using system = await createHooks({ projectDir: cwd, trust: 'all' });
    expect(system.diagnostics.filter(({ code }) => code === 'unread_file')).toEqual([]);
  });
});

test.each([
  ['.claude/hooks/settings.json', '.claude/settings.json'],
  ['.claude/hooks/settings.local.json', '.claude/settings.json'],
  ['.gemini/hooks/settings.json', '.gemini/settings.json'],
  ['.llxprt/hooks/settings.local.json', '.llxprt/settings.json'],
  ['.eca/hooks/config.json', '.eca/config.json'],
])('settings in the folder of the scripts are not read, which is said: %s', async (file, insteadOf) => {
  const text = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] } });
  await inProject({ [file]: text }, async (cwd) => {
    const { stdout } = await run(['validate'], cwd);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `warning ${file} This file is not read; the settings of this level are read from ${insteadOf}.`,
    );
  });
});

test('the page lists the files', () => {
  const page = readFileSync(join(root, 'docs/settings.md'), 'utf8');
  const [, table = ''] = page.split('### Hooks of other agents');
  const listed = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| ([\w ]+) \| (`.+`) \|$/gm)].flatMap(([, agent, files = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, path]) => [path, agent]),
  );
  expect(listed.sort()).toEqual(
    Object.entries(otherAgentsFiles)
      .map(([path, { agent }]) => [path, agent])
      .sort(),
  );
});
