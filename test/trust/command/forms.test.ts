import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { run } from '../../../packages/tenterhook/src/cli/run.js';
import type { Places } from '../../support/places.js';
import { acceptAll, callTool, denying, guard, statesIn, withRepository } from '../repository.js';
import { environmentOf, openTerminal, runTrust } from './terminal.js';

const project = 'project/.claude/settings.json';
const gemini = (...hooks: readonly object[]) => ({
  hooks: { BeforeTool: [{ hooks: hooks.map((hook) => ({ type: 'command', ...hook })) }] },
});

/** Three hooks of the project: one is trusted, one was and has changed, one is new. And one of the user. */
async function withHooksInEachState(
  use: (places: Places, discover: Parameters<Parameters<typeof withRepository>[0]>[1]) => Promise<void>,
): Promise<void> {
  await withRepository(async (places, discover) => {
    const script = places.write('project/.hooks/guard.sh', denying('guarded'), 0o755);
    const settings = (...more: readonly object[]) =>
      gemini({ name: 'trusted', command: 'echo 1' }, { name: 'guard', command: './.hooks/guard.sh' }, ...more);
    places.write('project/.gemini/settings.json', settings());
    places.write('home/.claude/settings.json', guard('echo mine'));
    await discover(acceptAll);
    places.write('project/.gemini/settings.json', settings({ name: 'added', command: 'echo 3' }));
    writeFileSync(script, '#!/bin/sh\nexit 0\n');
    await use(places, discover);
  });
}

test('--show shows all hooks with their states and reasons, and writes nothing', () =>
  withHooksInEachState(async (places) => {
    const { status, stdout, stderr } = await runTrust(['--show'], places);
    expect([status, stderr]).toEqual([0, '']);
    for (const shown of [
      /^Hooks of .*\/project$/m,
      /● gemini-cli\/project\/BeforeTool\/trusted {2}trusted on \d{4}-\d\d-\d\d in the agent/,
      /○ gemini-cli\/project\/BeforeTool\/guard {2}changed\n[\s\S]*since +it was trusted on [\d-]+, and the file "\.hooks\/guard\.sh" has changed since/,
      /○ gemini-cli\/project\/BeforeTool\/added {2}new\n/,
      /Other hooks\n● claude-code\/user\/BeforeTool\/0\.0 {2}trusted\n {4}the hook needs no decision/,
      /^1 trusted, 1 new, 1 changed\. To decide: tenterhook trust\.$/m,
    ])
      expect(stdout).toMatch(shown);
    expect((await runTrust(['--show', '--exit-code'], places)).status).toBe(2);
    const one = await runTrust(['--show', 'trusted'], places);
    expect(one.stdout).not.toContain('guard');
  }));

test('--show --json is one document for programs', () =>
  withHooksInEachState(async (places) => {
    const { stdout } = await runTrust(['--json'], places);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const { hooks, ...rest } = JSON.parse(stdout) as { hooks: Record<string, unknown>[] };
    expect(rest).toEqual({ project: places.project, store: places.at('state/tenterhook/trust'), diagnostics: [] });
    expect(hooks.map(({ state }) => state)).toEqual(['trusted', 'changed', 'new', 'trusted']);
    expect(hooks[0]).toMatchObject({ pin: expect.stringMatching(/^[0-9a-f]{64}$/), decided: { by: 'host' }, reason: '' });
    expect(hooks[1]).toMatchObject({
      hookIds: ['gemini-cli/project/BeforeTool/guard'],
      files: [{ path: '.hooks/guard.sh', bytes: 17, executable: true }],
      before: { definition: expect.anything() },
    });
  }));

test('--exit-code is 0 where everything is decided, also by a no', () =>
  withRepository(async (places) => {
    places.write('project/.gemini/settings.json', gemini({ name: 'a', command: 'echo 1' }, { name: 'b', command: 'echo 2' }));
    const terminal = openTerminal(['--exit-code'], places);
    await terminal.screen();
    await terminal.answer('y');
    expect((await runTrust(['--show', '--exit-code'], places)).status).toBe(2);
    await terminal.answer('n');
    expect(await terminal.status).toBe(0);
    expect((await runTrust(['--show', '--exit-code'], places)).status).toBe(0);
  }));

