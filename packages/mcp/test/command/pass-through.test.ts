import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { type Json, openPlace, type Place, RawClient, textOf } from '../rig/link-rig.js';
import { connect, sdks } from '../rig/sdk-clients.js';

let place: Place;
let client: RawClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
  place.remove();
});

const anyTool = {
  BeforeTool: [{ matcher: 'no_such_tool', command: 'exit 2' }],
  AfterTool: [{ matcher: 'no_such_tool', command: 'exit 2' }],
};

describe.each(sdks)('M1 with the SDK %s', (sdk) => {
  test('lists, resources and prompts are as without the command', async () => {
    place = openPlace(anyTool);
    const hooked = await connect(sdk, place);
    const plain = await connect(sdk, place, { wrap: (transport) => transport });
    const ask = async ({ client }: typeof hooked) => [
      await client.listTools(),
      await client.listResources(),
      await client.readResource({ uri: 'memo://note' }),
      await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } }),
      await (client as { callTool(call: object): Promise<unknown> }).callTool({ name: 'echo', arguments: { text: 'hi' } }),
      await client.readResource({ uri: 'memo://unknown' }).catch((error: Error) => error.message),
    ];
    expect(await ask(hooked)).toEqual(await ask(plain));
    await Promise.all([hooked.close(), plain.close()]);
  });
});

test('M1 unknown methods and notifications pass both ways, in order', async () => {
  place = openPlace(anyTool);
  client = new RawClient(place);
  await client.initialize({ sampling: {} });
  const sent: Json[] = [
    { id: 'a', method: 'unknown/method', params: { x: 1 } },
    { method: 'notifications/unknown', params: { y: [] } },
    { id: 7, method: 'ping' },
    { id: 'answer', result: { roots: [] } },
    { id: 'failed', error: { code: 1, message: 'no' } },
  ];
  for (const message of sent) client.send(message);
  const mirrored = [
    { jsonrpc: '2.0', id: 'q', method: 'roots/list' },
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } },
    { jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: {} },
  ];
  for (const message of mirrored) client.send({ method: 'mirror', params: { line: JSON.stringify(message) } });
  expect([await client.next(), await client.next()].map(({ id }) => id)).toEqual(['a', 7]);
  expect([await client.next(), await client.next(), await client.next()]).toEqual(mirrored);
  expect(place.seen().slice(2, 7)).toEqual(sent.map((message) => ({ jsonrpc: '2.0', ...message })));
});

test('M14 a batch is taken apart, and each message is answered for itself', async () => {
  place = openPlace({ BeforeTool: [{ matcher: 'write_file', command: "echo 'Not here.' >&2; exit 2" }] });
  client = new RawClient(place);
  await client.initialize();
  client.write(
    JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write_file', arguments: {} } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } },
      [],
      7,
    ]),
  );
  const answers = [await client.next(), await client.next(), await client.next(), await client.next()];
  expect(answers.filter(({ id }) => id === null).map(({ error }) => (error as Json)['code'])).toEqual([-32600, -32600]);
  expect(textOf(answers.find(({ id }) => id === 1) as Json)).toBe('Not here.');
  expect(textOf(answers.find(({ id }) => id === 2) as Json)).toContain('"echo"');
  expect(place.calls().map(({ id }) => id)).toEqual([2]);
  client.write('[]');
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
});

test('M15 without hooks every message has the same JSON, and nothing is sent on the bus', async () => {
  place = openPlace();
  const recording = `${place.directory}/bus.jsonl`;
  client = new RawClient({ ...place, env: { ...place.env, TENTERHOOK_RECORD: recording } });
  await client.initialize();
  const line =
    '{"jsonrpc":"2.0","id":"x/1","method":"tools/call","params":{"name":"echo","arguments":{"text":"a\\u2028b é 😀","n":[1.5,-0.25,1e21,null,true],"__proto__":{"a":1},"":{}},"_meta":{"progressToken":0},"more":{}}}';
  client.write(line);
  const answer = await client.next();
  expect(JSON.stringify(JSON.parse(textOf(answer)))).toBe(JSON.stringify(JSON.parse(line)));
  client.call('secret');
  expect(await client.next()).toEqual({
    jsonrpc: '2.0',
    id: 2,
    result: {
      content: [{ type: 'text', text: 'the key is sk-secret' }],
      structuredContent: { key: 'sk-secret' },
      _meta: { note: 'sk-secret' },
    },
  });
  // The server refuses arguments that are not an object.
  client.request('tools/call', { name: 'echo', arguments: [1] });
  expect(textOf(await client.next())).toContain('"arguments":[1]');
  expect(await client.close()).toEqual({ status: 0, signal: null });
  const messages = readFileSync(recording, 'utf8')
    .split('\n')
    .filter((text) => text.includes('HOOK_EXECUTION'));
  expect(messages).toEqual([]);
});

