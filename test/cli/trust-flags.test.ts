import { symlinkSync } from 'node:fs';
import { createHooks } from 'tenterhook';
import { formatNamed, formatNames } from '../support/formats.js';
import { type Places, withPlaces } from '../support/places.js';
import { type CliRun, runCli } from '../support/run-cli.js';

/** A project in which each format has a hook that leaves a file with the name of the format. */
function withProject(use: (places: Places, fire: (...flags: string[]) => Promise<CliRun>) => Promise<void>): Promise<void> {
  return withPlaces(async (places) => {
    for (const name of formatNames) {
      const { project, settings, review } = formatNamed(name);
      places.write(project, settings([{ command: `touch ${name}` }]));
      review?.(places, `touch ${name}`);
    }
    const input = JSON.stringify({ tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
    const env = { XDG_STATE_HOME: places.at('state') };
    await use(places, (...flags) =>
      runCli(['fire', 'BeforeTool', '--input', input, ...flags], { cwd: places.project, home: places.home, env }),
    );
  });
}

/** The formats whose hook has run. */
function ranIn(places: Places): string[] {
  return formatNames.filter((name) => places.read(`project/${name}`) !== undefined);
}

/** The pins of the hooks in these formats. */
async function pinsOf(places: Places, ...names: string[]): Promise<string[]> {
  const trust = { mode: 'store', directory: places.at('state/tenterhook/trust') } as const;
  await using hooks = await createHooks({ projectDir: places.project, trust });
  return hooks.trust.requests().flatMap(({ pin, dialect }) => (names.includes(dialect) ? [pin] : []));
}

const printedPins = (pins: readonly string[], project: string) => ({
  v: 1,
  project,
  pins: pins.map((pin) => ({ pin, hook: { label: 'guard', dialect: 'eca', event: 'preToolCall', command: 'touch eca' } })),
});

test('case 28: exactly the hooks run whose pins a file outside of the project lists', () =>
  withProject(async (places, fire) => {
    const pins = await pinsOf(places, 'claude-code', 'eca');
    expect(pins).toHaveLength(2);
    const file = places.write('pins.json', pins);
    expect((await fire('--trust-pins', file)).status).toBe(0);
    expect(ranIn(places)).toEqual(['claude-code', 'eca']);
  }));

test('case 28: a file as tenterhook trust --pins prints it', () =>
  withProject(async (places, fire) => {
    places.write('pins.json', printedPins(await pinsOf(places, 'llxprt'), places.project));
    expect((await fire('--trust-pins', '../pins.json')).status).toBe(0);
    expect(ranIn(places)).toEqual(['llxprt']);
  }));

test.each<[string, (places: Places, pins: readonly string[]) => string]>([
  ['a file', (places, pins) => places.write('project/pins.json', pins)],
  [
    'a link from outside to a file',
    (places, pins) => {
      symlinkSync(places.write('project/pins.json', pins), places.at('pins.json'));
      return places.at('pins.json');
    },
  ],
  [
    'a file through a link to the project',
    (places, pins) => {
      symlinkSync(places.project, places.at('elsewhere'));
      places.write('project/pins.json', pins);
      return places.at('elsewhere/pins.json');
    },
  ],
])('case 28: %s in the project is refused, and nothing runs', (_, write) =>
  withProject(async (places, fire) => {
    const file = write(places, await pinsOf(places, ...formatNames));
    const shown = file.startsWith(`${places.project}/`) ? 'pins.json' : file;
    const { status, stdout, stderr } = await fire('--trust-pins', file, '--json');
    expect({ status, ran: ranIn(places) }).toEqual({ status: 1, ran: [] });
    expect(stderr).toBe(
      `tenterhook: invalid_settings: ${shown}  The file of --trust-pins is inside of the project ${JSON.stringify(places.project)}, which must not decide which of its hooks run. Keep it outside of the project.\n`,
    );
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'invalid_settings', details: { diagnostics: [{ code: 'trust_pins', file }] } });
  }),
);

test('case 28: a file in the repository around the project is refused', () =>
  withProject(async (places, fire) => {
    places.write('.git/HEAD', 'ref: refs/heads/main\n');
    const { status, stderr } = await fire('--trust-pins', places.write('pins.json', []));
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('is inside of the repository') });
  }));

test.each<[string, (places: Places) => string, string]>([
  ['does not exist', (places) => places.at('none.json'), 'does not exist. Create one with tenterhook trust --pins.'],
  ['is a directory', (places) => places.home, 'is a directory, and must be a regular file.'],
  ['is too large', (places) => places.write('pins.json', ' '.repeat(1024 * 1024 + 1)), 'more than the limit of 1048576.'],
  ['others may write', (places) => places.write('pins.json', [], 0o666), 'Every user may write'],
  ['is half JSON', (places) => places.write('pins.json', '["ab'), 'is not valid JSON'],
  ['has another version', (places) => places.write('pins.json', { v: 2 }), 'has the version 2, and only version 1 can be read.'],
  ['has no list', (places) => places.write('pins.json', 'true'), 'must have an array of pins, and has true.'],
  [
    'has no pins',
    (places) => places.write('pins.json', { v: 1, project: places.project }),
    'must have an array of pins, and has undefined.',
  ],
  [
    'has text that is not a pin',
    (places) => places.write('pins.json', '[\n"ab"\n]'),
    'pins.json:2  The file of --trust-pins has a pin that',
  ],
  [
    'is about another project',
    (places) => places.write('pins.json', printedPins([], '/srv/other')),
    'has pins for the project "/srv/other", which are not valid for',
  ],
])('a file of pins that %s is refused', (_, write, message) =>
  withProject(async (places, fire) => {
    const { status, stderr } = await fire('--trust-pins', write(places));
    expect({ status, stderr, ran: ranIn(places) }).toEqual({ status: 1, stderr: expect.stringContaining(message), ran: [] });
  }),
);

test('--trust-project runs all hooks of the project, reports this, and stores nothing', () =>
  withProject(async (places, fire) => {
    const { status, stderr } = await fire('--trust-project');
    const said = 'tenterhook: note: --trust-project: all hooks of the project are trusted for this command.\n';
    expect({ status, stderr, ran: ranIn(places).sort() }).toEqual({ status: 0, stderr: said, ran: [...formatNames].sort() });
    expect(await pinsOf(places, ...formatNames)).toHaveLength(formatNames.length);
  }));

test.each(['list', 'explain', 'validate'])('%s takes the flags too', (command) =>
  withProject(async (places) => {
    const options = { cwd: places.project, home: places.home };
    expect(await runCli([command, '--trust-project'], options)).toMatchObject({ stderr: expect.stringContaining('--trust-project') });
    expect(await runCli([command, '--trust-pins', 'none.json'], options)).toMatchObject({ status: 1, stdout: '' });
  }),
);
