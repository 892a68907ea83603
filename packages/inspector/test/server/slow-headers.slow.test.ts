import { connect } from 'node:net';
import { eventLines, inspecting } from '../inspector-rig.js';

test('16. a connection that sends its headers slowly is ended', async () => {
  await inspecting(eventLines(0), async (inspector) => {
    const socket = connect({ port: inspector.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${inspector.port}\r\n`);
    // A byte a second, as an attacker would, so that the connection is never idle.
    const drip = setInterval(() => socket.write('X'), 1_000);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(received).toMatch(/^(?:HTTP\/1\.1 40[08] .*)?/);
    await expect(inspector.json('/api/about')).resolves.toMatchObject({ source: { kind: 'recording' } });
  });
}, 60_000);
