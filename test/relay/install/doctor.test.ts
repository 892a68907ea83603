import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { bin } from '../../support/run-cli.js';
import { groups, printing, RelayedAgent } from '../relayed-agent.js';

interface Finding {
  readonly about: string;
  readonly state: string;
  readonly message: string;
  readonly remedy?: string;
}

/** What `relay doctor` finds, but for what is as it should be. */
async function findingsOf(agent: RelayedAgent): Promise<{ readonly status: number | null; readonly findings: readonly Finding[] }> {
  const { status, stdout } = await agent.act('doctor', '--agent', agent.agent, '--json');
  return { status, findings: (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ state }) => state !== 'ok') };
}

const finding = (state: string, message: string, remedy?: string) =>
  expect.objectContaining({
    state,
    message: expect.stringContaining(message),
    ...(remedy === undefined ? {} : { remedy: expect.stringContaining(remedy) }),
  });
const problem = (message: string, remedy?: string) => finding('problem', message, remedy);
const note = (message: string, remedy?: string) => finding('note', message, remedy);

describe('an installation', () => {
  const agent = new RelayedAgent('claude-code');
  const file = join(agent.home, '.claude/settings.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  beforeEach(async () => {
    rmSync(file, { force: true });
    await agent.act('install', '--agent', 'claude-code');
  });
  afterAll(() => agent.remove());

  test('that is as it should be has no problem, and its guards do not run', async () => {
    agent.list([groups('llxprt', 'BeforeTool', printing({ decision: 'deny' }))]);
    const { status, findings } = await findingsOf(agent);
    expect({ status, problems: findings.filter(({ state }) => state === 'problem') }).toEqual({ status: 0, problems: [] });
    expect(existsSync(join(agent.home, 'seen'))).toBe(false);
  });

  test('with an entry too many and one too few', async () => {
    const { hooks } = read();
    hooks.PreToolUse.push(hooks.PreToolUse[0]);
    hooks.Stop = undefined;
    writeFileSync(file, JSON.stringify({ hooks }));
    const { status, findings } = await findingsOf(agent);
    expect(status).toBe(1);
    expect(findings).toContainEqual(problem('two entries for PreToolUse'));
    expect(findings).toContainEqual(note('no entry for Stop'));
    expect(findings).toContainEqual(note('was edited'));
  });

  test('that the agent would not read', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ // mine\n'));
    expect((await findingsOf(agent)).findings).toContainEqual(problem('line 1, column'));
  });

  test('with a deadline in the wrong unit, and one below that of a guard', async () => {
    const { hooks } = read();
    hooks.PreToolUse[0].hooks[0].timeout = 0.065;
    hooks.PostToolUse[0].hooks[0].timeout = 10;
    writeFileSync(file, JSON.stringify({ hooks }));
    agent.list([groups('llxprt', 'AfterTool', printing({}), { timeout: 30_000 })]);
    const { findings } = await findingsOf(agent);
    expect(findings).toContainEqual(problem('waits 65 ms on PreToolUse'));
    expect(findings).toContainEqual(problem('a guard may take 30000 ms'));
  });

  test('that a setting switches off', async () => {
    writeFileSync(file, JSON.stringify({ ...read(), disableAllHooks: true }));
    expect((await findingsOf(agent)).findings).toContainEqual(problem('disableAllHooks'));
  });

  test('with hooks of the agent that run at the same time as the entries', async () => {
    const { hooks } = read();
    expect((await findingsOf(agent)).findings).not.toContainEqual(note('do not end before'));
    hooks.PreToolUse.push({ matcher: 'Bash', hooks: [{ type: 'command', command: 'later.sh' }] });
    writeFileSync(file, JSON.stringify({ hooks }, null, 2));
    const [later, ...others] = (await findingsOf(agent)).findings.filter(({ message }) => message.includes('do not end before'));
    expect({ later, others }).toEqual({
      later: note(`the entry for PreToolUse: "later.sh" (${file}:`, 'Let the relay run'),
      others: [],
    });
  });

  test('next to a directory with the name of a settings file', async () => {
    mkdirSync(join(agent.project, '.claude/settings.json'), { recursive: true });
    const { status, findings } = await findingsOf(agent);
    expect(status).toBe(1);
    expect(findings).toContainEqual(problem('settings.json cannot be read (not a regular file)'));
    rmSync(join(agent.project, '.claude'), { recursive: true });
  });

  test('whose program is missing, or does not answer', async () => {
    rmSync(agent.client);
    const missing = await findingsOf(agent);
    expect(missing.status).toBe(1);
    expect(missing.findings).toContainEqual(problem('does not exist'));
    writeFileSync(agent.client, '#!/bin/sh\necho other\n', { mode: 0o755 });
    expect((await findingsOf(agent)).findings).toContainEqual(problem('does not answer as expected'));
    rmSync(agent.client);
  });

  test('whose program may not be executed, until it is installed again', async () => {
    chmodSync(agent.client, 0o644);
    expect((await findingsOf(agent)).findings).toContainEqual(problem('is not executable', 'relay install'));
    await agent.act('install', '--agent', 'claude-code');
    expect((await findingsOf(agent)).status).toBe(0);
  });

  test('with guards of the project that are not trusted', async () => {
    mkdirSync(join(agent.project, '.tenterhook'));
    const guard = groups('llxprt', 'BeforeTool', printing({}));
    writeFileSync(join(agent.project, '.tenterhook/relay.json'), JSON.stringify({ guards: [guard] }));
    expect((await findingsOf(agent)).findings).toContainEqual(note('not trusted them', `tenterhook relay trust '${agent.project}'`));
    rmSync(join(agent.project, '.tenterhook'), { recursive: true });
  });
});