describe('the text of messages that no hook changes', () => {
  const exact =
    '{"jsonrpc":"2.0", "id":"x", "method":"tools/call","params":{"name":"echo","arguments":{"n":[12345678901234567890,1.0,1e2,-0,0.1000000000000000055]}}}';
  const lineOf = async (raw: RawClient, line: string) => {
    raw.write(line);
    return textOf(await raw.next());
  };

  test.each([
    ['without hooks', {}],
    ['with hooks of other tools', anyTool],
  ])('reaches the server and the client as it is, with every digit: %s', async (_, hooks) => {
    place = openPlace(hooks);
    client = new RawClient(place);
    await client.initialize();
    expect(await lineOf(client, exact)).toBe(exact);
    const answer = '{"jsonrpc":"2.0","id":1, "result":{"content":[],"structuredContent":{"n":98765432109876543210,"f":2.50}}}';
    const line = answer.replace('"id":1', `"id":${String(client.call('hang'))}`);
    client.request('mirror', { line });
    await client.next();
    expect(client.lines.at(-1)).toBe(line);
  });

  test('has the numbers that hooks received, if hooks received the message', async () => {
    const hook = { matcher: 'echo|hang', command: 'true' };
    place = openPlace({ BeforeTool: [hook], AfterTool: [hook] });
    client = new RawClient(place);
    await client.initialize();
    const kept = '{"jsonrpc":"2.0", "id":"x","method":"tools/call","params":{"name":"echo","arguments":{"n":[123456789012345,1.0,1e2]}}}';
    expect(await lineOf(client, kept)).toBe(kept);
    expect(await lineOf(client, exact)).toBe(JSON.stringify(JSON.parse(exact)));
    const answerHang = async (result: string) => {
      const id = client?.call('hang');
      await until('the server has the call', () => place.calls().some((call) => call['id'] === id));
      client?.request('mirror', { line: `{"jsonrpc":"2.0","id":${String(id)},"result":${result}}` });
      await client?.next();
      return JSON.parse(client?.lines.at(-1) ?? '') as Json;
    };
    await answerHang('{"content":[],"structuredContent":{"n":98765432109876543210}}');
    expect(client.lines.at(-1)).toContain('"n":98765432109876540000');
    for (const number of [`7${'1'.repeat(400)}`, '1e999']) {
      const { error, result } = await answerHang(`{"content":[],"structuredContent":{"n":${number}}}`);
      const message = 'The result was withheld, because a number in it is too large for hooks.';
      expect([error, result]).toEqual([{ code: -32603, message }, undefined]);
    }
  });

  describe('ids and progress tokens keep their digits, if hooks received the message', () => {
    const long = '12345678901234567891';
    const other = '12345678901234567892';
    const lineWith = (id: string, args: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":{"progressToken":${other}},"name":"echo","arguments":${args}}}`;
    const start = async (hooks: Parameters<typeof openPlace>[0]) => {
      place = openPlace(hooks);
      client = new RawClient(place);
      await client.initialize();
      return client;
    };

    test('that no hook changed', async () => {
      const raw = await start({ BeforeTool: [{ command: 'true' }], AfterTool: [{ command: 'true' }] });
      const line = lineWith(long, '{"n":1.50}');
      expect(await lineOf(raw, line)).toBe(line);
      expect(raw.lines.at(-1)).toContain(`"id":${long},`);
    });

    test('whose arguments and whose result hooks changed', async () => {
      const before = { command: `echo '{"hookSpecificOutput":{"tool_input":{"n":2}}}'` };
      const after = { command: `echo '{"hookSpecificOutput":{"additionalContext":"house rule"}}'` };
      const raw = await start({ BeforeTool: [before], AfterTool: [after] });
      expect(await lineOf(raw, lineWith(long, '{"n":1}'))).toBe(lineWith(long, '{"n":2}'));
      expect(raw.lines.at(-1)).toContain('house rule');
      expect(raw.lines.at(-1)).toContain(`"id":${long},`);
    });

    test('that hooks refused', async () => {
      const raw = await start({ BeforeTool: [{ command: "echo 'Not here.' >&2; exit 2" }] });
      expect(await lineOf(raw, lineWith(long, '{}'))).toBe('Not here.');
      expect(raw.lines.at(-1)).toContain(`"id":${long},`);
      expect(place.calls()).toEqual([]);
    });

    test('whose answer cannot be passed on', async () => {
      const raw = await start({});
      raw.write(lineWith(long, '{}').replace('echo', 'hang'));
      await until('the server has the call', () => place.calls().length === 1);
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      raw.request('mirror', { line: `{"jsonrpc":"2.0","id":${long},"result":{"a":${deep}}}` });
      await raw.next();
      expect(raw.lines.at(-1)).toContain(`"id":${long},"error":{"code":-32603`);
    });

    test('and of two requests with one id for JavaScript, the second is refused until the first has ended', async () => {
      const raw = await start({ BeforeTool: [{ command: 'true' }] });
      raw.write(lineWith(long, '{}').replace('echo', 'hang'));
      raw.write(lineWith(other, '{}'));
      await raw.next();
      expect(raw.lines.at(-1)).toContain(`"id":${other},"error":{"code":-32600`);
      raw.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${long}}}`);
      raw.write(lineWith(other, '{}'));
      await raw.next();
      expect(raw.lines.at(-1)).toContain(`"id":${other},"result"`);
    });
  });

  test.each([
    ['two equal keys', '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"echo","arguments":{"a":1.0,"\\u0061":2.0}}}'],
    ['two equal keys of the call', '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"echo","name":"echo"}}'],
  ])('is written anew if readers could differ: %s', async (_, line) => {
    place = openPlace();
    client = new RawClient(place);
    await client.initialize();
    expect(await lineOf(client, line)).toBe(JSON.stringify(JSON.parse(line)));
  });

  test('is one line for every reader', async () => {
    place = openPlace();
    client = new RawClient(place);
    await client.initialize();
    const text = await lineOf(
      client,
      '{"jsonrpc":"2.0","id":"x",\r"method":"tools/call","params":{"name":"echo","arguments":{"a":"b\u2028c"}}}\r',
    );
    expect(text).toContain('"b\\u2028c"');
    expect(text).not.toMatch(/[\r\u2028]/);
  });
});
