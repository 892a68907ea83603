import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { MessageBus } from '@tenterhook/bus';
import { readRecording } from '@tenterhook/recording';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { runCli, spawnCli } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { root } from '../../support/sources.js';
import { until } from '../../support/until.js';

// A test starts several processes, each of which takes seconds on a busy machine.
jest.setTimeout(300_000);

// Inside of the repository, so that the agent finds its packages.
const cwd = mkdtempSync(join(root, 'node_modules', '.record-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** An agent that knows nothing of recordings. `end` is what it does after its event. */
const agent = (end: string) => [
  '--input-type=module',
  '-e',
  `import { createHooks } from 'tenterhook';
const settings = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 2' }] }] } };
const hooks = await createHooks({ settings });
await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { key: process.env.STATION_KEY ?? '' } });
${end}`,
];
const ends = 'await hooks.dispose(); console.log("bye", process.env.TENTERHOOK_RECORD); process.exitCode = 7;';

test('record-replay case 37: record -- command: an agent that knows nothing of it is recorded, and its exit code and output are those of the command', async () => {
  const ran = spawnCli(['record', '--to', 'run.bus.jsonl', '--', 'node', ...agent(ends)], { cwd });
  const file = join(cwd, 'run.bus.jsonl');
  expect([ran.status, ran.stdout]).toEqual([7, `bye ${file}\n`]);
  expect(ran.stderr).toMatch(
    /^tenterhook: note: recorded 1 event, \d+ messages in .*run\.bus\.jsonl\. .*read the file before you commit or share it\.\n$/,
  );
  const { exchanges, problems } = await readRecording(file);
  expect([exchanges.map(({ state }) => state), problems]).toEqual([['answered'], []]);

  // An existing file stays as it was, and the command is not started.
  const before = readFileSync(file, 'utf8');
  const refused = spawnCli(['record', '--to', 'run.bus.jsonl', '--', 'node', ...agent(ends)], { cwd });
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining('file_exists: ')]);
  expect(readFileSync(file, 'utf8')).toBe(before);

  const env = { STATION_KEY: 'a-very-private-station' };
  const more = spawnCli(['record', '--to', 'secret.bus.jsonl', '--secret', 'STATION_KEY', '--', 'node', ...agent(ends)], { cwd, env });
  expect([more.status, readFileSync(join(cwd, 'secret.bus.jsonl'), 'utf8').includes('⟦secret:STATION_KEY⟧')]).toEqual([7, true]);
});

test('record-replay case 37: record -- command: the recording of an agent that was killed is completed, whatever its directories are', async () => {
  // The agent has a project directory, and the command is run in one that is a part of every path.
  const program = `import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createHooks } from 'tenterhook';
const settings = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 2' }] }] } };
const hooks = await createHooks({ settings, projectDir: import.meta.dirname });
await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: {} });
while (!readFileSync(process.env.TENTERHOOK_RECORD, 'utf8').includes('_RESPONSE')) await setTimeout(5);
process.kill(process.pid, 'SIGKILL');`;
  writeFileSync(join(cwd, 'agent.mjs'), program);
  const file = join(cwd, 'killed.bus.jsonl');
  const { status, stderr } = spawnCli(['record', '--to', file, '--', 'node', join(cwd, 'agent.mjs')], { cwd: '/' });
  expect([status, stderr]).toEqual([137, expect.stringMatching(/^tenterhook: note: recorded 1 event, /)]);
  const { problems, notes, messages } = await readRecording(file);
  expect([problems, notes.at(-1)]).toEqual([[], expect.objectContaining({ note: 'end', messages: messages.length })]);
});

test('record --append: reports what this run added; a run that could not be added is a warning', async () => {
  const args = (...flags: string[]) => ['record', '--to', 'more.bus.jsonl', '--append', ...flags, '--', 'node', ...agent(ends)];
  for (const _ of ['first', 'second']) {
    const { status, stderr } = spawnCli(args(), { cwd });
    expect([status, stderr]).toEqual([7, expect.stringMatching(/^tenterhook: note: recorded 1 event, \d+ messages in /)]);
  }
  const file = join(cwd, 'more.bus.jsonl');
  expect((await readRecording(file)).exchanges).toHaveLength(2);
  const before = readFileSync(file, 'utf8');
  const other = spawnCli(args('--unmasked'), { cwd });
  expect([other.status, other.stderr]).toEqual([
    7,
    expect.stringMatching(/was recorded with other options[\s\S]*warning: nothing was recorded/),
  ]);
  expect(other.stderr).not.toContain('note: recorded');
  expect(readFileSync(file, 'utf8')).toBe(before);

  writeFileSync(file, `${before}{"n":99`);
  const torn = spawnCli(args(), { cwd });
  expect([torn.status, torn.stderr]).toEqual([
    7,
    expect.stringMatching(
      /^tenterhook: warning: torn: more\.bus\.jsonl:\d+: a line of 7 bytes .* It was removed .*\n.*note: recorded 1 event/,
    ),
  ]);
});

