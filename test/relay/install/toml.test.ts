import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readToml } from '@tenterhook/runtime/toml';
import { runCli } from '../../support/run-cli.js';
import { groups, printing, RelayedAgent } from '../relayed-agent.js';

const own = `model = "m" # mine

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "./mine.sh"
`;

const agent = new RelayedAgent('codex');
const folder = join(agent.home, '.codex');
const [config, json] = [join(folder, 'config.toml'), join(folder, 'hooks.json')];
const install = (...args: readonly string[]) => agent.act('install', '--agent', 'codex', ...args);
const uninstall = (...args: readonly string[]) => agent.act('uninstall', '--agent', 'codex', ...args);
const doctor = async () => JSON.parse((await agent.act('doctor', '--agent', 'codex', '--json')).stdout).findings;
const statusOfUser = async () => {
  const { files } = JSON.parse((await agent.act('status', '--agent', 'codex', '--json')).stdout);
  return files.filter(({ scope }: { readonly scope: string }) => scope === 'user');
};
const text = () => readFileSync(config, 'utf8');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(config, own);
});
afterAll(() => agent.remove());

test('76. settings in TOML with hooks get the entries, and have their first bytes after uninstall', async () => {
  const dry = await install('--dry-run');
  expect(dry).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`Would change ${config}`) });
  expect(dry.stdout).toContain('+[[hooks.PreToolUse.hooks]]');
  expect(text()).toBe(own);
  expect(await install()).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(json)).toBe(false);
  const installed = text();
  expect(installed.startsWith(`${own}# tenterhook relay begin\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\n`)).toBe(true);
  expect(installed.endsWith('# tenterhook relay end\n')).toBe(true);
  const read = readToml(installed) as { readonly value: { readonly hooks: Record<string, readonly { hooks: readonly unknown[] }[]> } };
  expect(read.value.hooks['PreToolUse']?.map(({ hooks }) => hooks)).toEqual([
    [{ type: 'command', command: './mine.sh' }],
    [{ type: 'command', command: `'${agent.client}' codex PreToolUse`, timeout: 65, statusMessage: 'tenterhook' }],
  ]);
  expect(readFileSync(`${config}.tenterhook-backup`, 'utf8')).toBe(own);
  expect(await install()).toMatchObject({ status: 0, stdout: expect.stringContaining('installed already') });
  expect(text()).toBe(installed);
  await install('--on-failure', 'closed');
  expect(text().match(/--closed/g)).toHaveLength(8);
  expect(await statusOfUser()).toEqual([{ agent: 'codex', scope: 'user', file: config, state: 'installed', entries: 8 }]);
  expect(await uninstall()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`Changed ${config}`) });
  expect(text()).toBe(own);
  expect(existsSync(`${config}.tenterhook-backup`)).toBe(false);
  expect(await uninstall()).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing to remove') });
});

