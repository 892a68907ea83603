import { defaultLimits } from '@tenterhook/spawner';
import { hookOf, toolEvent } from '../../../engine-rig.js';
import { closeAll, closedOf, executorWith, invocationOf, loopback, post, saidBy, serve, serveRaw } from './http-rig.js';

afterEach(closeAll);

describe('a request', () => {
  test('is a POST of the body as JSON, with the headers of the hook', async () => {
    const server = await serve((response) => response.end('{"ok":true}'));
    const exit = await post(executorWith(), `${server.url}?a=1&b=%20`, { body: '{"text":"é"}', headers: { 'X-Token': 's3cret' } });
    expect(exit).toEqual({ kind: 'response', status: 200, body: '{"ok":true}', truncated: false, durationMs: expect.any(Number) });
    expect(server.heard).toMatchObject([{ method: 'POST', url: '/hook?a=1&b=%20', body: '{"text":"é"}' }]);
    expect(server.heard[0]?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'x-token': 's3cret',
      'content-length': '13',
      connection: 'close',
    });
  });

  test('may have another content type and host, in whatever letters they are written', async () => {
    const server = await serve((response) => response.end());
    await post(executorWith(), server.url, { headers: { 'Content-TYPE': 'application/vnd.hook+json', HOST: 'example.org' } });
    expect(server.heard[0]?.headers).toMatchObject({ 'content-type': 'application/vnd.hook+json', host: 'example.org' });
  });

  test('sends the credentials of its URL, unless a header says others', async () => {
    const server = await serve((response) => response.end());
    const url = server.url.replace('http://', 'http://us%40er:p%zz@');
    await post(executorWith(), url);
    await post(executorWith(), url, { headers: { Authorization: 'Bearer t' } });
    expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from('us@er:p%zz').toString('base64')}`,
      'Bearer t',
    ]);
  });

  test('tells its start before anything is sent', async () => {
    const happened: string[] = [];
    const server = await serve((response) => {
      happened.push('heard');
      response.end();
    });
    await post(executorWith(), server.url, { onStart: () => happened.push('started') });
    expect(happened).toEqual(['started', 'heard']);
  });

  test('has its own connection, which is closed after it', async () => {
    const server = await serve((response) => response.end('{}'));
    const executor = executorWith();
    await post(executor, server.url);
    await post(executor, server.url);
    expect(server.connections).toHaveLength(2);
    await closedOf(server);
  });
});

describe('an answer', () => {
  test.each([204, 404, 500])("with the status %i is the dialect's to read", async (status) => {
    const server = await serve((response) => response.writeHead(status).end());
    expect(await post(executorWith(), server.url)).toMatchObject({ kind: 'response', status, body: '', truncated: false });
  });

  test('that redirects is an answer and is not followed', async () => {
    const secret = await serve((response) => response.end('the metadata of the machine'));
    const server = await serve((response) => response.writeHead(307, { location: secret.url }).end('elsewhere'));
    expect(await post(executorWith(), server.url)).toMatchObject({ status: 307, body: 'elsewhere' });
    expect(secret.connections).toEqual([]);
  });

  test('in pieces that cut a character in two is whole, and a byte order mark is left in it', async () => {
    const bytes = Buffer.from('\uFEFF{"a":"€"}');
    const server = await serve((response) => {
      response.write(bytes.subarray(0, 11));
      setImmediate(() => response.end(bytes.subarray(11)));
    });
    expect(await post(executorWith(), server.url)).toMatchObject({ body: '\uFEFF{"a":"€"}' });
  });

  test('without a length ends with its connection', async () => {
    const server = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'));
    expect(await post(executorWith(), server.url)).toMatchObject({ status: 200, body: '{"a":1}' });
  });

  test('that is longer than what is kept is cut off on a whole character, and not read to its end', async () => {
    const server = await serve((response) => {
      const flood = () => {
        while (!response.destroyed && response.write('€'.repeat(10_000)));
      };
      response.on('drain', flood).on('error', () => {});
      flood();
    });
    const executor = executorWith({ allowPrivateAddresses: loopback, limits: { stdoutBytes: 1000 } });
    expect(await post(executor, server.url)).toEqual({
      kind: 'response',
      status: 200,
      body: '€'.repeat(333),
      truncated: true,
      durationMs: expect.any(Number),
    });
    await closedOf(server);
  });

  test('of exactly so many bytes is whole', async () => {
    const server = await serve((response) => response.end('12345'));
    const executor = executorWith({ allowPrivateAddresses: loopback, limits: { stdoutBytes: 5 } });
    expect(await post(executor, server.url)).toMatchObject({ body: '12345', truncated: false });
  });

  test('behind an interim one is the one that counts', async () => {
    const server = await serveRaw((socket) => {
      socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    expect(await post(executorWith(), server.url)).toMatchObject({ status: 200, body: '{}' });
  });
});

describe('a server that does not answer', () => {
  const failed = (says: string) => ({ kind: 'unrunnable', code: 'request_failed', message: expect.stringContaining(says) });

  test('because nothing listens there', async () => {
    const server = await serve(() => {});
    await closeAll();
    expect(await post(executorWith(), server.url)).toMatchObject(failed(`no server listens at 127.0.0.1:${server.port}. Start the server`));
  });

  test('because its name does not exist', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    expect(await post(executorWith({ resolve }), 'https://user:pw@hooks.example/x?token=1')).toMatchObject(
      failed('the host name in "hooks.example" does not exist'),
    );
  });

  test.each<[string, string]>([
    ['before it said anything', ''],
    ['in the middle of its headers', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['before its answer is as long as it said', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"decision":"allow"}'],
    ['before its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n14\r\n{"decision":"allow"}\r\n'],
    ['after it has asked for another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('because it ends the connection %s', async (_, text) => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.end(text)));
    expect(await post(executorWith(), server.url)).toMatchObject(failed('closed the connection before the answer was complete'));
  });

  test('because it resets the connection', async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(executorWith(), server.url)).toMatchObject(failed('closed the connection'));
  });

  test('because it speaks something else', async () => {
    const server = await serveRaw((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect(await post(executorWith(), server.url)).toMatchObject(failed('sent an answer that is not HTTP'));
    expect(await post(executorWith(), server.url.replace('http:', 'https:'))).toMatchObject(failed('the secure connection to'));
  });
});

describe('what cannot be sent', () => {
  const unusable = (says: string) => ({ kind: 'unrunnable', code: 'invalid_input', message: expect.stringContaining(says), durationMs: 0 });

  test.each<[string, Record<string, unknown>, string]>([
    ['a header with a line break', { 'X-Token': 's3cret\r\nHost: evil' }, 'the value of the header "X-Token" cannot be sent'],
    ['a header that is not Latin', { 'X-Token': 's3cret→' }, 'the value of the header "X-Token"'],
    ['a header that is not text', { 'X-Token': undefined }, 'the value of the header "X-Token"'],
    ['a header with a broken name', { 'X Token\r\n': 's3cret' }, '"X Token\\r\\n" is not a valid header name'],
    ['a header without a name', { '': 's3cret' }, '"" is not a valid header name'],
    ['a header of the connection', { 'Content-Length': '5' }, 'the header "Content-Length" belongs to the connection'],
    ['another one', { 'transfer-encoding': 'chunked' }, 'the header "transfer-encoding" belongs to the connection'],
  ])('%s', async (_, headers, says) => {
    const server = await serve((response) => response.end());
    const exit = await post(executorWith(), server.url, { headers: headers as Record<string, string> });
    expect(exit).toMatchObject(unusable(says));
    expect(saidBy(exit)).not.toContain('s3cret');
    expect(server.connections).toEqual([]);
  });

  test.each([
    ['no url s3cret', 'its URL is not valid'],
    ['http://user:s3cret@ho st/', 'its URL is not valid'],
    ['file:///etc/s3cret', 'its URL begins with "file:"'],
    ['ws://user:s3cret@example.org/', 'its URL begins with "ws:"'],
  ])('the URL %s', async (url, says) => {
    const exit = await post(executorWith(), url);
    expect(exit).toMatchObject(unusable(says));
    expect(saidBy(exit)).not.toContain('s3cret');
  });
});

describe('time', () => {
  test.each<[string, (write: (text: string) => void) => void]>([
    ['says nothing', () => {}],
    ['stops in the middle of its headers', (write) => write('HTTP/1.1 200 OK\r\n')],
    ['stops in the middle of its answer', (write) => write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}')],
    ['sends interim answers for ever', (write) => setInterval(() => write('HTTP/1.1 102 Processing\r\n\r\n'), 5).unref()],
  ])('a server that %s is given up at the deadline, and its connection with it', async (_, behave) => {
    const server = await serveRaw((socket) => behave((text) => void (socket.writable && socket.write(text))));
    expect(await post(executorWith(), server.url, { timeoutMs: 200 })).toEqual({ kind: 'timed-out', durationMs: expect.any(Number) });
    await closedOf(server);
  });

  test('looking up a name is part of it', async () => {
    expect(await post(executorWith({ resolve: () => new Promise(() => {}) }), 'http://slow.example/', { timeoutMs: 50 })).toMatchObject({
      kind: 'timed-out',
    });
  });

  test('an abort ends it at once, wherever it is', async () => {
    const control = new AbortController();
    const server = await serve(() => control.abort());
    expect(await post(executorWith(), server.url, { signal: control.signal })).toMatchObject({ kind: 'cancelled' });

    const looking = new AbortController();
    const resolve = () => {
      looking.abort();
      return new Promise<never>(() => {});
    };
    expect(await post(executorWith({ resolve }), 'http://slow.example/', { signal: looking.signal })).toMatchObject({ kind: 'cancelled' });
    expect(await post(executorWith(), server.url, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'not-started' });
  });

  test('an answer that was there in time counts, also when our own loop was blocked past the deadline', async () => {
    const timeoutMs = 500;
    let startedAt = Number.NaN;
    const server = await serveRaw((socket) =>
      socket.once('data', () => {
        // The server is in this process too: it has answered, but the answer is not read in time.
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        while (performance.now() < startedAt + timeoutMs + 100);
      }),
    );
    const onStart = () => {
      startedAt = performance.now();
    };
    expect(await post(executorWith(), server.url, { timeoutMs, onStart })).toMatchObject({ kind: 'response', body: '{}' });
  });
});

describe('many', () => {
  test('wait for their turn in order, and more than may wait have none', async () => {
    const open: (() => void)[] = [];
    const started: string[] = [];
    const server = await serve((response, { body }) => {
      started.push(body);
      open.push(() => response.end('{}'));
    });
    const executor = executorWith({ allowPrivateAddresses: loopback, limits: { concurrency: 1, queued: 1 } });
    const runs = ['1', '2', '3'].map((body) => post(executor, server.url, { body }));
    expect(await runs[2]).toMatchObject({ kind: 'not-started', message: expect.stringContaining('limits.queued') });
    while (open.length === 0) await new Promise(setImmediate);
    expect(started).toEqual(['1']);
    open[0]?.();
    while (open.length === 1) await new Promise(setImmediate);
    open[1]?.();
    expect([await runs[0], await runs[1]]).toMatchObject([{ kind: 'response' }, { kind: 'response' }]);
    expect(started).toEqual(['1', '2']);
  });

  test('one that is cancelled while it waits never begins, and another takes its place', async () => {
    const server = await serve(() => {});
    const executor = executorWith({ allowPrivateAddresses: loopback, limits: { concurrency: 1, queued: 1 } });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = post(executor, server.url, { signal: running.signal });
    while (server.heard.length === 0) await new Promise(setImmediate);
    const second = post(executor, server.url, { signal: waiting.signal });
    waiting.abort();
    expect(await second).toMatchObject({ kind: 'not-started', message: expect.stringContaining('while the hook waited for its turn') });
    const third = post(executor, server.url, { timeoutMs: 50 });
    running.abort();
    expect([await first, await third]).toMatchObject([{ kind: 'cancelled' }, { kind: 'timed-out' }]);
    expect(server.heard).toHaveLength(2);
  });

  test('the bound is that of processes', () => {
    expect(() => executorWith({ limits: { concurrency: 0 } })).toThrow(/"limits.concurrency" must be an integer from 1/);
    expect(defaultLimits.concurrency).toBeGreaterThanOrEqual(8);
  });
});

describe('the end', () => {
  test('dispose() ends what runs and what waits, and leaves no socket', async () => {
    const server = await serve(() => {});
    const executor = executorWith({ allowPrivateAddresses: loopback, limits: { concurrency: 1 } });
    const [running, waiting] = [post(executor, server.url), post(executor, server.url)];
    while (server.heard.length === 0) await new Promise(setImmediate);
    const before = openSockets();
    await executor.dispose?.();
    expect(await running).toMatchObject({ kind: 'cancelled' });
    expect(await waiting).toMatchObject({ kind: 'not-started', message: expect.stringContaining('shut down') });
    expect(await post(executor, server.url)).toMatchObject({ kind: 'not-started', message: expect.stringContaining('shut down') });
    await closedOf(server);
    expect(openSockets()).toBeLessThan(before);
    await executor.dispose?.();
  });

  test('an executor of requests runs nothing else', async () => {
    const { signal } = new AbortController();
    const run = executorWith().run({ kind: 'call', handlerId: 'x', argument: {} }, hookOf('a'), toolEvent, { signal, onStart: () => {} });
    await expect(run).rejects.toThrow('an http executor was given "call"');
    expect(invocationOf('x')).toMatchObject({ kind: 'http' });
  });
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocketWrap')).length;
}