test.each(['copilot', 'cursor', 'codex'])('--ci lists what is different for %s without a person', async (name) => {
  const agent = new RelayedAgent(name);
  try {
    await agent.act('install', '--agent', name);
    const notes = async (...flags: string[]) => {
      const { findings } = JSON.parse((await agent.act('doctor', '--agent', name, '--json', ...flags)).stdout) as { findings: Finding[] };
      return findings.map(({ message }) => message);
    };
    const usual = await notes();
    const more = (await notes('--ci')).filter((message) => !usual.includes(message));
    expect(more).toEqual(defaultDialects().find((dialect) => dialect.name === name)?.relay?.unattended);
    expect(more.length).toBeGreaterThan(0);
  } finally {
    agent.remove();
  }
});

test('a later hook of Copilot may outweigh a deny, also one in another file of its folder', async () => {
  const agent = new RelayedAgent('copilot');
  try {
    await agent.act('install', '--agent', 'copilot');
    const hooks = { PreToolUse: [{ type: 'command', bash: './allows.sh' }] };
    writeFileSync(join(agent.home, '.copilot/hooks/zz.json'), JSON.stringify({ version: 1, hooks }));
    expect((await findingsOf(agent)).findings).toContainEqual(note('may outweigh a deny of your guards'));
  } finally {
    agent.remove();
  }
});

