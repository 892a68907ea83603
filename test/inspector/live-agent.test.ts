import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { type Inspector, startInspector } from '@tenterhook/inspector';
import { readRecording } from '@tenterhook/recording';
import { valueAt } from '@tenterhook/runtime/json';
import { connectToSocket, listenOnSocket, type SocketTransport } from '@tenterhook/transport-socket';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import { withEnvironment } from '../support/environment.js';
import { runCli } from '../support/run-cli.js';
import { until } from '../support/until.js';
import { PageClient } from './page-client.js';

const command = (name: string, text: string, more: object = {}) => ({ type: 'command', name, command: text, ...more });
const writes = {
  matcher: 'write_file',
  hooks: [command('sum', 'sha256sum'), command('guard', 'echo no >&2; exit 2')],
};
const reads = { matcher: 'read_file', hooks: [command('reader', 'cat >/dev/null')] };
const settings = { hooks: { BeforeTool: [writes, reads] } };

let project: string;
let runtime: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'inspected-'));
  runtime = mkdtempSync(join(tmpdir(), 'live-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const directory of [project, runtime]) rmSync(directory, { recursive: true });
});

/** An agent in this process that others can attach to. */
async function openAgent(options: CreateHooksOptions = {}): Promise<Hooks> {
  let opened: Hooks | undefined;
  await withEnvironment({ XDG_RUNTIME_DIR: runtime }, async () => {
    opened = await createHooks({ projectDir: project, sessionId: 's1', settings, trust: 'all', inspect: true, ...options });
  });
  const hooks = opened as Hooks;
  closing.push(() => hooks.dispose());
  return hooks;
}

const socketOf = () => join(runtime, 'tenterhook', `${process.pid}.sock`);

async function inspect(socket = socketOf(), options: Partial<Parameters<typeof startInspector>[0]> = {}): Promise<[PageClient, Inspector]> {
  const inspector = await startInspector({ agent: { socket }, ...options });
  closing.push(() => inspector.close());
  return [PageClient.of(inspector), inspector];
}

const fireWrite = (hooks: Hooks, path = 'a.txt') => hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path } });

test('23. verdicts, hooks and times of a live run equal those of the recording of the same run', async () => {
  const file = join(project, 'run.bus.jsonl');
  const hooks = await openAgent({ record: { file } });
  const [page] = await inspect();
  const followed = await page.follow();
  for (const index of Array.from({ length: 10 }).keys()) await fireWrite(hooks, `${index}.txt`);
  await followed.until('all rows are answered', ({ rows }) => [...rows.values()].filter(({ state }) => state === 'answered').length === 10);
  const live = [...followed.rows.values()];
  await hooks.dispose();
  const { exchanges } = await readRecording(file);
  const recorded = await startInspector({ recordings: [file] });
  closing.push(() => recorded.close());
  const rows = await PageClient.of(recorded).follow();
  await rows.until('the recording is shown', ({ lines }) => lines.some(({ kind }) => kind === 'stats'));
  const withoutTime = (list: typeof live) => list.map(({ at: _at, ...row }) => row);
  expect(withoutTime(live)).toEqual(withoutTime([...rows.rows.values()]));
  expect(live.map(({ durationMs }) => durationMs)).toEqual(
    exchanges.map(({ response }) => valueAt(response?.payload, ['output', 'totalDuration'])),
  );
  expect([live[0]?.verdict, live[0]?.run, live[0]?.all, followed.wrong]).toEqual(['deny', 2, 3, []]);
});

test('24. a hook is seen while it runs; a timeout and a late end are seen without asking again', async () => {
  const gate = join(project, 'gate');
  const waiting = command('waiting', `touch "${gate}.begun"; while [ ! -e "${gate}" ]; do sleep 0.01; done`);
  const slow = command('slow', 'sleep 60', { timeout: 50 });
  const hooks = await openAgent({ settings: { hooks: { BeforeTool: [{ sequential: true, hooks: [waiting, slow] }] } } });
  const [page] = await inspect();
  const followed = await page.follow();
  const fired = fireWrite(hooks);
  await followed.until('the hook is seen running', ({ states }) => states.has('waiting running'));
  expect(followed.rows.get(0)).toMatchObject({
    state: 'running',
    hooks: [
      { name: 'waiting', status: 'running', timeoutMs: 60_000 },
      { name: 'slow', status: 'queued' },
    ],
  });
  const running = await page.details(0);
  expect([running.response, running.hooks.map(({ status }) => status)]).toEqual([null, ['running', 'queued']]);
  writeFileSync(gate, '');
  await fired;
  await followed.until('the event is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  expect(followed.rows.get(0)?.hooks.map(({ name, status, stage }) => [name, status, stage])).toEqual([
    ['waiting', 'succeeded', 1],
    ['slow', 'timed-out', 2],
  ]);
  expect(followed.wrong).toEqual([]);
});

