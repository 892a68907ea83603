import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type Elicit, type SdkClient, sdks } from '../rig/sdk-clients.js';

let place: Place;
let client: SdkClient | RawClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
  place.remove();
});

const ask = says({ decision: 'ask', reason: 'It writes.' });
const asking = { BeforeTool: [{ matcher: 'write_file|choose|echo', command: ask }] };
const question = 'May write_file of the MCP server "files" run?\nIt writes.\n\n{\n  "path": "a",\n  "content": "b"\n}';
const input = { path: 'a', content: 'b' };

describe.each(sdks)('M8 and M9 with the SDK %s', (sdk) => {
  test('the user accepts, declines and cancels', async () => {
    place = openPlace({
      ...asking,
      Notification: [{ matcher: 'ToolPermission', command: 'cat >> "$LLXPRT_PROJECT_DIR/notes"; echo >> "$LLXPRT_PROJECT_DIR/notes"' }],
    });
    const answers = ['accept', 'decline', 'cancel'];
    const asked: Json[] = [];
    const elicit: Elicit = (params) => {
      asked.push(params);
      const action = answers[asked.length - 1];
      return action === 'accept' ? { action, content: {} } : { action };
    };
    const connected = await connect(sdk, place, { elicit });
    client = connected;
    expect(textOf(await connected.call('write_file', input))).toBe('wrote b to a');
    for (const _ of ['decline', 'cancel']) {
      expect(await connected.call('write_file', input)).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'The user did not allow it. It writes.' }],
      });
    }
    expect(asked.map(({ message }) => message)).toEqual([question, question, question]);
    const [call, ...others] = place.calls() as { params: Json }[];
    expect([call?.params['arguments'], others]).toEqual([input, []]);
    // Nothing of our question reaches the server.
    expect(JSON.stringify(place.seen())).not.toMatch(/tenterhook|requestState|inputResponses/);
    const notes = () => readFileSync(`${place.directory}/notes`, 'utf8').trim().split('\n');
    await until('hooks have received each question', () => notes().length === 3);
    expect(JSON.parse(notes()[0] as string)).toMatchObject({
      notification_type: 'ToolPermission',
      details: { tool_name: 'write_file', mcp_server: 'files' },
    });
  });

  test('without the capability, and with --no-elicitation, an ask is a deny', async () => {
    place = openPlace(asking);
    const refused = { isError: true, content: [{ type: 'text', text: 'It needs confirmation, but no user could be asked. It writes.' }] };
    const connected = await connect(sdk, place);
    client = connected;
    expect(await connected.call('write_file', input)).toMatchObject(refused);
    const silent = await connect(sdk, place, { elicit: () => ({ action: 'accept', content: {} }), flags: ['--no-elicitation'] });
    expect(await silent.call('write_file', input)).toMatchObject(refused);
    await silent.close();
    expect(place.calls()).toEqual([]);
  });
});

test('M8 a client that is gone while it is asked: the call does not run, and everything ends', async () => {
  place = openPlace(asking);
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize({ elicitation: { form: {} } });
  raw.call('write_file', input);
  expect(await raw.next()).toMatchObject({ method: 'elicitation/create' });
  expect(await raw.close()).toEqual({ status: 0, signal: null });
  expect(place.calls()).toEqual([]);
});

test('M8 an invalid answer, and an error, refuse the call', async () => {
  place = openPlace(asking);
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize({ elicitation: {} });
  for (const answer of [{ error: { code: -32601, message: 'no' } }, { result: null }, { result: {} }, { result: { action: 'allow' } }]) {
    const id = raw.call('write_file', input);
    const { id: questionId } = await raw.next();
    // The id of a question cannot be guessed, and another id answers nothing.
    expect(questionId).toMatch(/^tenterhook\.[0-9a-f-]{36}\.\d+$/);
    raw.send({ id: 'other', result: { action: 'accept', content: {} } });
    raw.send({ id: questionId, ...answer });
    expect(await raw.next()).toMatchObject({ id, result: { isError: true } });
  }
  expect(place.calls()).toEqual([]);
});

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

