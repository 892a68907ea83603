import { attack } from '../attacks/attack.js';
import type { Places } from '../support/places.js';
import { openTerminal } from './command/terminal.js';
import { acceptAll, callTool, formatNamed, formats, formatsInProject, statesIn, withRepository } from './repository.js';

/** What the repository brings. It must not run before a person has looked at it. */
const file = '#!/bin/sh\ncat > /dev/null\ntouch ran\necho "from the repository" >&2\nexit 2\n';

/** A hook of the user in each format, and a repository in which nothing was ever decided. */
async function isAskedAbout(command: string, reason: RegExp, prepare: (places: Places) => void = () => {}): Promise<void> {
  for (const format of formatsInProject) {
    await withRepository(async (places, discover) => {
      prepare(places);
      places.write('project/.hooks/x.sh', file, 0o755);
      places.write(formatNamed(format).user, formatNamed(format).settings([{ command }]));
      await discover(async (scene) => {
        const [request] = scene.hooks.trust.requests();
        expect([format, request]).toMatchObject([format, { state: 'changed', source: 'user', reason: expect.stringMatching(reason) }]);
        const { kind, reason: said } = await callTool(scene);
        expect([format, kind, said]).toEqual([format, 'ask', expect.stringMatching(reason)]);
        expect([format, scene.read('ran')]).toEqual([format, undefined]);
        await acceptAll(scene);
        await callTool(scene);
        expect([format, scene.read('ran')]).toEqual([format, '']);
      });
      // The answer counts for this project, until it changes.
      await discover(async ({ hooks }) => expect([format, hooks.trust.requests()]).toEqual([format, []]));
    });
  }
}

const unknown = /it is a hook of your own settings, and which program it runs in this project is unknown\./;

describe('hooks of the user', () => {
  attack(
    {
      id: 'own-hook-runs-pattern',
      attacker: 'a repository',
      attempt: 'contains scripts whose names match a pattern in a hook of the user (sh .hooks/*.sh)',
      result: 'the hook does not run before the user has accepted it in this project. If it is a guard, the agent asks about its calls',
    },
    async () => {
      await isAskedAbout('sh .hooks/*.sh', unknown);
      await isAskedAbout('for f in .hooks/*.sh; do sh "$f"; done', unknown);
    },
  );

  attack(
    {
      id: 'own-hook-runs-found-files',
      attacker: 'a repository',
      attempt: 'contains a script that a hook of the user finds and starts (find -exec, xargs)',
      result: 'the hook does not run before the user has accepted it in this project',
    },
    async () => {
      await isAskedAbout("find . -name 'x.sh' -exec sh {} \\;", unknown);
      await isAskedAbout('ls .hooks/*.sh | xargs -n1 sh', unknown);
    },
  );

  attack(
    {
      id: 'own-hook-runs-top-of-repository',
      attacker: 'a repository',
      attempt: 'contains a script that a hook of the user starts from the top directory of the repository, which git prints',
      result: 'the hook does not run before the user has accepted it, with this script',
    },
    () => isAskedAbout('sh "$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/.hooks/x.sh', unknown),
  );

  attack(
    {
      id: 'own-hook-evaluates-file',
      attacker: 'a repository',
      attempt: 'contains a text that a hook of the user evaluates, or runs through a variable',
      result: 'the hook does not run before the user has accepted it in this project',
    },
    async () => {
      await isAskedAbout('eval "$(cat .hooks/x*)"', unknown);
      await isAskedAbout('code=$(ls .hooks/*); sh "$code"', unknown);
    },
  );

  attack(
    {
      id: 'own-script-runs-repository',
      attacker: 'a repository',
      attempt: 'contains a script that is started by a script of the user outside of the project',
      result:
        'Tenterhook searches the script of the user for files of the project: the hook does not run before the user has accepted these files',
    },
    async () => {
      const wrap = (text: string) => (places: Places) => void places.write('home/bin/wrap.sh', `#!/bin/sh\n${text}\n`, 0o755);
      const runs = /it runs files of the project that are not trusted: "\.hooks"/;
      await isAskedAbout('~/bin/wrap.sh', runs, wrap('exec sh ./.hooks/x.sh'));
      await isAskedAbout('bash "$HOME/bin/wrap.sh" --strict', runs, wrap('for f in .hooks/*.sh; do sh "$f"; done'));
    },
  );

  attack(
    {
      id: 'own-hook-runs-in-found-directory',
      attacker: 'a repository',
      attempt: 'contains a script in a directory in which a hook of the user starts it (find -execdir)',
      result: 'the hook does not run before the user has accepted it in this project',
    },
    () =>
      isAskedAbout('find . -name pom.xml -execdir ./lint.sh \\;', unknown, (places) => {
        places.write('project/app/pom.xml', '');
        places.write('project/app/lint.sh', '#!/bin/sh\ntouch ../ran\n', 0o755);
      }),
  );

  attack(
    {
      id: 'own-hook-imports-private-module',
      attacker: 'a repository',
      attempt: 'contains a file with the name of an internal module of Python (_json.py), which Python then imports for a hook of the user',
      result: 'the hook does not run before the user has accepted it, with this file',
    },
    () =>
      isAskedAbout(`python3 -E -c 'import json'`, /it runs files of the project that are not trusted: "_json\.py"/, (places) => {
        places.write('project/_json.py', 'open("ran", "w")\n');
      }),
  );
});

