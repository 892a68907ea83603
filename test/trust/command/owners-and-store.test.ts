import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { guard, statesIn, withRepository } from '../repository.js';
import { openTerminal, runTrust } from './terminal.js';

const settings = 'project/.claude/settings.json';
const asRoot = process.geteuid?.() === 0 ? test : test.skip;
const stranger = 4711;

asRoot('case 22: files of another user are refused; after --allow-owner they are asked about', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('exit 2'));
    chownSync(places.at(settings), stranger, stranger);
    const refused = openTerminal(['--exit-code'], places);
    expect(await refused.status).toBe(2);
    expect(await refused.screen()).toMatch(
      /^There is nothing to decide: a settings file of .*project is not read, so its hooks are not known\.\n$/,
    );
    expect(refused.stderr().replaceAll(/\s+/g, ' ')).toContain(`run tenterhook trust --allow-owner ${stranger}`);
    const allowed = await runTrust(['--allow-owner', `${stranger}`], places);
    expect(allowed).toMatchObject({ status: 0, stderr: '' });
    expect(allowed.stdout).toMatch(
      /^Files of the user 4711 are accepted in .*project from now on\. .* tenterhook trust --revoke --allow-owner 4711\.\n$/,
    );
    // Nothing is trusted by that alone.
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']));
    expect(await openTerminal([], places).answer('y')).toContain('1 trusted');
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['trusted']));
    const taken = ['--revoke', '--allow-owner', `${stranger}`];
    expect((await runTrust(taken, places)).stdout).toMatch(/^Files of the user 4711 are no longer accepted in/);
    expect((await runTrust(taken, places)).stdout).toMatch(/nothing was removed\.\n$/);
    await discover(async (scene) => expect(statesIn(scene)).toEqual([]));
  }),
);

asRoot('case 22: a script of another user is refused with the remedy, and is not asked about', () =>
  withRepository(async (places) => {
    places.write('project/guard.sh', 'exit 2\n', 0o755);
    places.write(settings, guard('./guard.sh'));
    chownSync(places.at('project/guard.sh'), stranger, stranger);
    const shown = await openTerminal([], places).screen();
    expect(shown).toMatch(
      /There is nothing to decide\. 0 of 1 hooks[\s\S]* {2}refused +claude-code\/project\/BeforeTool\/0\.0: .*guard\.sh.* belongs to the user with the uid 4711/,
    );
    expect((await runTrust(['--show', '--exit-code'], places)).status).toBe(2);
  }),
);

test('case 27: a store that cannot be used is an error with path and remedy, and nothing is asked', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('exit 2'));
    // A file where a directory of the store must be, so that not even root can make it.
    writeFileSync(places.at('state'), '');
    const terminal = openTerminal([], places);
    expect(await terminal.status).toBe(1);
    expect(await terminal.screen()).toBe('');
    const error = new RegExp(`^tenterhook: trust_store: .*${places.at('state/tenterhook/trust')}.* set XDG_STATE_HOME to a directory`);
    expect(terminal.stderr().replaceAll(/\s+/g, ' ')).toMatch(error);
    const allowed = await runTrust(['--allow-owner', '4711'], places);
    expect([allowed.status, allowed.stdout]).toEqual([1, '']);
    expect(allowed.stderr.replaceAll(/\s+/g, ' ')).toMatch(error);
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']));
  }));

asRoot('case 27: on a read-only disk what was decided before stays, and the rest is an error', () =>
  withRepository(async (places, discover) => {
    mkdirSync(places.at('state'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', places.at('state')]).status !== 0) return;
    try {
      const commands = ['echo one', 'echo two'].map((command) => ({ type: 'command', command }));
      places.write(settings, { hooks: { PreToolUse: [{ hooks: commands }] } });
      const terminal = openTerminal([], places);
      await terminal.screen();
      await terminal.answer('y');
      spawnSync('mount', ['-o', 'remount,ro', places.at('state')]);
      expect(await terminal.answer('y')).toContain('1 trusted, 0 denied, 1 not decided');
      expect(await terminal.status).toBe(1);
      expect(terminal.stderr().replaceAll(/\s+/g, ' ')).toMatch(/trust_store: .*state.* Its disk is read-only: set XDG_STATE_HOME/);
      await discover(async (scene) => expect(statesIn(scene)).toEqual(['trusted', 'new']));
      const [folder = ''] = readdirSync(places.at('state/tenterhook/trust')).filter((name) => name.length === 64);
      expect(readdirSync(places.at(`state/tenterhook/trust/${folder}`)).filter((name) => name.endsWith('.json'))).toHaveLength(1);
      expect(existsSync(places.at('state/tenterhook/trust'))).toBe(true);
    } finally {
      spawnSync('umount', [places.at('state')]);
    }
  }),
);