test('--trust writes the acceptance into the same file, and uninstall takes out both', async () => {
  await install();
  expect(await doctor()).toContainEqual(
    expect.objectContaining({ state: 'problem', message: expect.stringContaining('does not run 8 of 8 entries') }),
  );
  expect(await install('--trust')).toMatchObject({ status: 0, stderr: '' });
  const trusted = text();
  expect(trusted).toContain(`[hooks.state.${JSON.stringify(`${realpathSync(config)}:pre_tool_use:1:0`)}]`);
  expect(trusted).toContain(`[hooks.state.${JSON.stringify(`${realpathSync(config)}:stop:0:0`)}]`);
  await install('--trust');
  expect(text()).toBe(trusted);
  const findings = await doctor();
  expect(findings.filter(({ state }: { readonly state: string }) => state === 'problem')).toEqual([]);
  expect(findings).toContainEqual(expect.objectContaining({ message: `${config}: all entries answer.` }));
  expect(await statusOfUser()).toMatchObject([{ state: 'installed' }]);
  // Codex itself adds a table before the last comment.
  const project = '[projects."/srv"]\ntrust_level = "trusted"\n';
  writeFileSync(config, trusted.replace(/# tenterhook relay end\n$/, `${project}# tenterhook relay end\n`));
  expect(await statusOfUser()).toMatchObject([{ state: 'installed' }]);
  expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
  expect(text()).toBe(`${own}${project}`);
  await install('--trust');
  await uninstall();
  expect(text()).toBe(`${own}${project}`);
});

test('entries that were edited or moved by hand are found, reported and taken out', async () => {
  await install();
  writeFileSync(
    config,
    `${text()
      .replace(/^# tenterhook relay.*\n/gm, '')
      .replace('timeout = 65', 'timeout = 1')}[tui]\ntheme = "x"\n`,
  );
  expect(await statusOfUser()).toMatchObject([{ state: 'changed', entries: 8 }]);
  expect(await doctor()).toContainEqual(expect.objectContaining({ state: 'note', message: expect.stringContaining('was edited') }));
  expect(await install()).toMatchObject({ status: 0, stderr: '' });
  expect(text()).toMatch(/theme = "x"\n# tenterhook relay begin\n/);
  expect(text().match(/tenterhook-hook/g)).toHaveLength(8);
  await uninstall();
  expect(text()).toBe(`${own}[tui]\ntheme = "x"\n`);
});

test('an entry in an inline table is not cut out of it', async () => {
  const inline = `${own}[[hooks.Stop]]\nhooks = [\n  { type = "command", command = "'${agent.client}' codex Stop" },\n  { type = "command", command = "mine" } ]\n`;
  writeFileSync(config, inline);
  expect(await uninstall()).toMatchObject({ status: 1, stderr: expect.stringContaining('line 10, column 3: an entry of the relay is in') });
  expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('line 10, column 3') });
  expect(text()).toBe(inline);
});

test.each([
  ['hooks.json exists', own, true],
  ['config.toml has no hooks', 'model = "m"\n[hooks.state."/x:stop:0:0"]\nenabled = false\n', false],
])('hooks.json is used if %s', async (_what, settings, isThere) => {
  writeFileSync(config, settings);
  if (isThere) writeFileSync(json, '{}\n');
  expect(await install()).toMatchObject({ status: 0, stderr: '' });
  expect(text()).toBe(settings);
  expect(readFileSync(json, 'utf8')).toContain('tenterhook-hook');
  await uninstall();
  expect(isThere ? readFileSync(json, 'utf8') : existsSync(json)).toBe(isThere ? '{}\n' : false);
});

test('entries stay in config.toml if hooks.json without hooks is created later, and entries in both files are a problem', async () => {
  await install();
  writeFileSync(json, '{}\n');
  expect(await install()).toMatchObject({ status: 0, stdout: expect.stringContaining(`${config}: the entries are installed already`) });
  expect(readFileSync(json, 'utf8')).toBe('{}\n');
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: `'${agent.client}' codex Stop` }] }] };
  writeFileSync(json, JSON.stringify({ hooks }));
  expect(await statusOfUser()).toMatchObject([{ file: json }, { file: config }]);
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      state: 'problem',
      message: `${json} and ${config} both have entries.`,
      remedy: expect.stringContaining('uninstall'),
    }),
  );
  expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining(`${config} has entries too`) });
  expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
  expect(text()).toBe(own);
  expect(readFileSync(json, 'utf8')).not.toContain('tenterhook-hook');
});

const mine = `${JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: './mine.sh' }] }] } })}\n`;
const problems = async () =>
  (await doctor()).filter(({ message }: { readonly message: string }) => /has hooks too|accepts entries/.test(message));
const statusText = async () => (await agent.act('status', '--agent', 'codex')).stdout;

test('if hooks.json gets hooks later, this is reported, and the next installation moves the entries there', async () => {
  await install('--trust');
  const trusted = text();
  expect(await problems()).toEqual([]);
  writeFileSync(json, mine);
  const message = `${config} has the entries, and ${json} has hooks too. Codex warns about hooks in both files.`;
  const remedy = expect.stringContaining(`It moves the entries to ${json}.`);
  expect(await problems()).toEqual([{ about: 'codex', state: 'problem', message, remedy }]);
  expect(await statusText()).toContain(`problem: ${message}`);
  const dry = await install('--trust', '--dry-run');
  expect(dry.stdout).toMatch(/Would change .*hooks\.json:[\s\S]*Would change .*config\.toml:/);
  expect([text(), readFileSync(json, 'utf8')]).toEqual([trusted, mine]);
  expect(await install('--trust')).toMatchObject({ status: 0, stderr: '' });
  expect(await statusOfUser()).toMatchObject([{ file: json, state: 'installed', entries: 8 }]);
  expect(text()).not.toContain('tenterhook-hook');
  expect(text()).not.toContain(realpathSync(config));
  expect(text()).toContain(`[hooks.state.${JSON.stringify(`${realpathSync(json)}:stop:1:0`)}]`);
  expect(await problems()).toMatchObject([{ state: 'note', remedy: `Move your hooks to ${json}.` }]);
  expect(await install('--trust')).toMatchObject({ status: 0, stdout: expect.stringContaining('installed already') });
  await uninstall();
  expect([text(), readFileSync(json, 'utf8')]).toEqual([own, mine]);
});

test('if only config.toml gets hooks later, the entries move there, and hooks.json is removed', async () => {
  writeFileSync(config, 'model = "m"\n');
  await install();
  expect(existsSync(json)).toBe(true);
  writeFileSync(config, own);
  expect(await problems()).toMatchObject([{ state: 'problem', remedy: expect.stringContaining(`to ${config}.`) }]);
  expect(await install()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`Removed ${json}`) });
  expect(existsSync(json)).toBe(false);
  expect(await statusOfUser()).toMatchObject([{ file: config, state: 'installed', entries: 8 }]);
  expect(await problems()).toEqual([]);
  await uninstall();
  expect(text()).toBe(own);
});

