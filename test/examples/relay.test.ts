import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { formOf, type InstalledEntry } from '@tenterhook/relay';
import { RelayedAgent } from '../relay/relayed-agent.js';
import { root } from '../support/sources.js';

const folder = join(root, 'examples/relay');
const names = readdirSync(join(folder, 'events')).map((file) => basename(file, '.json'));

interface Events {
  readonly event: string;
  readonly shell: object;
  readonly file: object;
}

const home = new RelayedAgent('claude-code');
afterAll(() => home.remove());

beforeAll(async () => {
  const list = join(home.home, '.config/tenterhook');
  mkdirSync(list, { recursive: true });
  for (const file of ['relay.json', 'guards.json']) copyFileSync(join(folder, file), join(list, file));
  for (const name of names) expect(await home.act('install', '--agent', name, '--trust')).toMatchObject({ status: 0, stderr: '' });
});

test('there are events of every agent that the relay can be installed for', () => {
  expect(names.sort()).toEqual(
    defaultDialects()
      .filter(({ relay }) => relay !== undefined)
      .map(({ name }) => name)
      .sort(),
  );
});

/** The entry that the installation has written into the settings of an agent. */
function entryOf(name: string, event: string): InstalledEntry {
  const dialect = defaultDialects().find((one) => one.name === name);
  const context = { projectDir: home.project, home: home.home, environment: {}, platform: process.platform, files: undefined as never };
  const { ownFile = '' } = dialect?.relay ?? {};
  const places = dialect?.locations(context).filter(({ source }) => source === 'user') ?? [];
  const files = places.map(({ file, folder: own }) => (own === undefined ? file : join(own, ownFile))).filter((file) => existsSync(file));
  const entries = files.flatMap((file) => formOf(file).readEntries(readFileSync(file, 'utf8')));
  return entries.find(({ words }) => words[1] === event) as InstalledEntry;
}

describe.each(names)('%s', (name) => {
  const { event, shell, file } = JSON.parse(readFileSync(join(folder, 'events', `${name}.json`), 'utf8')) as Events;
  const fire = (payload: object, command = '') => {
    const { program, words } = entryOf(name, event);
    return home.program(program, words, JSON.stringify(payload).replace('COMMAND', command));
  };

  test.each([
    ['a dangerous command', 'rm -rf build', 'Move the folder to the trash instead.'],
    ['a push', 'git push origin main', 'Is this ready for others?'],
  ])('%s does not simply run', (_what, command, reason) => {
    const { status, stdout } = fire(shell, command);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/"(deny|ask)"/) });
    expect(stdout).toContain(reason);
  });

  test('secrets are not touched', () => {
    const { status, stdout } = fire(file);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/"deny"/) });
    expect(stdout).toContain('This file has secrets.');
  });

  test('other commands run as before', () => {
    expect(fire(shell, 'ls').stdout).not.toMatch(/deny|ask|allow/);
  });
});
