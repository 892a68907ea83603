import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli, spawnCli } from '../support/run-cli.js';

/** A project and a home directory, and the command line in them. */
interface Place {
  at(path: string): string;
  write(path: string, text: string): string;
  read(path: string): string;
  migrate(...args: readonly string[]): ReturnType<typeof runCli>;
}

async function inPlace(use: (place: Place) => Promise<void>): Promise<void> {
  const root = freshDirectory('migrate');
  const at = (path: string) => join(root, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    return at(path);
  };
  for (const folder of ['home', 'project']) mkdirSync(at(folder));
  try {
    await use({
      at,
      write,
      read: (path) => readFileSync(at(path), 'utf8'),
      migrate: (...args) => runCli(['migrate', ...args], { cwd: at('project'), home: at('home') }),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const guard = { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/guard.sh', timeout: 5 };
const claudeSettings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [guard] }] } });
const toLlxprt = ['--from', 'claude-code', '--to', 'llxprt'];
const source = 'project/.claude/settings.json';
const target = 'project/.llxprt/settings.json';
const migratedGroup = {
  matcher: '^run_shell_command$',
  hooks: [{ type: 'command', command: '"$LLXPRT_PROJECT_DIR"/guard.sh', timeout: 5000 }],
};

test('without --write nothing is written, and what would be is shown as a whole', async () => {
  await inPlace(async ({ write, migrate, at }) => {
    write(source, claudeSettings);
    const { status, stdout, stderr } = await migrate(...toLlxprt);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const shown = stdout.slice(stdout.indexOf('\n{\n'), stdout.indexOf('\n}\n') + 3);
    expect(JSON.parse(shown)).toEqual({ tools: { enableHooks: true }, hooks: { BeforeTool: [migratedGroup] } });
    expect(readdirSync(at('project'))).toEqual(['.claude']);
  });
});

test('a file that is missing is made, with the switch that its hooks need; a second time there is nothing to add', async () => {
  await inPlace(async ({ write, read, migrate, at }) => {
    write(source, claudeSettings);
    const first = await migrate(...toLlxprt, '--write');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain('1 hook added');
    const text = read(target);
    expect(JSON.parse(text)).toEqual({ tools: { enableHooks: true }, hooks: { BeforeTool: [migratedGroup] } });
    const before = statSync(at(target)).mtimeMs;
    const second = await migrate(...toLlxprt, '--write');
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(second.stdout).toContain('1 exists already');
    expect(second.stdout).toContain('nothing to add');
    expect([read(target), statSync(at(target)).mtimeMs]).toEqual([text, before]);
    expect(readdirSync(at('project/.llxprt'))).toEqual(['settings.json']);
    const list = await runCli(['list', '--json'], { cwd: at('project'), home: at('home') });
    expect(JSON.parse(list.stdout).hooks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ dialect: 'llxprt', matcher: '^run_shell_command$', timeoutMs: 5000, state: 'on' }),
      ]),
    );
  });
});

const commented = `{
  // Mine, by hand.
  "tools": { "enableHooks": true, "other": 1 },
  "hooks": {
    "BeforeTool": [
      { "matcher": "^x$", "hooks": [{ "command": "mine" }] }, // stays
    ],
  },
  "unrelated": [1,2,   3]
}
`;