describe('M9 the protocol 2026-07-28', () => {
  /** Calls a tool, and returns the result. */
  const callOf = (raw: RawClient) => async (params: Json) =>
    (await raw.ask('tools/call', { name: 'write_file', arguments: input, _meta: meta, ...params }))['result'] as Json;
  const accepted = { 'tenterhook.approval': { action: 'accept', content: {} } };

  test('a forged, a foreign and a used state are asked again, and reach the server never', async () => {
    place = openPlace(asking);
    const raw = new RawClient(place);
    client = raw;
    const call = callOf(raw);
    const first = await call({});
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'tenterhook.approval': { method: 'elicitation/create' } },
    });
    const { requestState } = first;
    const isAsked = (result: Json) => expect(result['resultType']).toBe('input_required');
    isAsked(await call({ inputResponses: accepted }));
    isAsked(await call({ inputResponses: accepted, requestState: 'forged' }));
    isAsked(await call({ inputResponses: accepted, requestState: 'tenterhook.state.forged' }));
    // The state is of another call.
    isAsked(await call({ inputResponses: accepted, requestState, arguments: { path: '/etc/passwd' } }));
    isAsked(await call({ inputResponses: accepted, requestState, name: 'echo' }));
    isAsked(await call({ requestState }));
    expect(place.calls()).toEqual([]);
    const again = await call({});
    const run = await call({ inputResponses: accepted, requestState: again['requestState'] });
    expect(run['resultType']).toBeUndefined();
    isAsked(await call({ inputResponses: accepted, requestState: again['requestState'] }));
    expect(place.calls()).toHaveLength(1);
    expect(JSON.stringify(place.calls())).not.toMatch(/tenterhook|requestState|inputResponses/);
  });

  test('a hook that denies on the way back wins, and so does one that rewrites', async () => {
    place = openPlace(asking);
    const raw = new RawClient(place);
    client = raw;
    const call = callOf(raw);
    const first = await call({});
    place.writeHooks({
      BeforeTool: [{ matcher: 'write_file', command: says({ decision: 'ask', hookSpecificOutput: { tool_input: { content: 'other' } } }) }],
    });
    await until('the new hooks count', async () => JSON.stringify(await call({})).includes('other'));
    expect(await call({ inputResponses: accepted, requestState: first['requestState'] })).toMatchObject({ resultType: 'input_required' });
    const second = await call({});
    place.writeHooks({ BeforeTool: [{ matcher: 'write_file', command: says({ decision: 'deny', reason: 'Never.' }) }] });
    await until('the new hooks count', async () => textOf(await call({})) === 'Never.');
    expect(textOf(await call({ inputResponses: accepted, requestState: second['requestState'] }))).toBe('Never.');
    expect(place.calls()).toEqual([]);
  });

  test('questions of the server after ours work, and the user is asked by us once', async () => {
    place = openPlace(asking);
    const asked: unknown[] = [];
    const connected = await connect('2.x, 2026-07-28', place, {
      elicit: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: message === 'Which colour?' ? { colour: 'red' } : {} };
      },
    });
    client = connected;
    expect(textOf(await connected.call('choose', { thing: 'hat' }))).toBe('red hat, state of the server');
    expect(asked).toEqual([expect.stringContaining('May choose'), 'Which colour?']);
    const [first, second] = place.calls() as { params: Json }[];
    expect(first?.params).not.toHaveProperty('requestState');
    expect(second?.params).toMatchObject({ requestState: 'state of the server', inputResponses: { colour: { action: 'accept' } } });
  });

  test('a question of ours in the middle keeps what belongs to the server', async () => {
    place = openPlace(asking);
    const raw = new RawClient(place);
    client = raw;
    const call = callOf(raw);
    const ofServer = { requestState: 'of the server', inputResponses: { colour: { action: 'accept', content: { colour: 'red' } } } };
    const { requestState } = await call(ofServer);
    await call({ inputResponses: accepted, requestState });
    const [sent] = place.calls() as { params: Json }[];
    expect(sent?.params).toMatchObject({ arguments: input, ...ofServer });
    expect(Object.keys((sent?.params['inputResponses'] ?? {}) as Json)).toEqual(['colour']);
  });

  test('if the hooks are gone when the answer comes, nothing of it reaches the server, and a refusal of the user stays', async () => {
    place = openPlace(asking);
    const raw = new RawClient(place);
    client = raw;
    const call = callOf(raw);
    const [first, second, third] = [await call({}), await call({}), await call({})];
    place.writeHooks({});
    await until('the hooks are gone', async () => (await call({}))['resultType'] === undefined);
    const calls = place.calls().length;
    const refused = { 'tenterhook.approval': { action: 'decline' } };
    expect(await call({ inputResponses: refused, requestState: second['requestState'] })).toMatchObject({ isError: true });
    expect(place.calls()).toHaveLength(calls);
    await call({ inputResponses: accepted, requestState: first['requestState'] });
    await call({ inputResponses: accepted, requestState: third['requestState'], _meta: {} });
    await call({ inputResponses: accepted, requestState: first['requestState'] });
    expect(place.calls()).toHaveLength(calls + 3);
    expect(JSON.stringify(place.calls())).not.toMatch(/tenterhook|requestState|inputResponses/);
  });
});

test('a second answer of the client to a question of ours does not reach the server', async () => {
  place = openPlace(asking);
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize({ elicitation: {} });
  raw.call('write_file', input);
  const { id } = await raw.next();
  for (const action of ['decline', 'accept']) raw.send({ id, result: { action } });
  expect(await raw.next()).toMatchObject({ result: { isError: true } });
  await raw.ask('ping');
  expect(place.seen().filter(({ method }) => method === undefined)).toEqual([]);
});
