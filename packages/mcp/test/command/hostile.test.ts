import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';

let place: Place;
let client: RawClient;

/** One connection for all tests of a block, because each start takes a second on a busy machine. */
function withLink(hooks: Parameters<typeof openPlace>[0], dialect?: string): void {
  beforeAll(async () => {
    place = openPlace(hooks, dialect);
    client = new RawClient(place);
    await client.initialize();
  });
  afterAll(async () => {
    await client.close();
    place.remove();
  });
}

/** What the server has received since the last call, when it has read everything up to now. */
async function received(): Promise<Json[]> {
  await client.ask('mark');
  const all = place.seen();
  const from = all.slice(0, -1).findLastIndex(({ method }) => method === 'mark') + 1;
  return all.slice(from, -1);
}

const deny = { BeforeTool: [{ matcher: 'write_file', command: says({ decision: 'deny', reason: 'No.' }) }] };
const redact = {
  PostToolUse: [{ matcher: '', command: says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'hidden' } }) }],
  PostToolUseFailure: [
    { matcher: '', command: says({ hookSpecificOutput: { hookEventName: 'PostToolUseFailure', updatedToolOutput: 'hidden' } }) },
  ],
};

describe('a client that is not trusted', () => {
  withLink({ ...deny, AfterTool: [{ matcher: 'big', command: `cat > /dev/null; ${says({ decision: 'deny', reason: 'Too long.' })}` }] });

  test('M13 a line that is not valid JSON is answered with -32700, and not sent on', async () => {
    await received();
    for (const line of ['{"jsonrpc":', '\ufeff{"jsonrpc":"2.0","id":5,"method":"ping"}', 'tools/call', '{"id":1}{"id":2}', "{'id':1}"]) {
      client.write(line);
      expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
    }
    client.write('');
    client.write('   \r');
    expect(await received()).toEqual([]);
  });

  test.each([
    [
      'a duplicate key "method", the call last',
      '{"jsonrpc":"2.0","id":9,"method":"ping","method":"tools/call","params":{"name":"write_file","arguments":{}}}',
    ],
    [
      'a duplicate key "name"',
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","name":"write_file","arguments":{}}}',
    ],
    ['a method with an escape', '{"jsonrpc":"2.0","id":9,"method":"tools\\u002fcall","params":{"name":"write\\u005ffile","arguments":{}}}'],
  ])('M13 %s: the call is denied', async (_, line) => {
    client.write(line);
    expect(textOf(await client.next())).toBe('No.');
    expect(await received()).toEqual([]);
  });

  test('M13 a duplicate key, the call first: the server receives what we have read', async () => {
    client.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"write_file"},"method":"ping"}');
    expect(await client.next()).toMatchObject({ id: 9, error: { code: -32601 } });
    expect(JSON.stringify((await received()).at(-1))).toBe('{"jsonrpc":"2.0","id":9,"method":"ping","params":{"name":"write_file"}}');
  });

  test('M13 keys "__proto__" and messages of two kinds are refused', async () => {
    await received();
    const lines = [
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"write_file","arguments":{"__proto__":{"path":"/etc"}}}}',
      '{"jsonrpc":"2.0","id":9,"__proto__":{"method":"tools/call","params":{"name":"write_file"}},"method":"ping"}',
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"__proto__":{"name":"write_file"},"name":"echo"}}',
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"write_file"},"result":{}}',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{"name":"write_file"}}',
      '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"write_file"}}',
      '{"jsonrpc":"2.0","id":9,"method":["tools/call"],"params":{"name":"write_file"}}',
      '{"jsonrpc":"2.0","id":9,"params":{"name":"write_file"}}',
      '"tools/call"',
    ];
    for (const line of lines) {
      client.write(line);
      const { error, result } = (await client.next()) as { error?: Json; result?: Json };
      expect(error?.['code'] === -32600 || result?.['isError'] === true).toBe(true);
    }
    // A call without an id cannot be answered, so it is dropped.
    client.send({ method: 'tools/call', params: { name: 'write_file', arguments: {} } });
    expect(await received()).toEqual([]);
  });

  test('M13 what a reader that ignores the case of keys, or ends a text at NUL, would take for another call is refused', async () => {
    await received();
    const lines = [
      '"method":"ping","Method":"tools/call","params":{"name":"write_file"}',
      '"method":"ping","method\\u0000":"tools/call","params":{"name":"write_file"}',
      '"method":"tools/call","params":{"name":"echo"},"paramſ":{"name":"write_file"}',
      '"method":"tools/call","params":{"name":"echo","Name":"write_file"}',
      '"method":"tools/call","params":{"name":"echo","arguments":{},"ARGUMENTS":{"path":"/etc"}}',
      '"method":"tasks/result","params":{"taskId":"a","taskid":"b"}',
      '"method":"tools/call\\u0000","params":{"name":"write_file"}',
      '"method":"Tools/Call","params":{"name":"write_file"}',
      '"method":" tools/call ","params":{"name":"write_file"}',
      '"method":"tools/call","params":{"name":"write_file\\u0000"}',
    ];
    for (const line of lines) {
      client.write(`{"jsonrpc":"2.0","id":9,${line}}`);
      expect([line, await client.next()]).toMatchObject([line, { id: 9, error: { code: -32600 } }]);
    }
    expect(await received()).toEqual([]);
  });

  test('a response that cannot be passed on does not answer a request with the same id', async () => {
    client.request('tools/call', { name: 'hang', arguments: {} }, 2000);
    await received();
    client.write(`{"jsonrpc":"2.0","id":2000,"result":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`);
    expect((await received()).filter(({ method }) => method === undefined)).toMatchObject([{ id: 2000, error: { code: -32603 } }]);
  });

  test('a batch with too many messages is refused as a whole', async () => {
    await received();
    client.write(`[${'0,'.repeat(200_000)}0]`);
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await received()).toEqual([]);
  });

  test('M13 a line of 20 MB is hooked, in both directions', async () => {
    client.call('write_file', { content: 'x'.repeat(20_000_000) });
    expect(textOf(await client.next())).toBe('No.');
    expect(await received()).toEqual([]);
    client.call('big');
    const { content } = (await client.next())['result'] as { content: Json[] };
    expect([String(content[0]?.['text']).length, content[1]?.['text']]).toEqual([20_000_010, 'Too long.']);
  });

  test('M13 a message that is nested too deeply is refused', async () => {
    await received();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    client.write(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"write_file","arguments":{"a":${deep}}}}`);
    const { error, result } = (await client.next()) as { error?: Json; result?: Json };
    expect(error !== undefined || result?.['isError'] === true).toBe(true);
    client.write(`{"jsonrpc":"2.0","id":10,"method":"ping","params":{"a":${deep}}}`);
    expect(await client.next()).toMatchObject({ id: 10, error: { code: -32600 } });
    expect(await received()).toEqual([]);
  });

  test('a second request with an open id is refused', async () => {
    client.request('tools/call', { name: 'hang', arguments: {} }, 1000);
    client.request('tools/call', { name: 'echo', arguments: {} }, '1000');
    expect(await client.next()).toMatchObject({
      id: '1000',
      error: { code: -32600, message: 'The message has the id "1000" of a request that has no answer yet.' },
    });
    expect(await received()).toMatchObject([{ id: 1000 }]);
  });
});

describe('a server that is not trusted', () => {
  withLink(redact, 'claude-code');

  test.each(['twice', 'otherIdType', 'both', 'duplicateKeys', 'requestAndResponse', 'otherCase', 'big', 'protocolError', 'noObject'])(
    'what a server answers by "%s" does not pass the hooks of AfterTool',
    async (tool) => {
      const id = client.call(tool);
      const answer = await client.next();
      expect(answer).toMatchObject({ id });
      // A second response to a request that has its answer.
      const late = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'sk-secret' }] } };
      client.send({ method: 'mirror', params: { line: JSON.stringify(late) } });
      await received();
      expect(client.lines.join('\n')).not.toContain('sk-secret');
      expect(JSON.stringify(answer)).toContain('hidden');
    },
  );
});

describe('what a server writes beside results', () => {
  withLink(deny);

  test('a line of the server that is not a message goes to stderr, escaped', async () => {
    client.call('noise');
    expect(textOf(await client.next())).toBe('fine');
    await until('both lines are on stderr', () => client.stderr.includes('{"broken":'));
    expect(client.stderr).toContain('tenterhook-mcp files: The server wrote a line that is not a message: Server \\x1b[31mready\n');
    expect(client.stderr).toContain('not a message: {"broken":\n');
    expect(client.lines.every((line) => line.startsWith('{"jsonrpc":"2.0"'))).toBe(true);
  });

  test('a result with an error that is null counts as a result', async () => {
    client.call('nullError');
    expect(textOf(await client.next())).toBe('fine');
  });

  test('a result of the server that cannot be written is an error', async () => {
    const id = client.call('deep');
    expect(await client.next()).toMatchObject({ id, error: { code: -32603 } });
  });
});
