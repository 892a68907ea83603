import { attack } from '../attacks/attack.js';
import { withLevels } from '../attacks/levels/places.js';
import type { Scene } from '../support/fire-hooks.js';
import type { Places } from '../support/places.js';
import { acceptAll, callTool, type Discover, formatNamed, formats, formatsInProject, statesIn } from './repository.js';

const command = 'cat > /dev/null; touch ran; echo "from the repository" >&2; exit 2';

/** Creates a project, and a home directory at this path. */
function withHomeAt(home: string, use: (places: Places, discover: Discover) => Promise<void>): Promise<void> {
  return withLevels(
    (places, discover) => use(places, (useScene, options = {}) => discover(useScene, { trust: 'store', ...options })),
    (places) => ({ HOME: places.at(home), XDG_STATE_HOME: places.at('state') }),
  );
}

describe('a home directory in the project', () => {
  attack(
    {
      id: 'home-in-the-project',
      attacker: 'a repository',
      attempt: 'contains settings of a user, in a folder that a container uses as its home directory',
      result: 'the hooks in these settings do not run before the user has accepted them. The agent asks about the calls of a guard',
    },
    async () => {
      for (const format of formatsInProject) {
        await withHomeAt('project/home', async (places, discover) => {
          places.write(`project/${formatNamed(format).user}`, formatNamed(format).settings([{ command }]));
          await discover(async (scene) => {
            expect([format, statesIn(scene)]).toEqual([format, ['changed']]);
            const reason = expect.stringMatching(/its settings file is in the project/);
            expect([format, await callTool(scene)]).toEqual([format, { kind: 'ask', reason }]);
            expect([format, scene.read('ran')]).toEqual([format, undefined]);
            await acceptAll(scene);
            expect([format, (await callTool(scene)).kind, scene.read('ran')]).toEqual([format, 'deny', '']);
          });
        });
      }
    },
  );
});

test('settings of the user that a link leads to in the project need a decision too', () =>
  withHomeAt('home', async (places, discover) => {
    places.write('project/dotfiles/settings.json', formats['claude-code'].settings([{ command }]));
    places.link('home/.claude', places.at('project/dotfiles'));
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['changed']));
  }));

test('a project that is the home directory itself: the settings of the user are their own', () =>
  withHomeAt('project', async (places, discover) => {
    places.write('project/.config/eca/config.json', formats.eca.settings([{ command }]));
    await discover(async (scene: Scene) => {
      expect(statesIn(scene)).toEqual([undefined]);
      expect((await callTool(scene)).kind).toBe('deny');
    });
  }));
