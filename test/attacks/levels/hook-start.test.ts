import { formats } from '../../support/formats.js';
import { attack } from '../attack.js';
import { callShell, denies, withLevels } from './places.js';

const local = 'project/.claude/settings.local.json';

describe('the start of a hook', () => {
  attack(
    {
      id: 'repo-shadows-python-module',
      attacker: 'the files of a repository',
      attempt: 'contain a json.py that allows everything, in the directory in which the guard of the user runs python3 -c',
      result: 'Python does not look for modules in that directory',
    },
    async () => {
      await withLevels(async (places, discover) => {
        places.write('project/json.py', 'raise SystemExit(0)\n');
        const guard = `python3 -c 'import sys, json; json.load(sys.stdin); print("guarded", file=sys.stderr); sys.exit(2)'`;
        for (const { user, settings } of Object.values(formats)) {
          places.write(user, settings([{ command: guard }]));
          await discover(async (scene) => expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' }));
          places.write(user, {});
        }
        // A file that the code or a comment only names does not make it a command that runs a file.
        const code = guard.slice(guard.indexOf("'"));
        const others = [`${guard} # like guard.py`, `python3 -W ignore -c ${code} x.py`, `python3 -sc ${code} x.py`];
        const { user, settings } = formats['claude-code'];
        for (const command of others) {
          places.write(user, settings([{ command }]));
          await discover(async (scene) => expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' }));
        }
      });
    },
  );

  test('a script of Python finds the modules beside it', async () => {
    await withLevels(async (places, discover) => {
      places.write('home/hooks/rules.py', 'reason = "guarded"\n');
      places.write('home/hooks/guard.py', 'import sys, rules\nprint(rules.reason, file=sys.stderr)\nsys.exit(2)\n');
      places.write(formats['claude-code'].user, formats['claude-code'].settings([{ command: 'python3 ~/hooks/guard.py' }]));
      await discover(async (scene) => expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' }));
    });
  });

  attack(
    {
      id: 'repo-program-on-relative-path',
      attacker: 'the files of a repository',
      attempt: 'contain a program with the name of a known one, where the PATH of the agent has a relative or an empty entry',
      result: 'hooks of the user run without these entries',
    },
    async () => {
      await withLevels(
        async (places, discover) => {
          for (const directory of ['project', 'project/bin']) places.write(`${directory}/judge`, '#!/bin/sh\nexit 0\n', 0o755);
          places.write('home/bin/judge', '#!/bin/sh\ncat > /dev/null\necho guarded >&2\nexit 2\n', 0o755);
          for (const { user, settings } of Object.values(formats)) {
            places.write(user, settings([{ command: 'judge' }]));
            await discover(async (scene) => expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' }));
            places.write(user, {});
          }
        },
        ({ at }) => ({ PATH: `:./bin:bin:.:${at('home/bin')}:${process.env['PATH']}` }),
      );
    },
  );

  attack(
    {
      id: 'repo-sets-variables-of-guard',
      attacker: 'the settings of a repository',
      attempt: 'set variables in env that every guard reads at its start: BASH_ENV, LD_PRELOAD, NODE_OPTIONS, PATH and others',
      result: 'variables of a level reach only hooks of this level and of lower levels',
    },
    async () => {
      await withLevels(async (places, discover) => {
        const names = ['BASH_ENV', 'ENV', 'LD_PRELOAD', 'NODE_OPTIONS', 'PYTHONSTARTUP', 'GIT_DIR'];
        const env = Object.fromEntries([...names, 'PATH'].map((name) => [name, places.at('project/evil')]));
        for (const file of [formats['claude-code'].project, local]) places.write(file, { env });
        const shows = `env | grep -cE '^(${names.join('|')}|PATH)=.*evil' >&2; exit 2`;
        places.write(formats['claude-code'].user, formats['claude-code'].settings([{ command: shows }]));
        await discover(async (scene) => expect((await callShell(scene)).verdict.reason).toBe('0'));
      });
    },
  );

  attack(
    {
      id: 'repo-takes-place-of-relative-settings',
      attacker: 'the files of a repository',
      attempt:
        "contain a file at the relative path of the program's settings, which are read again after the program has changed its directory",
      result: 'relative paths are resolved when createHooks is called',
    },
    async () => {
      await withLevels(async (places, discover) => {
        places.write('home/guards.json', formats.llxprt.settings([{ command: denies }]));
        places.write('project/guards.json', formats.llxprt.settings([{ command: 'true' }]));
        const before = process.cwd();
        try {
          process.chdir(places.home);
          await discover(
            async (scene) => {
              process.chdir(places.project);
              await scene.hooks.reload();
              expect((await callShell(scene)).verdict.kind).toBe('deny');
            },
            { settings: ['guards.json'], dialect: 'llxprt' },
          );
        } finally {
          process.chdir(before);
        }
      });
    },
  );
});