test.each([
  ['no', 'ENOENT', []],
  ['plain', 'ENOTDIR', []],
  ['plain', 'ENOTDIR', ['--append']],
])('record -- command: without the directory of the file, the command is not started: %s %s %j', (directory, code, flags) => {
  writeFileSync(join(cwd, 'plain'), 'a file');
  const args = ['record', '--to', `${directory}/run.bus.jsonl`, ...flags, '--', 'node', ...agent(ends)];
  const { status, stdout, stderr } = spawnCli(args, { cwd });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(
      new RegExp(`^tenterhook: unwritable: ${directory}: the recording cannot be written to this directory: ${code}.*--to\\.\n$`),
    ),
  ]);
});

test('record-replay case 37: record -- command: SIGINT reaches the command and leaves a complete file', async () => {
  const command = startCli(
    ['record', '--to', 'signal.bus.jsonl', '--', 'node', ...agent('console.log("ready"); setInterval(() => {}, 1e6);')],
    { cwd },
  );
  await until('the agent has fired its event', () => command.stdout().includes('ready'));
  command.kill('SIGINT');
  const { status, stderr } = await command.ended;
  expect([status, stderr]).toEqual([130, expect.stringMatching(/^tenterhook: note: recorded 1 event, /)]);
  const { notes, exchanges, problems } = await readRecording(join(cwd, 'signal.bus.jsonl'));
  expect([notes.at(-1)?.note, exchanges.map(({ state }) => state), problems]).toEqual(['end', ['answered'], []]);
});

test('record -- command: a command without hooks, one that cannot be started, and wrong flags', async () => {
  const silent = spawnCli(['record', '--to', 'none.bus.jsonl', '--', 'node', '-e', 'process.exit(3)'], { cwd });
  expect([silent.status, silent.stderr]).toEqual([3, expect.stringContaining('nothing was recorded')]);
  const missing = await runCli(['record', '--to', 'none.bus.jsonl', '--', 'no-such-agent'], { cwd });
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('no-such-agent cannot be started') });
  for (const [args, message] of [
    [[], 'Pass one of these: the command of an agent after --, its bus'],
    [['--socket', 'bus', '--', 'node'], 'Pass one of these: the command of an agent after --, its bus'],
    [['--secret', 'NO_SUCH_KEY', '--', 'node'], 'the environment variable NO_SUCH_KEY is not set'],
  ] as const) {
    expect(await runCli(['record', ...args], { cwd })).toMatchObject({ status: 64, stderr: expect.stringContaining(message) });
  }
  expect(readdirSync(cwd).filter((name) => name.startsWith('none') || name.startsWith('hooks-'))).toEqual([]);
});

/** The process of an agent, which answers its requests itself. */
async function agentOn(path: string) {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true }));
  const stop = async () => {
    await bus.close();
    await hub.close();
  };
  const isWatched = () => bus.isSubscribed('HOOK_EXECUTION_RESPONSE');
  return { stop, isWatched, fire: () => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'X' as string, input: {} }) };
}

test('record-replay case 38: record --socket: goes on after a restart of the agent, with notes, until SIGINT', async () => {
  const absent = await runCli(['record', '--socket', 'nothing-here', '--to', 'socket.bus.jsonl'], { cwd });
  expect([absent.status, existsSync(join(cwd, 'socket.bus.jsonl'))]).toEqual([1, false]);
  expect(absent.stderr).toContain('--socket');

  const [path, file] = [join(cwd, 'bus'), join(cwd, 'socket.bus.jsonl')];
  const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const responses = () => text().split('HOOK_EXECUTION_RESPONSE').length - 1;
  const first = await agentOn(path);
  const command = startCli(['record', '--socket', 'bus', '--to', 'socket.bus.jsonl'], { cwd });
  await until('the recorder has announced itself', () => command.stderr().includes('Ctrl-C ends the recording'));
  await first.fire();
  await until('the response is in the file', () => responses() === 1);
  await first.stop();
  await until('the loss is in the file', () => text().includes('"lost"'));
  const second = await agentOn(path);
  await until('the connection is back', () => text().includes('"restored"') && second.isWatched());
  await second.fire();
  await until('the second response is in the file', () => responses() === 2);
  command.kill('SIGINT');
  const { status, stderr } = await command.ended;
  await second.stop();
  expect([status, stderr]).toEqual([0, expect.stringMatching(/note: recorded 2 events, /)]);
  const { notes, exchanges, problems } = await readRecording(file);
  expect(notes.map(({ note, state }) => state ?? note)).toEqual(['lost', 'restored', 'end']);
  expect([exchanges.map(({ state }) => state), problems]).toEqual([['answered', 'answered'], []]);
});