test('comments, formatting, other settings and the hooks that are there stay as they are', async () => {
  await inPlace(async ({ write, read, migrate, at }) => {
    write(source, claudeSettings);
    write(target, commented);
    chmodSync(at(target), 0o600);
    expect(await migrate(...toLlxprt, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(read(target)).toBe(
      commented.replace(
        '// stays\n',
        `// stays
      {
        "matcher": "^run_shell_command$",
        "hooks": [
          {
            "type": "command",
            "command": "\\"$LLXPRT_PROJECT_DIR\\"/guard.sh",
            "timeout": 5000
          }
        ]
      },
`,
      ),
    );
    expect(statSync(at(target)).mode & 0o777).toBe(0o600);
  });
});

test('a hook that is there in other words, or with another timeout or name, is not added again', async () => {
  await inPlace(async ({ write, read, migrate }) => {
    write(source, claudeSettings);
    const hook = { name: 'mine', command: '"$LLXPRT_PROJECT_DIR"/guard.sh', timeout: 1234 };
    const text =
      write(target, JSON.stringify({ hooks: { BeforeTool: [{ matcher: '^(run_shell_command)$', hooks: [hook] }] } })) && read(target);
    const { status, stdout } = await migrate(...toLlxprt, '--write');
    expect(status).toBe(0);
    expect(stdout).toContain('exists');
    expect(read(target)).toBe(text);
  });
});

test.each([
  ['an empty file', ''],
  ['white space', '\n \n'],
  ['comments alone', '// later\n'],
])('%s gets the hooks', async (_, text) => {
  await inPlace(async ({ write, read, migrate }) => {
    write(source, claudeSettings);
    write(target, text);
    expect(await migrate(...toLlxprt, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(read(target)).toContain('"^run_shell_command$"');
    expect(read(target).startsWith(text.trim())).toBe(true);
  });
});

test.each([
  ['that is not JSON', '{ "hooks": ', 'is not valid JSON'],
  ['that is a list', '[]', 'must be an object'],
  ['whose hooks are a list', '{ "hooks": [] }', 'hooks: must be an object'],
  ['whose groups are not a list', '{ "hooks": { "BeforeTool": {} } }', 'hooks.BeforeTool: must be an array'],
  ['with its hooks twice', '{ "hooks": {}, "hooks": {} }', 'occurs twice'],
  ['that is not a text', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 'not valid UTF-8'],
])('a file %s is not changed, and that is a failure', async (_, text, message) => {
  await inPlace(async ({ write, migrate, at }) => {
    write(source, claudeSettings);
    write(target, '');
    writeFileSync(at(target), text, 'latin1');
    const { status, stdout, stderr } = await migrate(...toLlxprt, '--write', '--json');
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ state: 'failed', hookCount: 1 }] });
    expect(readFileSync(at(target), 'latin1')).toBe(text);
  });
});

test('a file that cannot be added to is reported without --write too', async () => {
  await inPlace(async ({ write, migrate }) => {
    write(source, claudeSettings);
    write(target, '[]');
    const { status, stdout } = await migrate(...toLlxprt);
    expect(status).toBe(1);
    expect(stdout).toContain('not written: The settings: must be an object.');
    expect(stdout).toContain('"^run_shell_command$"');
  });
});

test('a read-only file is not changed, also for root', async () => {
  await inPlace(async ({ write, read, migrate, at }) => {
    write(source, claudeSettings);
    write(target, '{}');
    chmodSync(at(target), 0o444);
    const { status, stderr } = await migrate(...toLlxprt, '--write');
    expect({ status, text: read(target) }).toEqual({ status: 1, text: '{}' });
    expect(stderr).toContain('It is read-only.');
  });
});

test('of the user, the file behind a link is written, and the link stays; of a project, none that leads out of it', async () => {
  await inPlace(async ({ write, read, migrate, at }) => {
    write('home/.claude/settings.json', claudeSettings);
    write('dotfiles/llxprt.json', '{}');
    mkdirSync(at('home/.llxprt'));
    symlinkSync(at('dotfiles/llxprt.json'), at('home/.llxprt/settings.json'));
    expect(await migrate(...toLlxprt, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(read('dotfiles/llxprt.json')).toContain('run_shell_command');
    expect(lstatSync(at('home/.llxprt/settings.json')).isSymbolicLink()).toBe(true);

    write(source, claudeSettings);
    write('outside.json', '{}');
    mkdirSync(at('project/.llxprt'));
    symlinkSync(at('outside.json'), at(target));
    const { status, stderr } = await migrate(...toLlxprt, '--write');
    expect({ status, text: read('outside.json') }).toEqual({ status: 1, text: '{}' });
    expect(stderr).toContain('which is outside of the project');

    rmSync(at('outside.json'));
    expect((await migrate(...toLlxprt, '--write')).stderr).toContain('The file is a link to a file that does not exist.');
  });
});

test('hooks of a project go to the project, those of the user to the user; private and administrators’ ones nowhere else', async () => {
  await inPlace(async ({ write, read, migrate, at }) => {
    write(source, claudeSettings);
    write('home/.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'of-user' }] }] } }));
    write(
      'project/.claude/settings.local.json',
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'private' }] }] } }),
    );
    const { status, stdout } = await migrate(...toLlxprt, '--write', '--json');
    expect(status).toBe(0);
    const { hooks, files } = JSON.parse(stdout);
    expect(files.map((file: { file: string; state: string }) => [file.file, file.state])).toEqual([
      [at(target), 'written'],
      [at('home/.llxprt/settings.json'), 'written'],
    ]);
    expect(hooks.find((hook: { source: string }) => hook.source === 'local')).toMatchObject({
      state: 'cannot',
      reason: expect.stringContaining('LLxprt Code has no private project settings.'),
    });
    expect([read(target), read('home/.llxprt/settings.json')].map((text) => text.includes('of-user'))).toEqual([false, true]);
    // In the opposite direction the private file exists, but there are no private hooks.
    const back = await migrate('--from', 'llxprt', '--to', 'claude-code', '--json');
    expect(JSON.parse(back.stdout).hooks.map((hook: { state: string }) => hook.state)).toEqual(['present', 'present']);
  });
});