describe('settings of a project', () => {
  const agent = new RelayedAgent('claude-code');
  const file = join(agent.project, '.claude/settings.json');
  const started = join(agent.home, 'started');
  const writeEntry = (hook: object) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } }));
  };
  const doctor = (path: string) => {
    const { stdout } = agent.program(process.execPath, [bin, 'relay', 'doctor', '--agent', 'claude-code', '--json'], '', { PATH: path });
    return (JSON.parse(stdout) as { findings: Finding[] }).findings;
  };
  const usual = '/usr/bin:/bin';
  beforeAll(() => {
    mkdirSync(join(agent.project, 'x'));
    writeFileSync(join(agent.project, 'x/tenterhook-hook'), `#!/bin/sh\necho > '${started}'\n`, { mode: 0o755 });
    agent.installClient();
  });
  afterAll(() => agent.remove());

  test.each([
    [{ command: './x/tenterhook-hook', args: ['claude-code', 'PreToolUse'] }, './x/tenterhook-hook'],
    [{ command: './x/tenterhook-hook claude-code PreToolUse' }, './x/tenterhook-hook'],
    [{ command: 'command -v tenterhook-hook x; exec x/tenterhook-hook claude-code PreToolUse' }, 'It must be for claude-code'],
  ])('cannot make doctor start a program of the repository: %j', (hook, message) => {
    writeEntry(hook);
    const findings = doctor(usual);
    expect(existsSync(started)).toBe(false);
    expect(findings).toContainEqual(problem(message, 'Run tenterhook relay install --agent claude-code --scope project.'));
  });

  test('cannot make doctor control the daemon', () => {
    writeEntry({ command: agent.client, args: ['tenterhook', 'stop'] });
    expect(doctor(usual)).toContainEqual(problem('is for the agent "tenterhook"'));
  });

  test('start the program from an absolute directory of PATH alone', async () => {
    await agent.act('install', '--agent', 'claude-code', '--scope', 'project');
    for (const path of ['x', '', '.']) {
      const findings = doctor([path, usual].join(delimiter));
      expect(findings).toContainEqual(problem('in no absolute directory of PATH'));
    }
    expect(existsSync(started)).toBe(false);
    expect(doctor([dirname(agent.client), usual].join(delimiter)).filter(({ state }) => state === 'problem')).toEqual([]);
  });
});

test('a directory that the user names is the project, also below a repository', async () => {
  const agent = new RelayedAgent('claude-code');
  try {
    const inner = join(agent.project, 'inner');
    mkdirSync(join(agent.project, '.git'));
    mkdirSync(join(inner, '.tenterhook'), { recursive: true });
    const guard = groups('llxprt', 'BeforeTool', printing({}));
    writeFileSync(join(inner, '.tenterhook/relay.json'), JSON.stringify({ guards: [guard] }));
    await agent.act('install', '--agent', 'claude-code');
    const { stdout } = await agent.act('doctor', '--agent', 'claude-code', '--json', '--cwd', 'inner');
    const remedies = (JSON.parse(stdout) as { findings: Finding[] }).findings.map(({ remedy }) => remedy);
    expect(remedies).toContain(`Run tenterhook relay trust '${inner}'.`);
  } finally {
    agent.remove();
  }
});

test('an agent without entries', async () => {
  const agent = new RelayedAgent('gemini-cli');
  const { status, findings } = await findingsOf(agent);
  agent.remove();
  expect(status).toBe(1);
  expect(findings).toContainEqual(problem('is not installed'));
});

test('81. Codex runs entries only if its user has accepted them, and --trust does', async () => {
  const agent = new RelayedAgent('codex');
  try {
    const config = join(agent.home, '.codex/config.toml');
    mkdirSync(join(agent.home, '.codex'));
    writeFileSync(config, 'model = "m"\n');
    await agent.act('install', '--agent', 'codex');
    expect((await findingsOf(agent)).findings).toContainEqual(problem('you have not accepted them'));
    expect(await agent.act('install', '--agent', 'codex', '--trust')).toMatchObject({ status: 0, stderr: '' });
    expect(await findingsOf(agent)).toMatchObject({ status: 0 });
    expect(readFileSync(config, 'utf8')).toMatch(/^model = "m"\n# tenterhook relay begin[\s\S]*trusted_hash = "sha256:[0-9a-f]{64}"/);
    // A second time changes nothing.
    const accepted = readFileSync(config, 'utf8');
    await agent.act('install', '--agent', 'codex', '--trust');
    expect(readFileSync(config, 'utf8')).toBe(accepted);
    expect(await agent.act('uninstall', '--agent', 'codex')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(config, 'utf8')).toBe('model = "m"\n');
  } finally {
    agent.remove();
  }
});

test('Codex runs no entry that another group has moved since it was accepted', async () => {
  const agent = new RelayedAgent('codex');
  try {
    const file = join(agent.home, '.codex/hooks.json');
    await agent.act('install', '--agent', 'codex', '--trust');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.hooks.PreToolUse.unshift({ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] });
    writeFileSync(file, JSON.stringify(settings));
    expect((await findingsOf(agent)).findings).toContainEqual(problem('does not run 1 of 8 entries'));
    await agent.act('install', '--agent', 'codex', '--trust');
    expect(await findingsOf(agent)).toMatchObject({ status: 0 });
  } finally {
    agent.remove();
  }
});

