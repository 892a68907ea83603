import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type HookRig, hookRig } from '@tenterhook/testing';
import { until } from '../../../../test/support/until.js';
import { openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

let rig: HookRig;
let place: Place;
let client: SdkClient | RawClient | undefined;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  place.remove();
  await rig.close();
});

async function openRaw(hooks: Parameters<typeof openPlace>[0], capabilities = {}): Promise<RawClient> {
  place = openPlace(hooks);
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize(capabilities);
  return raw;
}

const cancel = (raw: RawClient, requestId: unknown) =>
  raw.send({ method: 'notifications/cancelled', params: { requestId, reason: 'No longer needed.' } });
const cancelled = (requestId: unknown) =>
  expect.objectContaining({ method: 'notifications/cancelled', params: { requestId, reason: 'No longer needed.' } });

test('M10 a cancel while a hook of BeforeTool runs: the hook ends, the server never sees the call', async () => {
  const raw = await openRaw({ BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }] });
  const id = raw.call('echo');
  const run = await rig.nextRun('guard');
  cancel(raw, id);
  await run.ended;
  expect(await raw.ask('ping')).toMatchObject({ error: {} });
  expect(place.calls()).toEqual([]);
  expect(place.seen()).toContainEqual(cancelled(id));
});

test('M10 a cancel while the tool runs: the server is notified, and its late answer is dropped', async () => {
  const raw = await openRaw({ BeforeTool: [{ matcher: 'hang', command: 'true' }] });
  const id = raw.call('hang');
  await until('the server has the call', () => place.calls().length === 1);
  cancel(raw, id);
  const late = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'late' }] } };
  raw.request('mirror', { line: JSON.stringify(late) });
  expect(await raw.ask('ping')).toMatchObject({ error: {} });
  expect(place.seen()).toContainEqual(cancelled(id));
  // The late answer must not come as the answer to another request with the id.
  raw.call('hang');
  raw.request('resources/read', {}, id);
  raw.request('mirror', { line: JSON.stringify(late) });
  expect(await raw.next()).toEqual({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no method resources/read' } });
  expect(await raw.ask('ping')).toMatchObject({ error: {} });
});

test('M10 a cancel while a hook of AfterTool runs: no answer', async () => {
  const raw = await openRaw({ AfterTool: [{ matcher: 'echo', command: rig.command('check') }] });
  const id = raw.call('echo');
  const run = await rig.nextRun('check');
  cancel(raw, String(id));
  await run.ended;
  expect(await raw.ask('ping')).toMatchObject({ error: {} });
});

test('M10 a cancel while the user is asked: the question is withdrawn, and its late answer runs nothing', async () => {
  const raw = await openRaw({ BeforeTool: [{ matcher: 'echo', command: says({ decision: 'ask' }) }] }, { elicitation: {} });
  const id = raw.call('echo');
  const { id: questionId } = await raw.next();
  cancel(raw, id);
  expect(await raw.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: questionId, reason: 'The call was cancelled.' },
  });
  raw.send({ id: questionId, result: { action: 'accept', content: {} } });
  expect(await raw.ask('ping')).toMatchObject({ error: {} });
  expect(place.calls()).toEqual([]);
});

test('a call that waits for the same hooks goes on when another one is cancelled', async () => {
  const raw = await openRaw({ BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }] });
  const first = raw.call('echo', { n: 1 });
  const run = await rig.nextRun('guard');
  const second = raw.call('echo', { n: 2 });
  const other = await rig.nextRun('guard');
  cancel(raw, first);
  await run.ended;
  await other.exit(0);
  expect(await raw.next()).toMatchObject({ id: second });
});

test.each(sdks)('M10 an abort in the SDK %s while a hook runs, and while the tool runs', async (sdk) => {
  place = openPlace({ BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }] });
  const connected = await connect(sdk, place);
  client = connected;
  const control = new AbortController();
  const aborted = connected.call('echo', { text: 'x' }, { signal: control.signal }).catch((error: Error) => error);
  const run = await rig.nextRun('guard');
  control.abort('Enough.');
  expect(await aborted).toBeInstanceOf(Error);
  await run.ended;
  const slow = new AbortController();
  const stopped = connected.call('slow', {}, { signal: slow.signal }).catch((error: Error) => error);
  await until('the server has the call', () => place.calls().length === 1);
  slow.abort('Enough.');
  expect(await stopped).toBeInstanceOf(Error);
  await until('the server is notified', () => place.seen().filter(({ method }) => method === 'notifications/cancelled').length === 2);
  const next = connected.call('echo', { text: 'fine' });
  await (await rig.nextRun('guard')).exit(0);
  expect(textOf(await next)).toBe('fine');
});