test('25. stdin is shown as the hook has read it, byte for byte, and otherwise marked as reconstructed', async () => {
  const hooks = await openAgent({ inspect: { stdin: true } });
  const [page] = await inspect();
  await fireWrite(hooks, 'ä "quoted" \u2028.txt');
  await until(
    'the event is kept',
    async () => (await page.get('/api/events/0')).status === 200 && (await page.details(0)).response !== null,
  );
  const [sum, guard] = (await page.details(0)).hooks;
  expect(sum?.stdin).toMatchObject({ isWhole: true, isReconstructed: false });
  const text = sum?.stdin?.text ?? '';
  expect(sum?.stdout?.text).toContain(createHash('sha256').update(text).digest('hex'));
  expect([sum?.stdin?.bytes, sum?.cwd, guard?.stdin?.isReconstructed]).toEqual([Buffer.byteLength(text), project, false]);
  expect((await page.json('/api/events/0/hooks/0/stdin')).text).toBe(text);

  await hooks.dispose();
  const plain = await openAgent();
  const [other] = await inspect();
  await fireWrite(plain);
  await until(
    'the event is kept',
    async () => (await other.get('/api/events/0')).status === 200 && (await other.details(0)).response !== null,
  );
  const [made] = (await other.details(0)).hooks;
  expect(made?.stdin?.isReconstructed).toBe(true);
  expect(JSON.parse(made?.stdin?.text ?? '')).toMatchObject({ session_id: 's1', tool_name: 'write_file', tool_input: { path: 'a.txt' } });
});

test('hook-input: a long input is cut at a whole character, and without a listener no message is built', async () => {
  const hooks = await openAgent({ inspect: { stdin: true } });
  const inputs: { stdin: string; stdinBytes: number }[] = [];
  await fireWrite(hooks);
  const stop = hooks.onProgress((progress) => {
    if (progress.kind === 'hook-input') inputs.push(progress);
  });
  await fireWrite(hooks, 'ä'.repeat(100_000));
  stop();
  expect(inputs).toHaveLength(2);
  for (const { stdin, stdinBytes } of inputs) {
    // The last word may be half of a secret, so it is left out: here the last of 2048 characters of two bytes.
    expect(Buffer.byteLength(stdin)).toBeGreaterThan(61_000);
    expect(Buffer.byteLength(stdin)).toBeLessThanOrEqual(65_536);
    expect(stdin.endsWith('ä') && !stdin.includes('\ufffd') && stdinBytes > 200_000).toBe(true);
  }
});

