import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { command, openPlace, type Place, RawClient, says, serverFile, textOf } from '../rig/link-rig.js';

let place: Place;
let client: RawClient;
afterEach(async () => {
  await client.close();
  place.remove();
});

const deny = (reason: string) => ({ BeforeTool: [{ matcher: 'echo', command: says({ decision: 'deny', reason }) }] });

async function open(hooks: Parameters<typeof openPlace>[0], flags: readonly string[] = []): Promise<void> {
  place = openPlace(hooks);
  client = new RawClient(place, 'raw-server', { flags });
  await client.initialize();
}

const echo = async () => {
  client.call('echo');
  return textOf(await client.next());
};

test('M16 settings that change under way count at the next call', async () => {
  await open({});
  expect(await echo()).toContain('"echo"');
  place.writeHooks(deny('Closed now.'));
  await until('the hook counts', async () => (await echo()) === 'Closed now.');
  place.writeHooks({});
  await until('the hook is gone', async () => (await echo()).includes('"echo"'));
});

test('M18 stdout carries nothing but the protocol, and messages of hooks are on stderr, escaped', async () => {
  const noisy = 'echo noise; echo noise >&2; exit 1';
  await open({
    BeforeTool: [
      { matcher: 'echo', command: noisy },
      { matcher: 'echo', command: says({ systemMessage: 'Look\u001b[31m out\nnow' }) },
    ],
    SessionStart: [{ command: "echo 'Rules of the house.'" }],
    SessionEnd: [{ command: says({ systemMessage: 'Bye.' }) }],
  });
  expect(await echo()).toContain('"echo"');
  await client.close();
  for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  expect(client.stderr).toContain('tenterhook-mcp files: BeforeTool: Look\\x1b[31m out\ntenterhook-mcp files: BeforeTool: now\n');
  expect(client.stderr).toContain('tenterhook-mcp files: SessionStart: Rules of the house.\n');
  expect(client.stderr).toContain('tenterhook-mcp files: SessionEnd: Bye.\n');
});

test('a settings file that cannot be read, or has an error, ends the command before the server starts', async () => {
  place = openPlace();
  writeFileSync(place.settings, '{ "hooks": ');
  client = new RawClient(place);
  expect(await client.ended).toEqual({ status: 1, signal: null });
  expect(client.stderr).toContain('hooks.json');
  expect(place.seen()).toEqual([]);
});

test.each(['missing', 'a-file'])('a project that is not a directory: %s', async (name) => {
  place = openPlace();
  const project = join(place.directory, name);
  if (name === 'a-file') writeFileSync(project, '');
  client = new RawClient({ ...place, args: () => [command, '--project', project, '--', process.execPath, serverFile('raw-server')] });
  expect(await client.ended).toEqual({ status: 1, signal: null });
  expect(client.stderr).toContain(`--project ${project} is not a directory, so the hooks of the project would not run.`);
  expect(place.seen()).toEqual([]);
});

test('the settings of the user, and the name of the program, without flags', async () => {
  place = openPlace();
  const settings = {
    hooks: { PreToolUse: [{ matcher: 'mcp__node__echo', hooks: [{ type: 'command', command: "echo 'Not by this name.' >&2; exit 2" }] }] },
  };
  // The home directory is the directory of the test, so these are the settings of the user.
  mkdirSync(join(place.directory, '.claude'));
  writeFileSync(join(place.directory, '.claude', 'settings.json'), JSON.stringify(settings));
  const project = join(place.directory, 'project');
  mkdirSync(project);
  client = new RawClient({ ...place, args: () => [command, '--project', project, '--', process.execPath, serverFile('raw-server')] });
  await client.initialize();
  expect(await echo()).toBe('Not by this name.');
});

test.each([
  [['--server', 'files'], 'The command of the MCP server is missing. Write it after --'],
  [['--sever', 'files', '--', 'node'], "Unknown option '--sever'"],
  [['npx', 'my-server'], "Unexpected argument 'npx'"],
  [['--on-unavailable', 'maybe', '--', 'node'], '--on-unavailable must be allow or deny, and is "maybe".'],
  [['--server', '', '--', 'node'], '--server is empty.'],
])('wrong usage: %j', async (words, message) => {
  place = openPlace();
  client = new RawClient({ ...place, args: () => [command, ...words] });
  expect(await client.ended).toEqual({ status: 64, signal: null });
  expect(client.stderr).toContain(`tenterhook-mcp: ${message}`);
});

test('--help and --version', async () => {
  place = openPlace();
  const help = new RawClient({ ...place, args: () => [command, '--help'] });
  expect(await help.ended).toMatchObject({ status: 0 });
  expect(help.lines[0]).toBe('tenterhook-mcp [options] -- COMMAND [ARGUMENT]…');
  client = new RawClient({ ...place, args: () => [command, '--version'] });
  expect(await client.ended).toMatchObject({ status: 0 });
  expect(client.lines[0]).toMatch(/^\d+\.\d+\.\d+/);
});
