import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place, type Run } from '../../examples/agent-loop/test/example-run.js';
import { root } from '../support/sources.js';

const project = join(root, 'examples/other-agents/workspace');

interface Recorded {
  readonly decisions: readonly { readonly event: string; readonly verdict: string; readonly by: string[]; readonly hooks: object }[];
  readonly operations: readonly { readonly kind: string; readonly subject: string; readonly status: string; readonly reason?: string }[];
  readonly requests: readonly { readonly contents: readonly object[] }[];
}

let place: Place;
let run: Run;
let recorded: Recorded;

/** Reads what the agent left in the folder in which it worked. */
const read = (file: string) => readFileSync(join(place.folder, 'kept/workspace', file), 'utf8');
const operation = (subject: string) => recorded.operations.find((each) => each.subject === subject);
const ofClaude = (event: string, last: string) => `claude-code/project/${event}/${last}`;
const ofGemini = (event: string, name: string) => `gemini-cli/project/${event}/${name}`;

beforeAll(async () => {
  place = new Place();
  const record = join(place.folder, 'record.json');
  const args = ['examples/other-agents/dist/main.js', '--ask', '--keep', join(place.folder, 'kept'), '--record', record];
  // The answer to the question about the hooks of the project. The question about the push gets none.
  run = await place.start(args, { input: 'y\n' }).ended;
  recorded = JSON.parse(readFileSync(record, 'utf8')) as Recorded;
}, 120_000);

afterAll(() => place.remove());

test('the project knows nothing of who runs its hooks, and it is unchanged', () => {
  const files = readdirSync(project, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) => entry.isFile());
  const own = files.map(({ parentPath, name }) => join(parentPath, name).slice(project.length + 1));
  expect(own).toEqual(expect.arrayContaining(['.claude/settings.json', '.gemini/settings.json']));
  for (const file of own) {
    const text = readFileSync(join(project, file), 'utf8');
    expect({ file, names: text.match(/tenterhook|llxprt|run_shell|canonical/gi) }).toEqual({
      file,
      names: file === '.gemini/settings.json' ? ['run_shell'] : null,
    });
    if (file !== 'stations.json') expect({ file, text: read(file) }).toEqual({ file, text });
  }
});

test('it runs to its end, and the settings have nothing to complain about', () => {
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
});

test('a Claude Code hook of PreToolUse that matches Bash blocks the agent', () => {
  expect(operation('run_shell_command cat .env')).toMatchObject({
    status: 'blocked',
    reason: '.env holds secrets. Ask the user for what you need from it.',
  });
  expect(recorded.decisions).toContainEqual(
    expect.objectContaining({ event: 'BeforeTool', verdict: 'deny', by: [ofClaude('BeforeTool', '0.0')] }),
  );
});

test('a Claude Code hook of PostToolUse that matches Edit|Write formats the file on disk', () => {
  const stations = { Helgoland: { lat: 54.18, lon: 7.89 }, Cuxhaven: { lat: 53.87, lon: 8.72 } };
  expect(read('stations.json')).toBe(`${JSON.stringify(stations, null, 2)}\n`);
  // Written, formatted, edited and formatted again. The text to edit exists only if the first write was formatted.
  expect(operation('write_file stations.json')).toMatchObject({ status: 'executed' });
  expect(operation('replace stations.json')).toMatchObject({ status: 'executed' });
});

test('a Gemini CLI hook of BeforeModel answers, and the model is not called', () => {
  expect(recorded.decisions).toContainEqual(
    expect.objectContaining({ event: 'BeforeModel', verdict: 'none', hooks: { [ofGemini('BeforeModel', 'known-answers')]: 'succeeded' } }),
  );
  expect(recorded.operations.filter(({ kind }) => kind === 'model').map(({ status }) => status)).toEqual([
    ...Array(5).fill('responded'),
    'synthetic',
    ...Array(2).fill('responded'),
  ]);
  expect(run.stdout).toContain('hook   This is tide-tables 1.4.0.\n');
  expect(recorded.requests).toHaveLength(7);
  const asked = recorded.requests.map(({ contents }) => JSON.stringify(contents.at(-1)));
  expect(asked.filter((text) => text.includes('Which version'))).toEqual([]);
});

test('a Gemini CLI hook of BeforeTool denies by exit code 2', () => {
  const reason = 'There is a key in the text. Read it from the environment.';
  expect(operation('write_file client.mjs')).toMatchObject({ status: 'blocked', reason });
  expect(recorded.decisions).toContainEqual(expect.objectContaining({ verdict: 'deny', by: [ofGemini('BeforeTool', 'block-secrets')] }));
  expect(readdirSync(join(place.folder, 'kept/workspace'))).not.toContain('client.mjs');
});

test('a Gemini CLI hook of AfterTool takes a key out of what the model gets to see', () => {
  expect(read('feed.json')).toContain('4f9a2c7e1b8d6035');
  const sent = JSON.stringify(recorded.requests);
  expect([sent.includes('4f9a2c7e1b8d6035'), sent.includes('[REDACTED]')]).toEqual([false, true]);
});

test('a Claude Code hook of Stop sends the agent on, and knows when to stop', () => {
  const stops = recorded.decisions.filter(({ event }) => event === 'AfterAgent').map(({ verdict }) => verdict);
  expect(stops).toEqual(['deny', 'none', 'none', 'none']);
  expect(run.stdout).toContain('hook   The check fails: Cuxhaven has no lon.\n');
});

test('a Claude Code hook asks about a push, another tells the user, and with no user to answer it is not pushed', () => {
  expect(operation('run_shell_command git push origin main')).toMatchObject({ status: 'blocked' });
  expect(recorded.decisions).toContainEqual(expect.objectContaining({ verdict: 'ask', by: [ofClaude('BeforeTool', '1.0')] }));
  expect(read('.claude/notifications.log')).toBe(
    'permission_prompt: May run_shell_command go ahead? "git push origin main" publishes the work.\n',
  );
});

test('a Claude Code hook of UserPromptSubmit has a word with every prompt', () => {
  expect(JSON.stringify(recorded.requests[0])).toContain('Stations on file: Helgoland.');
  expect(JSON.stringify(recorded.requests.at(-1))).toContain('Stations on file: Cuxhaven, Helgoland.');
});

test('no process is left', () => {
  expect(place.leftovers().sort()).toEqual(['kept', 'record.json']);
});
