import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type HookRig, hookRig } from '@tenterhook/testing';
import { until } from '../../../../test/support/until.js';
import { openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';

let rig: HookRig;
let place: Place;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  place.remove();
  await rig.close();
});

const sessions = {
  SessionStart: [{ command: `echo start >> "$LLXPRT_PROJECT_DIR/sessions"; ${says({ systemMessage: 'Be careful.' })}` }],
  SessionEnd: [{ command: 'echo end >> "$LLXPRT_PROJECT_DIR/sessions"' }],
};
const sessionLog = () => (existsSync(`${place.directory}/sessions`) ? readFileSync(`${place.directory}/sessions`, 'utf8') : '');

async function open(hooks: Parameters<typeof openPlace>[0], options?: ConstructorParameters<typeof RawClient>[2]): Promise<RawClient> {
  place = openPlace(hooks);
  const client = new RawClient(place, 'raw-server', options);
  await client.initialize();
  return client;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('M11 a server that dies: open calls are answered, its exit status is ours, and SessionEnd has run', async () => {
  const after = `cat > "$LLXPRT_PROJECT_DIR/event.json"`;
  const client = await open({
    ...sessions,
    BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }],
    AfterTool: [{ matcher: 'hang', command: after }],
  });
  const [held, hanging, passed] = [client.call('echo'), client.call('hang'), client.request('never/answered')];
  expect(await client.next()).toMatchObject({ id: passed, error: { code: -32601 } });
  const run = await rig.nextRun('guard');
  const dying = client.call('die');
  const answers = [await client.next(), await client.next(), await client.next()];
  const error = { code: -32000, message: 'The MCP server "files" ended with status 3 before it answered.' };
  expect(answers.map(({ id }) => id).sort()).toEqual([held, hanging, dying]);
  expect(answers.map((answer) => answer['error'])).toEqual([error, error, error]);
  await run.ended;
  expect(await client.ended).toEqual({ status: 3, signal: null });
  expect(JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8'))).toMatchObject({
    tool_response: { error: { message: error.message } },
  });
  expect(sessionLog()).toBe('start\nend\n');
  expect(client.stderr).toContain('tenterhook-mcp files: SessionStart: Be careful.\n');
});

test('M11 what a server wrote before its end is passed on', async () => {
  const client = await open({ AfterTool: [{ matcher: 'exitAfterAnswer', command: 'true' }] });
  client.call('exitAfterAnswer');
  expect(textOf(await client.next())).toBe('last words');
  expect(await client.ended).toEqual({ status: 5, signal: null });
});

test('M11 a program that cannot be started', async () => {
  place = openPlace();
  const client = new RawClient({ ...place, args: () => [...place.args('raw-server').slice(0, -2), '/no/such/program'] });
  expect(await client.ended).toEqual({ status: 1, signal: null });
  expect(client.stderr).toContain('/no/such/program cannot be started: ');
});

test('M12 a client that vanishes: the server and the hooks are gone', async () => {
  const client = await open({ BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }] });
  client.call('pid');
  const pid = Number(textOf(await client.next()));
  client.call('echo');
  const run = await rig.nextRun('guard');
  client.child.stdin?.destroy();
  client.child.stdout?.destroy();
  await run.ended;
  await client.ended;
  expect(isAlive(pid)).toBe(false);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('M12 %s ends a stubborn server before the client loses patience', async (signal) => {
  const client = await open(sessions, { serverArgs: ['--stubborn'] });
  client.call('pid');
  const pid = Number(textOf(await client.next()));
  client.child.kill(signal);
  expect(await client.ended).toEqual({ status: 137, signal: null });
  expect(isAlive(pid)).toBe(false);
  expect(sessionLog()).toBe('start\nend\n');
});

test('M12 a client that vanishes while the server reads nothing: the server is gone', async () => {
  const client = await open(sessions);
  client.call('readNothing');
  const pid = Number(textOf(await client.next()));
  for (let count = 0; count < 100; count += 1) client.request('fill', { text: 'x'.repeat(10_000) });
  client.child.stdin?.end();
  await client.ended;
  expect(isAlive(pid)).toBe(false);
  expect(client.stderr).not.toContain('MaxListenersExceeded');
  expect(sessionLog()).toBe('start\nend\n');
});

test('a client that does not read stderr: messages are lost, and calls and SessionEnd are not', async () => {
  const client = await open(sessions);
  client.child.stderr?.destroy();
  for (const _ of [1, 2]) {
    client.call('noise');
    expect(textOf(await client.next())).toBe('fine');
  }
  expect(await client.close()).toEqual({ status: 0, signal: null });
  expect(sessionLog()).toBe('start\nend\n');
});

test('M11 a server that closes its input: calls are answered, and it is ended', async () => {
  const client = await open(sessions);
  client.call('closeInput');
  const pid = Number(textOf(await client.next()));
  const id = client.call('echo');
  expect(await client.next()).toMatchObject({
    id,
    error: { code: -32000, message: 'The MCP server "files" has closed its input before it answered.' },
  });
  await client.ended;
  expect(isAlive(pid)).toBe(false);
});

test('SIGKILL of the command ends the server, because its input ends', async () => {
  const client = await open(sessions);
  client.call('pid');
  const pid = Number(textOf(await client.next()));
  client.child.kill('SIGKILL');
  await client.ended;
  await until('the server has ended', () => !isAlive(pid));
});

test('nothing is fired before the first initialize or tools/call', async () => {
  place = openPlace(sessions);
  const client = new RawClient(place);
  await client.ask('server/discover');
  expect(await client.close()).toEqual({ status: 0, signal: null });
  expect(sessionLog()).toBe('');
});

test('a call waits for the hooks of SessionStart', async () => {
  place = openPlace({ SessionStart: [{ command: rig.command('start') }] });
  const client = new RawClient(place);
  await client.initialize();
  const id = client.call('echo');
  const run = await rig.nextRun('start');
  await client.ask('ping');
  expect(place.calls()).toEqual([]);
  await run.exit(0);
  expect(await client.next()).toMatchObject({ id });
  await client.close();
});

test('a client of the SDK 2.x that looks for the protocol first has one session', async () => {
  place = openPlace(sessions);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: place.args('v2-server'), env: { ...place.env }, stderr: 'ignore' }),
  );
  expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({ content: [{ text: 'x' }] });
  await client.close();
  expect(sessionLog()).toBe('start\nend\n');
});
