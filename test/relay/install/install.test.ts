import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatNamed, formatNames } from '../../support/formats.js';
import { bin, spawnCli } from '../../support/run-cli.js';
import { groups, RelayedAgent } from '../relayed-agent.js';

/** Each agent, with the file of a user that `relay install` edits. */
const agents = formatNames.flatMap((name) => {
  const { relay } = formatNamed(name);
  return relay === undefined ? [] : [[name, relay] as const];
});

describe.each(agents)('%s', (name, { file: path, strict, own }) => {
  const agent = new RelayedAgent(name);
  const file = join(agent.home, path);
  const install = (...args: readonly string[]) => agent.act('install', '--agent', name, ...args);
  const uninstall = (...args: readonly string[]) => agent.act('uninstall', '--agent', name, ...args);
  const text = () => readFileSync(file, 'utf8');
  beforeEach(() => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, own, { mode: 0o600 });
  });
  afterAll(() => agent.remove());

  test('76. installed twice and taken out again, the file has its first bytes', async () => {
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    const installed = text();
    expect(installed).toContain('tenterhook-hook');
    expect(installed).toContain('mine');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.tenterhook-backup`, 'utf8')).toBe(own);
    expect(await install()).toMatchObject({ status: 0, stdout: expect.stringContaining('installed already') });
    expect(text()).toBe(installed);
    await install('--on-failure', 'closed');
    expect(text()).toContain('--closed');
    expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
    expect(text()).toBe(own);
    expect(existsSync(`${file}.tenterhook-backup`)).toBe(false);
    expect(await uninstall()).toMatchObject({ status: 0, stdout: expect.stringContaining('no entry') });
  });

  test('entries are taken out of a file that was edited since, and the edits stay', async () => {
    await install();
    const edited = text().replace('mine', 'mine --more');
    writeFileSync(file, edited);
    expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
    expect(text()).not.toContain('tenterhook-hook');
    expect(text()).toContain('mine --more');
    const squeezed = (value: string) => value.replace(/\s+/g, '');
    if (name !== 'llxprt') expect(squeezed(text())).toBe(squeezed(own.replace('mine', 'mine --more')));
  });

  test('a second installation over an edited file keeps the first backup, and its entries are taken out again', async () => {
    await install();
    writeFileSync(file, text().replace('mine', 'mine --more'));
    expect(await install('--on-failure', 'closed')).toMatchObject({ status: 0, stderr: '' });
    expect(text()).toContain('--closed');
    expect(readFileSync(`${file}.tenterhook-backup`, 'utf8')).toBe(own);
    expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
    expect(text()).not.toContain('tenterhook-hook');
    expect(text()).toContain('mine --more');
    expect(existsSync(`${file}.tenterhook-backup`)).toBe(false);
  });

  test('doctor finds the entries and gets an answer from each', async () => {
    await install();
    const { findings } = JSON.parse((await agent.act('doctor', '--agent', name, '--json')).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ about: name, message: `${file}: all entries answer.` }));
  });

  test('77. a missing file is made and removed again', async () => {
    rmSync(file);
    await install();
    expect(JSON.parse(text())).toHaveProperty('hooks');
    expect(await uninstall()).toMatchObject({ status: 0 });
    expect(existsSync(file)).toBe(false);
  });

  test('77. a file that the agent would not read is not edited', async () => {
    const broken = strict ? own.replace('{', '{ // note\n') : own.replace('{', '[');
    writeFileSync(file, broken);
    const { status, stderr } = await install();
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/line \d+, column \d+/) });
    expect(text()).toBe(broken);
  });

  test('a file that is not UTF-8 is not edited', async () => {
    const latin = Buffer.concat([Buffer.from(own.trimEnd().replace(/\}$/, '')), Buffer.from(',\n"note": "caf\xe9" }\n', 'latin1')]);
    writeFileSync(file, latin);
    const { status, stderr } = await install();
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/line \d+ is not valid UTF-8/) });
    expect(readFileSync(file).equals(latin)).toBe(true);
  });

  test('78. a dry run shows the changes and writes nothing', async () => {
    const { status, stdout } = await install('--dry-run');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\+.*tenterhook-hook/m) });
    expect(text()).toBe(own);
    expect(existsSync(`${file}.tenterhook-backup`)).toBe(false);
  });
});

test('the program that install writes answers as the command does', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    await agent.act('install', '--agent', 'claude-code', '--on-failure', 'closed');
    const settings = JSON.parse(readFileSync(join(agent.home, '.claude/settings.json'), 'utf8'));
    const [{ hooks }] = settings.hooks.PreToolUse;
    const client = join(agent.home, '.local/share/tenterhook/bin/tenterhook-hook');
    expect(hooks).toEqual([
      {
        type: 'command',
        command: client,
        args: ['claude-code', 'PreToolUse', '--closed'],
        timeout: 65,
        onFailure: 'block',
        statusMessage: 'tenterhook',
      },
    ]);
    expect(agent.program(client, hooks[0].args, 'not json')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"permissionDecision":"deny"'),
    });
  } finally {
    agent.remove();
  }
});

test('a link stays a link, and status names what is there', async () => {
  const agent = new RelayedAgent('gemini-cli');
  try {
    const [link, file] = [join(agent.home, '.gemini/settings.json'), join(agent.home, 'dotfiles.json')];
    mkdirSync(dirname(link));
    writeFileSync(file, '{}\n');
    symlinkSync(file, link);
    await agent.act('install', '--agent', 'gemini-cli');
    expect(readFileSync(file, 'utf8')).toContain('tenterhook-hook');
    const { files } = JSON.parse((await agent.act('status', '--json')).stdout);
    expect(files).toContainEqual(expect.objectContaining({ agent: 'gemini-cli', scope: 'user', state: 'installed', entries: 8 }));
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    const changed = JSON.parse((await agent.act('status', '--json')).stdout).files;
    expect(changed).toContainEqual(expect.objectContaining({ agent: 'gemini-cli', scope: 'user', state: 'changed', entries: 8 }));
    await agent.act('uninstall', '--agent', 'gemini-cli');
    expect(readFileSync(link, 'utf8').trim()).toBe('{}');
  } finally {
    agent.remove();
  }
});

test('a file of our own is removed again by another person than the one that installed it', async () => {
  const agent = new RelayedAgent('copilot');
  try {
    const file = join(agent.project, '.github/hooks/tenterhook.json');
    await agent.act('install', '--agent', 'copilot', '--scope', 'project');
    rmSync(join(agent.home, 'state'), { recursive: true });
    expect(await agent.act('uninstall', '--agent', 'copilot', '--scope', 'project')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(file)).toBe(false);
  } finally {
    agent.remove();
  }
});

test('a link to a file that does not exist is reported', async () => {
  const agent = new RelayedAgent('gemini-cli');
  try {
    const link = join(agent.home, '.gemini/settings.json');
    mkdirSync(dirname(link));
    symlinkSync(join(agent.home, 'nowhere.json'), link);
    const { status, stderr } = await agent.act('install', '--agent', 'gemini-cli');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('a link to a file that does not exist') });
  } finally {
    agent.remove();
  }
});

test('a settings file of a project that is a device is not read', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const file = join(agent.project, '.claude/settings.json');
    mkdirSync(dirname(file));
    symlinkSync('/dev/zero', file);
    const { status, stderr } = await agent.act('install', '--agent', 'claude-code', '--scope', 'project');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('not a regular file') });
    expect((await agent.act('status')).stdout).toContain('claude-code (project): not installed');
  } finally {
    agent.remove();
  }
});

test('without a place for its own files, install reports it and leaves the settings as they are', async () => {
  const agent = new RelayedAgent('gemini-cli');
  try {
    const [file, state] = [join(agent.home, '.gemini/settings.json'), join(agent.home, 'state')];
    mkdirSync(dirname(file));
    writeFileSync(file, '{}\n');
    const install = async () => {
      const { status, stdout, stderr } = await agent.act('install', '--agent', 'gemini-cli');
      expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(state) });
      expect(readFileSync(file, 'utf8')).toBe('{}\n');
    };
    writeFileSync(state, '');
    await install();
    rmSync(state);
    mkdirSync(join(state, 'tenterhook'), { recursive: true });
    writeFileSync(join(state, 'tenterhook/relay'), '');
    await install();
  } finally {
    agent.remove();
  }
});

test('the entries repeat what the list of guards says about failures', async () => {
  const agent = new RelayedAgent('cursor');
  try {
    const file = join(agent.home, '.cursor/hooks.json');
    agent.list([], { agents: { cursor: { onFailure: 'closed' } } });
    await agent.act('install', '--agent', 'cursor');
    const [entry] = JSON.parse(readFileSync(file, 'utf8')).hooks.preToolUse;
    expect(entry).toMatchObject({ command: expect.stringContaining('--closed'), failClosed: true });
    await agent.act('install', '--agent', 'cursor', '--on-failure', 'open');
    expect(readFileSync(file, 'utf8')).not.toContain('--closed');
    const { findings } = JSON.parse((await agent.act('doctor', '--agent', 'cursor', '--json')).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ state: 'problem', message: expect.stringContaining('have no --closed') }));
    await agent.act('install', '--agent', 'cursor', '--scope', 'project');
    expect(readFileSync(join(agent.project, '.cursor/hooks.json'), 'utf8')).not.toContain('--closed');
  } finally {
    agent.remove();
  }
});

test('install says for each event what the agent cannot carry out, and names the guards', async () => {
  const agent = new RelayedAgent('cursor');
  try {
    const guard = groups('llxprt', 'BeforeTool', 'true', { name: 'no-rm' });
    agent.list([guard]);
    const lines = async (...args: readonly string[]) => {
      const { stdout } = await agent.act('install', '--agent', 'cursor', ...args);
      const [, losses = ''] = stdout.split('What Cursor cannot carry out:\n');
      return new Map(losses.split('\n').map((line) => [line.trim().split(' ')[0], line] as const));
    };
    const usual = await lines();
    // Only preToolUse can rewrite, although both are events before a tool.
    expect(usual.get('preToolUse')).not.toContain('rewritten');
    expect(usual.get('beforeShellExecution')).toMatch(/ask the user .*have its arguments rewritten \(such a call is denied\).*no-rm/);
    expect(usual.get('beforeSubmitPrompt')).toContain('(such a prompt is denied)');
    expect(usual.get('beforeSubmitPrompt')).not.toContain('guards');
    const other = await lines('--ask', 'native', '--on-loss', 'warn');
    expect(other.get('beforeShellExecution')).not.toContain('ask the user');
    expect(other.get('beforeShellExecution')).not.toContain('is denied');
    agent.list(
      Array.from({ length: 7 }, () => guard),
      { onLoss: 'warn' },
    );
    expect((await lines()).get('beforeShellExecution')).toMatch(/have its arguments rewritten; .* and 2 more$/);
  } finally {
    agent.remove();
  }
});

test('a link with the name of the backup is replaced and removed, and its target stays', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const [file, target] = [join(agent.project, '.claude/settings.json'), join(agent.home, 'profile')];
    const backup = `${file}.tenterhook-backup`;
    const shared = ['--agent', 'claude-code', '--scope', 'project'];
    mkdirSync(dirname(file));
    writeFileSync(file, '{ "model": "m" }\n');
    writeFileSync(target, 'of the user\n');
    symlinkSync(target, backup);
    expect(await agent.act('install', ...shared)).toMatchObject({ status: 0 });
    expect(readFileSync(target, 'utf8')).toBe('of the user\n');
    expect(lstatSync(backup).isFile()).toBe(true);
    expect(readFileSync(backup, 'utf8')).toBe('{ "model": "m" }\n');
    rmSync(backup);
    symlinkSync(target, backup);
    expect(await agent.act('uninstall', ...shared)).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toBe('{ "model": "m" }\n');
    expect(readFileSync(target, 'utf8')).toBe('of the user\n');
    expect(readdirSync(dirname(file))).toEqual(['settings.json']);
  } finally {
    agent.remove();
  }
});

test('entries of the scopes project and local have --project, those of the user have not', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const wordsOf = async (scope: string, path: string) => {
      await agent.act('install', '--agent', 'claude-code', '--scope', scope, '--events', 'PreToolUse');
      const [{ hooks }] = JSON.parse(readFileSync(join(agent.home, path), 'utf8')).hooks.PreToolUse;
      return hooks[0].args ?? hooks[0].command.split(' ');
    };
    expect(await wordsOf('user', '.claude/settings.json')).not.toContain('--project');
    expect(await wordsOf('local', 'app/.claude/settings.local.json')).toContain('--project');
    expect(await wordsOf('project', 'app/.claude/settings.json')).toContain('--project');
  } finally {
    agent.remove();
  }
});

test('in a folder of a repository, the project is the repository', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const cwd = join(agent.project, 'src/deep');
    mkdirSync(cwd, { recursive: true });
    mkdirSync(join(agent.project, '.git'));
    const act = (...args: readonly string[]) => spawnCli(['relay', ...args, '--agent', 'claude-code'], { cwd, home: agent.home });
    expect(await act('install', '--scope', 'local')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(agent.project, '.claude/settings.local.json'))).toBe(true);
    expect((await act('status')).stdout).toMatch(/claude-code \(local\): \d+ entries/);
    expect((await act('uninstall', '--scope', 'local')).stdout).toContain('Removed');
    await act('install', '--scope', 'local', '--cwd', '.');
    expect(existsSync(join(cwd, '.claude/settings.local.json'))).toBe(true);
  } finally {
    agent.remove();
  }
});

test('a project file that is the file of the user is not edited', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    mkdirSync(join(agent.home, '.git'));
    const { status, stderr } = await agent.act('install', '--agent', 'claude-code', '--scope', 'project');
    expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining(`is that of the user: ${agent.home}`) });
    expect(existsSync(join(agent.home, '.claude'))).toBe(false);
  } finally {
    agent.remove();
  }
});

test('entries of a project start the program from PATH, and install warns if it is not there', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const folder = dirname(agent.client);
    const install = (path: string, ...more: readonly string[]) => {
      const words = ['relay', 'install', '--agent', 'claude-code', '--scope', 'project', ...more];
      return agent.program(process.execPath, [bin, ...words], '', { PATH: path });
    };
    const { status, stderr } = await install('/usr/bin:/bin');
    expect(status).toBe(0);
    expect(stderr).toContain('warning: The entries of');
    expect(stderr).toContain('asks no guard');
    expect(stderr).toContain(`Add ${folder} to the PATH`);
    expect((await install('/usr/bin:/bin', '--on-failure', 'closed')).stderr).toContain('command not found');
    expect(await install(`${folder}:/usr/bin:/bin`)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('uninstall --agent claude-code --scope project'),
      stderr: '',
    });
  } finally {
    agent.remove();
  }
});

test.each([
  ['codex', 'Codex'],
  ['llxprt', 'LLxprt Code'],
])('--ask native is refused for %s, which cannot ask', async (name, title) => {
  const agent = new RelayedAgent(name);
  const { status, stderr } = await agent.act('install', '--agent', name, '--ask', 'native');
  expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining(`--ask native: ${title} cannot ask from a hook`) });
  agent.remove();
});

test.each(['./wrapper.sh', 'env A=1 tenterhook-hook', 'tenterhook relay run'])(
  '--command is refused for %s, whose entries nothing would find again',
  async (command) => {
    const agent = new RelayedAgent('copilot');
    const { status, stderr } = await agent.act('install', '--agent', 'copilot', '--command', command);
    expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining('--command') });
    agent.remove();
  },
);