test('a switch that is set already stays, and is reported', async () => {
  await inPlace(async ({ write, read, migrate }) => {
    write(source, claudeSettings);
    write(target, '{ "tools": { "enableHooks": false } }');
    const off = await migrate(...toLlxprt, '--write');
    expect(off.stdout).toContain('The hooks would not run: tools.enableHooks is false in');
    expect(JSON.parse(read(target))).toMatchObject({ tools: { enableHooks: false }, hooks: { BeforeTool: [migratedGroup] } });

    write(target, '{}');
    write('home/.llxprt/settings.json', '{ "tools": { "enableHooks": true } }');
    expect((await migrate(...toLlxprt, '--write')).stdout).not.toContain('enableHooks');
    expect(JSON.parse(read(target))).toEqual({ hooks: { BeforeTool: [migratedGroup] } });
  });
});

test('hooks that lists of the target disable are reported, and so are those that are off in their original settings', async () => {
  await inPlace(async ({ write, migrate }) => {
    write(source, claudeSettings.replace('{', '{ "disableAllHooks": true,'));
    write(target, '{ "tools": { "enableHooks": true }, "hooksConfig": { "disabled": ["\\"$LLXPRT_PROJECT_DIR\\"/guard.sh"] } }');
    const { stdout } = await migrate(...toLlxprt);
    expect(stdout).toContain('would not run: ');
    expect(stdout).toContain('The hook does not run in its original settings, but would run in the new ones.');
  });
});

test('a file that was named is of the level of its place; one that lies elsewhere counts as the project’s', async () => {
  await inPlace(async ({ write, migrate, at }) => {
    write('home/.claude/settings.json', claudeSettings);
    write('elsewhere/hooks.json', claudeSettings);
    const of = async (...args: string[]) => JSON.parse((await migrate(...toLlxprt, ...args, '--json')).stdout).files[0].file;
    expect(await of('--settings', at('home/.claude/settings.json'), '--cwd', at('project'))).toBe(at('home/.llxprt/settings.json'));
    expect(await of('--settings', at('elsewhere/hooks.json'))).toBe(at(target));
    expect(await migrate(...toLlxprt, '--settings', 'none.json', '--json')).toMatchObject({ status: 1 });
  });
});

test('in the home directory, where the two files are one, each hook is migrated once; so is a file that was named twice', async () => {
  await inPlace(async ({ write, at }) => {
    const file = write('home/.claude/settings.json', claudeSettings);
    const run = (...args: string[]) => runCli(['migrate', ...toLlxprt, '--json', ...args], { cwd: at('home'), home: at('home') });
    for (const { stdout } of [await run(), await run('--settings', file, '--settings', file)]) {
      const { hooks, files } = JSON.parse(stdout);
      expect([hooks.length, files.length, files[0].added.hooks.BeforeTool]).toEqual([1, 1, [migratedGroup]]);
    }
  });
});

test('a usage error is reported, with what to write', async () => {
  await inPlace(async ({ migrate }) => {
    const cases: [string[], string][] = [
      [['--from', 'claude-code'], '--to is missing. Known dialects: '],
      [['--from', 'latin', '--to', 'llxprt'], '--from: unknown dialect "latin". Known dialects: llxprt,'],
      [['--from', 'eca', '--to', 'gemini_cli'], '--to: unknown dialect "gemini_cli". Did you mean "gemini-cli"?'],
      [['--from', 'claude', '--to', 'claude-code'], '--from and --to are both "claude-code". Name two dialects.'],
    ];
    for (const [args, message] of cases) {
      const { status, stderr, stdout } = await migrate(...args, '--json');
      expect(status).toBe(64);
      expect(stderr).toContain(message);
      expect(JSON.parse(stdout)).toMatchObject({ success: false, error: { code: 'invalid_request' } });
    }
    expect(await migrate(...toLlxprt)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('There are no Claude Code hooks to migrate. Looked in '),
    });
  });
});