test.each([
  ['does not parse', 'x = \n'],
  ['has an entry in an inline table', `[[hooks.Stop]]\nhooks = [ { command = "'${agent.client}' codex Stop" }, { command = "mine" } ]\n`],
])('no entry moves if the file that has them %s', async (_what, more) => {
  await install();
  writeFileSync(config, `${text()}${more}`);
  writeFileSync(json, mine);
  const before = text();
  expect(await install()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/config\.toml is not edited: line \d+/) });
  expect([text(), readFileSync(json, 'utf8')]).toEqual([before, mine]);
});

describe('entries that were taken out of config.toml by hand', () => {
  const byHand = async () => {
    await install('--trust');
    writeFileSync(config, text().replace(/# tenterhook relay begin\n[\s\S]*?# tenterhook relay end\n/, ''));
    expect(text()).toContain('trusted_hash');
    expect(text()).not.toContain('tenterhook-hook');
  };

  test('leave an acceptance, which is reported and which uninstall takes out', async () => {
    await byHand();
    const message = `${config} accepts entries of ${config}, which has none.`;
    expect(await problems()).toMatchObject([{ state: 'note', message, remedy: expect.stringContaining('relay uninstall') }]);
    expect(await statusText()).toContain(message);
    const before = text();
    expect((await uninstall('--dry-run')).stdout).toMatch(/Would change .*config\.toml:[\s\S]*-trusted_hash/);
    expect(text()).toBe(before);
    expect(await uninstall()).toMatchObject({ status: 0, stderr: '' });
    expect(text()).toBe(own);
    expect(await problems()).toEqual([]);
  });

  test('leave an acceptance, which an installation into the other file takes out', async () => {
    await byHand();
    writeFileSync(json, mine);
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(text()).toBe(own);
    expect(await problems()).toMatchObject([{ state: 'note', message: expect.stringContaining('has hooks too') }]);
  });

  test('are installed again', async () => {
    await byHand();
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(await statusOfUser()).toMatchObject([{ file: config, state: 'installed', entries: 8 }]);
    expect(await problems()).toEqual([]);
  });
});

test.each([
  ['does not parse', `${own}x = \n`, /config\.toml is not edited: line 8, column 5/],
  [
    'has hooks in an inline list',
    '[hooks]\nStop = [ { hooks = [ { type = "command", command = "mine" } ] } ]\n',
    /line 2, column 1: .*hooks\.Stop/,
  ],
  ['has an inline table of hooks', 'hooks = { Stop = [ { hooks = [ { command = "mine" } ] } ] }\n', /line 1, column 1: .*\[\[hooks\./],
])('77. a file that %s is not edited', async (_what, settings, message) => {
  writeFileSync(config, settings);
  expect(await install()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(text()).toBe(settings);
  expect(existsSync(json)).toBe(false);
});

test('a broken file with entries is reported by uninstall', async () => {
  await install();
  writeFileSync(config, `${text()}x = \n`);
  const broken = text();
  expect(await uninstall()).toMatchObject({ status: 1, stderr: expect.stringMatching(/is not edited: line \d+, column \d+/) });
  expect(text()).toBe(broken);
});

test('a link stays a link, and its target is in the keys of the acceptance', async () => {
  const target = join(agent.home, 'dotfiles.toml');
  rmSync(config);
  writeFileSync(target, own);
  symlinkSync(target, config);
  expect(await install('--trust')).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(target, 'utf8')).toContain(`[hooks.state.${JSON.stringify(`${realpathSync(target)}:pre_tool_use:1:0`)}]`);
  await uninstall();
  expect(readFileSync(target, 'utf8')).toBe(own);
});

test('entries in the project: the acceptance is in the file of the user', async () => {
  const shared = join(agent.project, '.codex/config.toml');
  mkdirSync(join(agent.project, '.codex'));
  writeFileSync(shared, own);
  expect(await install('--scope', 'project', '--trust')).toMatchObject({ status: 0 });
  expect(readFileSync(shared, 'utf8')).toContain('--project');
  expect(text()).toContain(`# tenterhook relay begin: ${JSON.stringify(realpathSync(shared))}`);
  await install('--trust');
  await uninstall('--scope', 'project');
  expect(readFileSync(shared, 'utf8')).toBe(own);
  await uninstall();
  expect(text()).toBe(own);
  rmSync(join(agent.project, '.codex'), { recursive: true });
});

test('Tenterhook itself skips the entries, and Codex asks its guards through them', async () => {
  await install('--trust');
  const places = { cwd: agent.project, home: agent.home, env: { CODEX_HOME: '' } };
  const { stdout } = await runCli(['explain', 'BeforeTool', '--dialect', 'codex', '--json'], places);
  expect(JSON.parse(stdout).hooks).toMatchObject([{ skipReason: 'untrusted' }, { skipReason: 'relay' }]);
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' } };
  const payload = { session_id: 's', turn_id: 'u', cwd: agent.project, hook_event_name: 'PreToolUse', ...tool };
  const guard = groups('llxprt', 'BeforeTool', printing({ decision: 'deny', reason: 'no' }));
  const { answer, seen } = await agent.runHere('PreToolUse', payload, [guard]);
  expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } });
  expect(seen).toHaveLength(1);
});
