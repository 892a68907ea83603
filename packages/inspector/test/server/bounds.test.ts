import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventLines, inDirectory, inspecting, rawRequest, sendRaw, writeRecording } from '../inspector-rig.js';

const lines = eventLines(0);
const fixture = join(import.meta.dirname, '../fixtures/serve-recording.mjs');

/** Opens a connection, and resolves when it is accepted or closed. */
function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

test('16. a thousand connections are bounded, and a page is served afterwards', async () => {
  await inspecting(lines, async (inspector) => {
    const { port } = inspector;
    const sockets: Socket[] = [];
    // In groups: the system drops connections that the server has not accepted in time, and repeats them for a minute.
    for (let group = 0; group < 10; group += 1) sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(port)))));
    const closed = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.once('close', () => resolve(true));
            if (socket.destroyed) resolve(true);
            // The ones within the limit stay open, so they are asked.
            socket.once('data', () => resolve(false));
            socket.write(rawRequest('GET', '/', [['Host', `127.0.0.1:${port}`]]).replace('Connection: close\r\n', ''));
          }),
      ),
    );
    expect(closed.filter((isClosed) => !isClosed).length).toBeLessThanOrEqual(16);
    expect(closed.filter((isClosed) => !isClosed).length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    // The server learns a moment later that the connections have ended.
    const request = rawRequest('GET', '/', [['Host', `127.0.0.1:${port}`]]);
    let status = 0;
    while (status === 0)
      status = await sendRaw(port, request).then(
        (response) => response.status,
        () => 0,
      );
    expect(status).toBe(200);
  });
});

test('16. requests without end whose answers are not read do not fill the memory', async () => {
  await inDirectory(async (directory) => {
    const child = spawn(process.execPath, [fixture, writeRecording(join(directory, 'run.bus.jsonl'), lines)]);
    const printed = createInterface({ input: child.stdout });
    const [address] = (await once(printed, 'line')) as [string];
    const { origin, port, host } = new URL(address);
    const sockets: Socket[] = [];
    try {
      // Node stops reading a connection when answers wait in it, so nothing has to be counted here.
      for (const path of ['/app.js', '/', '/nothing', '/api/about', '/app.css']) {
        const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20_000));
        for (let each = 0; each < 3; each += 1) {
          const socket = await open(Number(port));
          socket.pause();
          socket.write(request);
          sockets.push(socket);
        }
      }
      // Each answer is a turn of the server, in which it could read 64 KiB from each of the others.
      for (let turn = 0; turn < 30; turn += 1) expect((await fetch(origin)).status).toBe(200);
      child.stdin.write('\n');
      const [megabytes] = (await once(printed, 'line')) as [string];
      expect(Number(megabytes)).toBeLessThan(400);
    } finally {
      for (const socket of sockets) socket.destroy();
      child.stdin.end();
      await once(child, 'close');
    }
  });
});

test('16. a body of 2 MiB is refused, and one of 1 MiB is read', async () => {
  await inspecting(lines, async (inspector) => {
    const body = (length: number) => JSON.stringify({ rows: [], more: 'x'.repeat(length) });
    const { port, token } = inspector;
    const headers = [
      ['Host', `127.0.0.1:${port}`],
      ['Origin', `http://127.0.0.1:${port}`],
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const refused = await sendRaw(port, rawRequest('POST', '/api/export', headers, body(2 * 1024 * 1024)));
    expect(refused.status).toBe(413);
    expect(refused.body).toContain('too_large');
    expect((await inspector.post('/api/export', body(1024 * 1024 - 100))).status).toBe(200);
  });
});

test('a body that is not a JSON object, and one without the fields of its route, are refused with a sentence', async () => {
  await inspecting(lines, async (inspector) => {
    for (const [path, body] of [
      ['/api/explain', '['],
      ['/api/explain', '[]'],
      ['/api/explain', '{}'],
      ['/api/preview', '{"eventName":"BeforeTool","input":[]}'],
      ['/api/export', '{"rows":[[1]]}'],
      ['/api/export', '{"rows":"all"}'],
    ] as const) {
      const response = await inspector.post(path, body);
      expect([path, body, response.status]).toEqual([path, body, 400]);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
    }
  });
});

test('an inspector ends with open streams', async () => {
  await inspecting(lines, async (inspector) => {
    const response = await inspector.get('/api/stream');
    const reader = response.body?.getReader();
    await reader?.read();
    await inspector.close();
    await inspector.close();
    await expect(
      (async () => {
        for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
      })(),
    ).rejects.toThrow();
  });
});

test('an export of many megabytes leaves no listener behind, and Node warns of none', async () => {
  const input = { tool_name: 'a', tool_input: { b: 'line '.repeat(50_000) } };
  await inDirectory(async (directory) => {
    const lines = Array.from({ length: 30 }, (_, index) => eventLines(index, { input })).flat();
    const child = spawn(process.execPath, [fixture, writeRecording(join(directory, 'run.bus.jsonl'), lines)]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { origin, hash } = new URL(address);
    const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}`, Origin: origin, 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}/api/export`, { method: 'POST', headers, body: '{"rows":[[0,29]]}' });
    expect((await response.text()).length).toBeGreaterThan(30 * 250_000);
    child.stdin.end();
    await once(child, 'close');
    expect(stderr).toBe('');
  });
});

test('an export of many ranges with the same rows has each row once', async () => {
  await inspecting(lines, async (inspector) => {
    const rows = Array.from({ length: 50_000 }, () => [0, 1_000_000_000]);
    const text = await (await inspector.post('/api/export', { rows })).text();
    expect(text.split('\n').filter((line) => line.includes('HOOK_EXECUTION_REQUEST'))).toHaveLength(1);
  });
});

test('an event with more messages than its details show has its first ones and its response', async () => {
  const [request = '', planned = '', started = '', , response = ''] = lines;
  const many = Array.from({ length: 5_000 }, () => started);
  await inspecting([request, planned, ...many, response], async (inspector) => {
    const details = await inspector.json('/api/events/0');
    expect(details.row.state).toBe('answered');
    expect(details.progress.length).toBe(1_023);
    expect(details.response.success).toBe(true);
  });
});

test('of an event with more bytes than its details may have, the request and the response are shown', async () => {
  const [request = '', planned = '', , , response = ''] = lines;
  const large = JSON.stringify({
    ...JSON.parse(planned),
    payload: { ...JSON.parse(planned).payload, kind: 'x', text: 'x'.repeat(4_000_000) },
  });
  await inspecting([request, ...Array.from({ length: 20 }, () => large), response], async (inspector) => {
    const details = await inspector.json('/api/events/0');
    expect(details.progress.length).toBeLessThan(20);
    expect(details.response.success).toBe(true);
  });
});