test('--diff shows what changed since a hook was trusted: settings, variables, files and what is open', () =>
  withRepository(async (places, discover) => {
    const settings = (command: string, more: object = {}, fields: object = {}) => ({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...fields }] }] },
      ...more,
    });
    places.write('project/.hooks/guard.sh', '#!/bin/sh\n. ./lib.sh\nexit 2\n', 0o755);
    places.write('project/.hooks/old.sh', 'echo old\n');
    places.write('project/.hooks/data.bin', 'a\0b');
    places.write(project, settings('./.hooks/guard.sh', { env: { LEVEL: '1', KEPT: 'x' } }));
    await discover(acceptAll);
    expect((await runTrust(['--diff'], places)).stdout).toBe('No hook has changed since it was trusted.\n');
    places.write(project, settings('./.hooks/guard.sh; npm run x', { env: { LEVEL: '2', KEPT: 'x', PATH: '/x' } }, { timeout: 1 }));
    places.write('project/.hooks/guard.sh', '#!/bin/sh\n. ./lib.sh\nexit 0\n', 0o644);
    places.write('project/.hooks/new.sh', 'echo new\n');
    places.write('project/.hooks/data.bin', 'a\0c');
    rmSync(places.at('project/.hooks/old.sh'));
    const { status, stdout } = await runTrust(['--diff', 'claude-code/project/BeforeTool/0.0'], places);
    expect(status).toBe(0);
    for (const shown of [
      /^claude-code\/project\/BeforeTool\/0\.0 {2}changed\n {2}Compared with what was trusted on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\n/,
      / {2}settings action\.command\.text\n {4}- \.\/\.hooks\/guard\.sh\n {4}\+ \.\/\.hooks\/guard\.sh; npm run x\n/,
      / {2}settings timeoutMs\n {4}- null\n {4}\+ 1000\n/,
      / {2}variable LEVEL\n {4}- 1\n {4}\+ 2\n {2}variable PATH\n {4}\+ \/x\n/,
      / {2}file \.hooks\/data\.bin {2}has changed\n {4}The file is not a text/,
      / {2}file \.hooks\/guard\.sh {2}is no longer executable\n {4}@ line 1\n {6}#!\/bin\/sh\n {6}\. \.\/lib\.sh\n {4}- exit 2\n {4}\+ exit 0\n/,
      / {2}file \.hooks\/new\.sh {2}was added\n {4}@ line 1\n {4}\+ echo new\n/,
      / {2}file \.hooks\/old\.sh {2}is no longer used by the hook\n {4}@ line \d\n {4}- echo old\n/,
      / {2}not listed\n {4}\+ .*npm/,
    ])
      expect(stdout).toMatch(shown);
    expect(stdout).not.toContain('KEPT');
  }));

test('--diff says that an earlier content was not kept', () =>
  withRepository(async (places, discover) => {
    const large = `#!/bin/sh\n# ${'x'.repeat(256 * 1024)}\n`;
    places.write('project/guard.sh', large, 0o755);
    places.write(project, guard('./guard.sh'));
    await discover(acceptAll);
    places.write('project/guard.sh', `${large}exit 0\n`, 0o755);
    expect((await runTrust(['--diff'], places)).stdout).toContain(
      'file guard.sh  has changed\n    The earlier content of the file was not kept, so there is no diff. Files of more than 256 KiB are not kept.\n',
    );
  }));