describe('a guard that exists already, and guards less', () => {
  const command = './guard.sh';
  const toGemini = ['--from', 'claude-code', '--to', 'gemini-cli'];
  const toClaude = ['--from', 'llxprt', '--to', 'claude-code'];
  const ofClaude = (hook: object, more: object = {}) =>
    JSON.stringify({ ...more, hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...hook }] }] } });
  const ofOthers = (hook: object, more: object = {}) =>
    JSON.stringify({
      ...more,
      hooks: { BeforeTool: [{ matcher: '^run_shell_command$', hooks: [{ type: 'command', command, ...hook }] }] },
    });
  const on = { tools: { enableHooks: true } };

  test.each([
    ['does not block when it fails', toGemini, ofClaude({ onFailure: 'block' }), ofOthers({}), ['onError']],
    ['is disabled by a list', toGemini, ofClaude({}), ofOthers({}, { hooksConfig: { disabled: [command] } }), ['action']],
    ['is not waited for', toClaude, ofOthers({}, on), ofClaude({ async: true }), ['async']],
    ['is switched off with all others', toClaude, ofOthers({}, on), ofClaude({}, { disableAllHooks: true }), ['action']],
    ['is switched off', toLlxprt, ofClaude({}), ofOthers({}, { tools: { enableHooks: false } }), ['action']],
    ['is not switched on', toLlxprt, ofClaude({}), ofOthers({}), ['action']],
    ['is as good', toLlxprt, ofClaude({ onFailure: 'block' }), ofOthers({ onError: 'block' }, on), []],
    [
      'does not block, where one that asked to run in the background did',
      toGemini,
      ofClaude({ async: true, onFailure: 'block' }),
      ofOthers({}),
      ['onError'],
    ],
    ['is better', toGemini, ofClaude({}), ofOthers({ onError: 'block' }), []],
  ])('one that %s', async (_, args, from, to, fields) => {
    await inPlace(async ({ write, migrate }) => {
      const fileOf = (name: string | undefined) => `project/.${name?.replace(/-c.*/, '')}/settings.json`;
      write(fileOf(args[1]), from);
      write(fileOf(args[3]), to);
      const { stdout } = await migrate(...args, '--json');
      const [hook] = JSON.parse(stdout).hooks;
      expect(hook.state).toBe('present');
      const there = hook.losses.filter(({ message }: { message: string }) => message.startsWith('The target already has this hook, but '));
      expect(there.map(({ field }: { field: string }) => field)).toEqual(fields);
      const text = (await migrate(...args)).stdout;
      expect(text).toContain(fields.length === 0 ? '1 exists already' : '1 exists, but guards less');
      expect(text.includes('      but ')).toBe(fields.length > 0);
    });
  });
});

test.each([
  ['a file', (at: (path: string) => string) => writeFileSync(at('project/.gemini'), '')],
  ['a link to itself', (at: (path: string) => string) => symlinkSync('.gemini', at('project/.gemini'))],
])('where the folder of the settings is %s, that is reported', async (_, make) => {
  await inPlace(async ({ write, migrate, at }) => {
    write(source, claudeSettings);
    make(at);
    const { status, stderr } = await migrate('--from', 'claude-code', '--to', 'gemini-cli', '--write');
    expect(status).toBe(1);
    expect(stderr).toMatch(/was not changed\. The file cannot be read: (ENOTDIR|ELOOP)/);
  });
});

test('what is written cannot be read by others before it is whole', async () => {
  await inPlace(async ({ write, at }) => {
    write(source, claudeSettings);
    const watch = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const { fsyncSync } = fs;
      fs.fsyncSync = (file) => { fs.writeSync(2, 'mode ' + (fs.fstatSync(file).mode & 0o777).toString(8)); fsyncSync(file); };
      syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(write('watch.mjs', watch)).href}` };
    const { stderr } = spawnCli(['migrate', ...toLlxprt, '--write'], { cwd: at('project'), home: at('home'), env });
    expect(stderr).toBe('mode 600');
  });
});