test('uninstall takes out the acceptance of entries that were removed by hand', async () => {
  const agent = new RelayedAgent('codex');
  try {
    const [config, file] = [join(agent.home, '.codex/config.toml'), join(agent.home, '.codex/hooks.json')];
    mkdirSync(join(agent.home, '.codex'));
    writeFileSync(config, 'model = "m"\n');
    const act = (action: string, ...args: readonly string[]) => agent.act(action, '--agent', 'codex', ...args);
    for (const edit of [() => writeFileSync(file, '{ "description": "mine" }'), () => rmSync(file)]) {
      await act('install', '--trust');
      edit();
      const { status, stdout } = await act('uninstall', '--dry-run');
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/Would change .*config\.toml:[\s\S]*-trusted_hash/) });
      expect(readFileSync(config, 'utf8')).toContain('trusted_hash');
      expect(await act('uninstall')).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(config, 'utf8')).toBe('model = "m"\n');
    }
  } finally {
    agent.remove();
  }
});

test('--trust keeps the settings of Codex valid if Codex itself has accepted entries', async () => {
  const agent = new RelayedAgent('codex');
  try {
    const [config, file] = [join(agent.home, '.codex/config.toml'), join(agent.home, '.codex/hooks.json')];
    const install = () => agent.act('install', '--agent', 'codex', '--trust');
    const tables = () => [...readFileSync(config, 'utf8').matchAll(/^\[.*pre_tool_use.*\]$/gm)];
    await install();
    const [first = ''] = /^\[hooks\.state\..*pre_tool_use.*\]\n.*\n/m.exec(readFileSync(config, 'utf8')) ?? [];
    // Codex writes the same table if its user accepts the entry there.
    writeFileSync(config, first);
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(tables()).toHaveLength(1);
    expect(await findingsOf(agent)).toMatchObject({ status: 0 });
    await agent.act('uninstall', '--agent', 'codex');
    expect(readFileSync(config, 'utf8')).toBe(first);

    const other = first.replace(/sha256:\w+/, 'sha256:0');
    writeFileSync(config, other);
    expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('another version of the entry') });
    expect(readFileSync(config, 'utf8')).toBe(other);
    expect(existsSync(file)).toBe(false);
    writeFileSync(config, 'model = \n');
    expect(await install()).toMatchObject({ status: 1, stderr: expect.stringMatching(/config\.toml is not edited: line 1/) });
  } finally {
    agent.remove();
  }
});

test('--events guards installs the entries for the events that have a guard', async () => {
  const agent = new RelayedAgent('gemini-cli');
  try {
    agent.list([]);
    expect(await agent.act('install', '--agent', 'gemini-cli', '--events', 'guards')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no guard'),
    });
    agent.list([groups('llxprt', 'BeforeTool', printing({})), groups('llxprt', 'BeforeModel', printing({}))]);
    expect(await agent.act('install', '--agent', 'gemini-cli', '--events', 'guards')).toMatchObject({ status: 0, stderr: '' });
    const { hooks } = JSON.parse(readFileSync(join(agent.home, '.gemini/settings.json'), 'utf8'));
    expect(Object.keys(hooks).sort()).toEqual(['BeforeModel', 'BeforeTool']);
  } finally {
    agent.remove();
  }
});
