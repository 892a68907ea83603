import { withPlaces } from '../support/places.js';
import { spawnCli } from '../support/run-cli.js';

const call = ['fire', 'PreToolUse', '--exit-code', '--input', '{"tool_name":"Bash","tool_input":{"command":"ls"}}', '--extension'];
const keepsOnce = {
  hooks: {
    PreToolUse: [
      { hooks: [{ type: 'command', command: '[ -e "$CLAUDE_PLUGIN_DATA/seen" ] && exit 2; touch "$CLAUDE_PLUGIN_DATA/seen"' }] },
    ],
  },
};

test.each([
  ['plugins/counter', 'counter-inline'],
  ['home/.claude/plugins/cache/team/counter/0.1.0', 'counter-team'],
])('a plugin in %s, named with --extension, finds the data of its last run', async (directory, id) => {
  await withPlaces(async (places) => {
    places.write(`${directory}/hooks/hooks.json`, keepsOnce);
    const fire = () => spawnCli([...call, places.at(directory)], { cwd: places.project, home: places.home });
    expect(fire()).toMatchObject({ status: 0, stderr: '' });
    expect(places.list(`home/.claude/plugins/data/${id}`)).toEqual(['seen']);
    expect(fire().status).toBe(2);
  });
});

test('list and explain create no directory for the data of a plugin', async () => {
  await withPlaces(async (places) => {
    places.write('plugins/counter/hooks/hooks.json', keepsOnce);
    for (const command of [['list'], ['explain', 'PreToolUse'], ['validate']])
      spawnCli([...command, '--extension', places.at('plugins/counter')], { cwd: places.project, home: places.home });
    expect(places.list('home')).toEqual([]);
  });
});