test('a hook of the user whose data are unknown is not asked about', async () => {
  for (const format of formatsInProject) {
    await withRepository(async (places, discover) => {
      places.write('home/bin/guard.sh', '#!/bin/sh\ncat > /dev/null\neval "$RULES"\necho "of the user" >&2\nexit 2\n', 0o755);
      places.write('project/.hooks/x.sh', file, 0o755);
      places.write(formatNamed(format).user, formatNamed(format).settings([{ command: '~/bin/guard.sh "$FILE" .hooks/*' }]));
      await discover(async (scene) => {
        expect([format, scene.hooks.trust.requests(), statesIn(scene)]).toEqual([format, [], [undefined]]);
        expect([format, await callTool(scene)]).toEqual([format, { kind: 'deny', reason: 'of the user' }]);
      });
    });
  }
});

test('a file that a pattern of a hook of the user names changes after it was accepted', () =>
  withRepository(async (places, discover) => {
    places.write('project/.hooks/x.sh', file, 0o755);
    places.write(formats['claude-code'].user, formats['claude-code'].settings([{ command: 'for f in .hooks/*.sh; do sh "$f"; done' }]));
    await discover(async (scene) => {
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
      places.write('project/.hooks/y.sh', 'exit 0\n');
      expect(await callTool(scene)).toEqual({ kind: 'ask', reason: expect.stringContaining('the file ".hooks" has changed since') });
    });
  }));

test('the question says why a hook of the user is asked about', () =>
  withRepository(async (places) => {
    places.write(formats['claude-code'].user, formats['claude-code'].settings([{ command: 'eval "$GUARD"' }]));
    const shown = (await openTerminal([], places).screen()).replaceAll(/\s+/g, ' ');
    expect(shown).toContain(
      'it is a hook of your own settings, and which program it runs in this project is unknown. The word "$GUARD" contains a variable or a command. Read what it does, and decide',
    );
  }));

test('a guard of the user that was denied in a project still objects there', () =>
  withRepository(async (places, discover) => {
    places.write(formats['claude-code'].user, formats['claude-code'].settings([{ command: 'eval "$GUARD"' }]));
    await discover(async (scene) => {
      const [request] = scene.hooks.trust.requests();
      await scene.hooks.trust.deny(request?.pin ?? '');
      expect((await callTool(scene)).kind).toBe('ask');
    });
  }));