test('--revoke removes one decision, by the hook, by its name, by its pin, or after the hook is gone', () =>
  withHooksInEachState(async (places, discover) => {
    expect((await runTrust(['--revoke', 'trusted'], places)).stdout).toMatch(/^Removed the decision about trusted\./);
    // Of a hook that has changed, it is the earlier decision.
    expect((await runTrust(['--revoke', 'gemini-cli/project/BeforeTool/guard'], places)).status).toBe(0);
    await discover(async (scene) => {
      expect(statesIn(scene)).toEqual([undefined, 'new', 'new', 'new']);
      await acceptAll(scene);
    });
    places.write('project/.gemini/settings.json', {});
    expect((await runTrust(['--revoke', 'guard'], places)).status).toBe(0);
    const misspelt = await runTrust(['--revoke', 'addedd'], places);
    expect([misspelt.status, misspelt.stderr]).toEqual([
      64,
      expect.stringContaining('Nothing was decided about "addedd". Did you mean "added"?'),
    ]);
    const { stderr } = await runTrust(['--revoke'], places);
    const pin = /added \(([0-9a-f]{12})\)/.exec(stderr)?.[1] ?? '';
    expect((await runTrust(['--revoke', pin], places)).stdout).toMatch(/^Removed the decision about added\./);
  }));

test('--revoke --all, and --revoke --project of a project whose directory is gone', () =>
  withRepository(async (places, discover) => {
    places.write('project/.gemini/settings.json', gemini({ name: 'a', command: 'echo 1' }, { name: 'b', command: 'echo 2' }));
    await discover(acceptAll);
    expect((await runTrust(['--revoke', '--all'], places)).stdout).toMatch(/^2 decisions about .*project were removed/);
    expect((await runTrust(['--revoke', '--all'], places)).stdout).toMatch(/^There are no decisions about .*project\.\n$/);
    await discover(acceptAll);
    rmSync(places.project, { recursive: true });
    mkdirSync(places.at('elsewhere'));
    const given = ['--cwd', places.at('elsewhere'), '--revoke', '--project', places.project];
    expect((await runTrust(given, places)).stdout).toMatch(/^2 decisions about .*project were removed/);
  }));

test('case 34: what the command revokes does not run in another process from the next event on', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('cat > /dev/null; echo guarded >&2; exit 2'));
    await discover(async (scene) => {
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
      await runTrust(['--revoke', '--all'], places);
      expect((await callTool(scene)).kind).toBe('none');
      // What the command accepts counts after a reload.
      await openTerminal([], places).answer('y');
      expect((await callTool(scene)).kind).toBe('none');
      await scene.hooks.reload();
      expect((await callTool(scene)).kind).toBe('deny');
    });
  }));

test('--pins prints the pins for --trust-pins, which then count', () =>
  withRepository(async (places) => {
    for (const name of ['one', 'two'])
      places.write(
        `project/.${name === 'one' ? 'claude' : 'gemini'}/settings.json`,
        name === 'one' ? guard('touch one') : gemini({ name: 'g', command: 'touch two' }),
      );
    const { status, stdout, stderr } = await runTrust(['--pins'], places);
    expect(status).toBe(0);
    expect(stderr).toBe(
      'tenterhook: note: 2 of these 2 hooks are not trusted here. Read what they do before you use the pins: tenterhook trust --show.\n',
    );
    const document = JSON.parse(stdout) as { pins: { pin: string; hook: object }[] };
    expect(document).toMatchObject({
      v: 1,
      project: places.project,
      pins: [
        { hook: { dialect: 'claude-code', event: 'PreToolUse', command: 'touch one' } },
        { hook: { label: 'g', dialect: 'gemini-cli', event: 'BeforeTool', command: 'touch two' } },
      ],
    });
    const file = places.write('pins.json', { ...document, pins: document.pins.slice(0, 1) });
    const fired = await run(
      ['fire', 'BeforeTool', '--trust-pins', file, '--input', '{"tool_name":"run_shell_command","tool_input":{}}', '--json'],
      {
        cwd: places.project,
        env: environmentOf(places),
        stdin: new PassThrough(),
        stdout: new PassThrough().resume(),
        stderr: new PassThrough().resume(),
      },
    );
    expect([fired, places.read('project/one'), places.read('project/two')]).toEqual([0, '', undefined]);
  }));