test('26. a hook that did not run has the sentence of tenterhook explain', async () => {
  const file = join(project, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  const hooks = await openAgent({ settings: [file] });
  const [page] = await inspect();
  await fireWrite(hooks);
  await until(
    'the event is kept',
    async () => (await page.get('/api/events/0')).status === 200 && (await page.details(0)).response !== null,
  );
  const { notRun } = await page.details(0);
  const input = JSON.stringify({ tool_name: 'write_file', tool_input: { path: 'a.txt' } });
  const explained = await runCli(['explain', 'BeforeTool', '--settings', file, '--input', input, '--json'], { cwd: project });
  const reader = JSON.parse(explained.stdout).hooks.find(({ name }: { name: string }) => name === 'reader');
  expect(notRun).toEqual([{ hookId: expect.stringMatching(/reader$/), name: 'reader', skipReason: 'matcher', sentence: reader.reason }]);
});

test('34. explain with edited input says who would run now, names what is invalid, and starts nothing', async () => {
  const hooks = await openAgent();
  const [page] = await inspect();
  const started: string[] = [];
  hooks.onProgress(({ kind }) => started.push(kind));
  // biome-ignore lint/suspicious/noExplicitAny: The test reads the fields that it expects.
  const ask = async (path: string, input: object): Promise<any> => (await page.post(path, { eventName: 'BeforeTool', input })).json();
  const runs = ({ hooks: list }: { hooks: { name: string; runs: boolean }[] }) => list.filter((hook) => hook.runs).map(({ name }) => name);
  expect(runs(await ask('/api/explain', { tool_name: 'write_file', tool_input: {} }))).toEqual(['sum', 'guard']);
  expect(runs(await ask('/api/explain', { tool_name: 'read_file', tool_input: {} }))).toEqual(['reader']);
  expect(await ask('/api/explain', { tool_name: 5 })).toMatchObject({
    by: 'agent',
    issues: [
      { path: 'tool_name', message: expect.stringContaining('must be a string') },
      { path: 'tool_input', message: expect.stringContaining('must be an object') },
    ],
  });
  const preview = await ask('/api/preview', { tool_name: 'read_file', tool_input: { password: 'hunter2hunter2' } });
  expect(preview).toMatchObject({
    by: 'agent',
    hooks: [{ name: 'reader', stage: 1, kind: 'command', command: 'cat >/dev/null', cwd: project, env: expect.arrayContaining(['PATH']) }],
  });
  expect(JSON.stringify(preview)).not.toContain('hunter2');
  expect(JSON.stringify(preview)).not.toContain(process.env['PATH']);
  for (const [eventName, message] of [
    ['BeforTool', 'The agent cannot be asked (unsupported_event). There is no event "BeforTool". "tenterhook events" lists them.'],
    [
      `gh${'p_'}hunter2hunter2hunter2`,
      'The agent cannot be asked (unsupported_event). There is no event "***". "tenterhook events" lists them.',
    ],
  ]) {
    const refused = await page.post('/api/explain', { eventName, input: {} });
    expect([refused.status, await refused.json()]).toEqual([409, { error: { code: 'cannot_be_asked', message } }]);
  }
  expect(started).toEqual([]);
});

test('35. a broken settings file is shown with its place and what to do', async () => {
  const file = join(project, 'settings.json');
  writeFileSync(file, `{\n  "hooks": { "BeforeTool": [{ "hooks": [{ "type": "command", "command": "true", "timeout": "5s" }] }] }\n}\n`);
  await openAgent({ settings: [file] });
  const [page] = await inspect();
  const about = await page.json('/api/about');
  expect(about.diagnostics).toContainEqual(
    expect.objectContaining({ file, line: 2, path: expect.stringContaining('timeout'), remedy: expect.any(String) }),
  );
  expect(about.files).toContainEqual(expect.objectContaining({ file, state: 'read' }));
  expect(about.hooks).toContainEqual(expect.objectContaining({ eventName: 'BeforeTool', file, line: 2 }));
});

/** A hub with hooks that knows no queries, as that of an agent without `inspect`, or of an earlier version. */
async function openHub(path: string): Promise<{ hooks: Hooks; bus: MessageBus; hub: SocketTransport; close(): Promise<void> }> {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  const hooks = await createHooks({ projectDir: project, settings, trust: 'all', bus });
  const close = async () => {
    await hooks.dispose();
    await bus.close();
    await hub.close();
  };
  return { hooks, bus, hub, close };
}

test('19. and 21. an agent that refuses queries is shown, and the page says what cannot be asked', async () => {
  const path = join(runtime, 'bus');
  const agent = await openHub(path);
  closing.push(agent.close);
  await using transport = await connectToSocket({ path });
  await using bus = new MessageBus({ transport });
  for (const query of ['describe', 'explain', 'preview']) {
    expect((await bus.request('HOOK_SERVICE_QUERY', { query })).error?.code).toBe('no_responders');
  }
  const [page] = await inspect(path);
  const followed = await page.follow();
  await fireWrite(agent.hooks);
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  const details = await page.details(0);
  expect(details.hooks.map(({ stdin }) => stdin)).toEqual([undefined, undefined]);
  expect(details.notRun).toMatchObject([{ name: 'reader', sentence: 'The matcher does not match this event.' }]);
  expect((await page.json('/api/about')).source).toMatchObject({ canBeAsked: false, notes: [expect.stringContaining('cannot be asked')] });
  const refused = await page.post('/api/explain', { eventName: 'BeforeTool', input: {} });
  expect([refused.status, await refused.json()]).toEqual([409, { error: { code: 'cannot_be_asked', message: expect.any(String) } }]);
});

test('34. where the agent cannot be asked, settings files are asked, and the answer names them', async () => {
  const path = join(runtime, 'bus');
  const agent = await openHub(path);
  closing.push(agent.close);
  const [page] = await inspect(path, {
    askFiles: async (query, { eventName }) => ({ hooks: [{ hookId: 'h', wouldRun: true, reason: `${query} ${eventName}` }], issues: [] }),
  });
  const answer = await page.post('/api/explain', { eventName: 'BeforeTool', input: {} });
  expect(await answer.json()).toEqual({ by: 'files', hooks: [{ hookId: 'h', runs: true, sentence: 'explain BeforeTool' }], issues: [] });
});

test('20. an agent that ends and comes back: the state is shown, the list goes on, and there is one gap', async () => {
  const path = join(runtime, 'bus');
  const first = await openHub(path);
  const [page] = await inspect(path);
  const followed = await page.follow();
  await fireWrite(first.hooks);
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  await first.close();
  await followed.until('the loss is shown', ({ lines }) => lines.some((line) => line.kind === 'connection' && line.state === 'lost'));
  expect((await page.json('/api/about')).source.canBeAsked).toBe(false);
  const second = await openHub(path);
  closing.push(second.close);
  await followed.until('it is connected again', ({ lines }) => lines.some(({ kind }) => kind === 'gap'));
  await fireWrite(second.hooks);
  await followed.until('the next row is answered', ({ rows }) => rows.get(1)?.state === 'answered');
  const states = followed.lines.flatMap((line) => (line.kind === 'connection' ? [line.state] : []));
  expect(states).toEqual(['connected', 'lost', 'connected']);
  expect(followed.lines.filter(({ kind }) => kind === 'gap')).toEqual([{ kind: 'gap', from: 1, next: 1, why: 'disconnected' }]);
});

test('36. six readers of a live run, of which one goes and comes back, have the same rows', async () => {
  const hooks = await openAgent({ settings: { hooks: { BeforeTool: [{ hooks: [command('quick', 'true')] }] } } });
  const [page] = await inspect();
  const readers = await Promise.all(Array.from({ length: 6 }, () => page.follow()));
  const fire = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => fireWrite(hooks, `${index}`)));
  const isDone = (count: number) => (reader: (typeof readers)[number]) =>
    [...reader.rows.values()].filter(({ state }) => state === 'answered').length === count;
  await fire(20);
  await readers[0]?.until('the first rows are there', isDone(20));
  const [left] = readers;
  await left?.end();
  const stats = left?.lines.findLast((line) => line.kind === 'stats');
  const revision = stats?.kind === 'stats' ? stats.revision : 0;
  await fire(20);
  const after = Math.max(...(left?.rows.keys() ?? []));
  const back = await page.follow(`?after=${after}&revision=${revision}`);
  for (const [n, row] of left?.rows ?? []) back.rows.set(n, row);
  for (const reader of [back, ...readers.slice(1)]) await reader.until('all rows are there', isDone(40));
  for (const reader of [back, ...readers.slice(1)]) {
    expect([...reader.rows.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect([...reader.rows.entries()].sort(([a], [b]) => a - b)).toEqual([...(readers[1]?.rows ?? [])].sort(([a], [b]) => a - b));
    expect(reader.wrong).toEqual([]);
  }
});

test('another agent can be attached while the page is open: numbers of rows go on, and readers ask again', async () => {
  const first = await openAgent();
  const path = join(runtime, 'bus');
  const second = await openHub(path);
  closing.push(second.close);
  const [page] = await inspect(socketOf(), { findAgent: async (pid) => (pid === 2 ? { socket: path, name: 'second' } : undefined) });
  const followed = await page.follow();
  await fireWrite(first);
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  const revision = followed.lines.flatMap((line) => (line.kind === 'stats' ? [line.revision] : [])).at(-1);
  expect((await page.post('/api/attach', { pid: 'x' })).status).toBe(400);
  expect((await page.post('/api/attach', { pid: 3 })).status).toBe(409);
  expect(await (await page.post('/api/attach', { pid: 2 })).json()).toEqual({ pid: 2 });
  await followed.until('the stream has ended', ({ hasEnded }) => hasEnded);
  expect((await page.json('/api/about')).source).toMatchObject({ name: 'second', canBeAsked: false });
  const back = await page.follow(`?after=0&revision=${revision}`);
  const fresh = await page.follow();
  await fireWrite(second.hooks);
  for (const reader of [back, fresh]) {
    await reader.until('the row of the other agent is there', ({ rows }) => rows.get(1)?.state === 'answered');
    expect([reader.rows.has(0), reader.lines.some(({ kind }) => kind === 'gap')]).toEqual([false, false]);
    expect(reader.lines.findLast(({ kind }) => kind === 'stats')).toMatchObject({ total: 1, forgotten: 0 });
  }
  expect((await page.get('/api/events/0')).status).toBe(404);
});

test('the private recording is masked, and with mask: false the page shows originals', async () => {
  const secret = `gh${'p_'}hunter2hunter2hunter2`;
  const hooks = await openAgent({ settings: { hooks: { BeforeTool: [{ hooks: [command('quick', 'true')] }] } }, inspect: { stdin: true } });
  const [masked] = await inspect();
  const [open] = await inspect(socketOf(), { mask: false });
  await fireWrite(hooks, secret);
  for (const [page, holds] of [
    [masked, false],
    [open, true],
  ] as const) {
    await until(
      'the event is kept',
      async () => (await page.get('/api/events/0')).status === 200 && (await page.details(0)).response !== null,
    );
    expect(JSON.stringify(await page.details(0)).includes(secret)).toBe(holds);
  }
});
