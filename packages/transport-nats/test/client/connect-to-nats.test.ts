import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, certificateKey } from '../../../../test/support/localhost-certificate.js';
import { testWithNats } from '../../../../test/support/nats-server.js';
import { connectToNats, NatsTransportError } from '../../src/index.js';
import { NatsScene, withScene } from '../nats-scene.js';

const closedPort = 'nats://127.0.0.1:1';

test.each([
  [{ server: closedPort }, 'connectToNats has no option "server". Did you mean "servers"?'],
  [{ servers: 5 }, "servers must be an address such as 'nats://127.0.0.1:4222', or a list"],
  [{ servers: [] }, 'servers must have at least one address'],
  [{ servers: 'nats://user:secret@host' }, 'servers must not contain a user or a password'],
  [{ namespace: 'a.b' }, 'namespace must have 1 to 64 letters, digits, hyphens or underscores'],
  [{ project: '*' }, 'project must have 1 to 64 letters'],
  [{ client: '' }, 'client must have 1 to 64 letters'],
  [{ token: 't', nkeySeed: 's' }, 'connectToNats takes one way to authenticate, and has token and nkeySeed'],
  [{ user: 'u' }, 'user and password belong together'],
  [{ token: '' }, 'token must be a non-empty string'],
  [{ timeoutMs: 0 }, 'timeoutMs must be an integer from 1'],
  [{ maxMessageBytes: 5 }, 'maxMessageBytes must be an integer from 1024'],
  [{ maxRequests: 0 }, 'maxRequests must be an integer from 1'],
  [{ signal: 5 }, 'signal must be an AbortSignal'],
  [null, 'The options of connectToNats must be an object such as { servers }'],
])('the options %j are refused', async (options, message) => {
  await expect(connectToNats(options as never)).rejects.toThrow(message);
  await expect(connectToNats(options as never)).rejects.toThrow(TypeError);
});

test('without a server, the error says what to start', async () => {
  const error = await connectToNats({ servers: closedPort, timeoutMs: 1000 }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NatsTransportError);
  expect(error).toMatchObject({ code: 'no_server', remedy: 'Start nats-server, and check the address and the TLS options.' });
  expect(String(error)).toContain(`No NATS server accepted the connection at ${closedPort}`);
});

test('an aborted signal ends the attempt', async () => {
  const reason = new Error('no longer needed');
  const attempt = connectToNats({ servers: closedPort, signal: AbortSignal.abort(reason) });
  await expect(attempt).rejects.toMatchObject({ code: 'cancelled', cause: reason });
});

test.each(['timeout', 'signal'])('a server that never answers is left at the end of the attempt by %s', async (end) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const control = new AbortController();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const servers = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const attempt = connectToNats({ servers, timeoutMs: end === 'timeout' ? 200 : 60_000, signal: control.signal });
    attempt.catch(() => {});
    const [socket] = await connected;
    const closed = once(socket.resume(), 'close');
    if (end === 'signal') control.abort();
    await expect(attempt).rejects.toMatchObject({ code: end === 'signal' ? 'cancelled' : 'no_server' });
    await closed;
  } finally {
    server.close();
  }
});

test.each(['credentials', 'nkeySeed'])('%s that cannot be read are refused before the attempt, without being shown', async (name) => {
  const error = await connectToNats({ servers: closedPort, [name]: 'SUsecret' }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(`connectToNats: ${name} cannot be read`);
  expect(String(error)).not.toContain('SUsecret');
});

testWithNats('a token is passed to the server, and a wrong one is refused without being shown', () =>
  withScene(async (scene) => {
    await scene.transport({ token: 'right' });
    for (const options of [{ token: 'wrong-secret' }, {}]) {
      const error = await scene.transport(options).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'not_allowed' });
      expect(String(error)).not.toContain('wrong-secret');
    }
  }, 'authorization { token: "right" }'),
);

testWithNats('user and password are passed to the server', () =>
  withScene(async (scene) => {
    await scene.transport({ user: 'u', password: 'p' });
    await expect(scene.transport({ user: 'u', password: 'q' })).rejects.toMatchObject({ code: 'not_allowed' });
  }, 'authorization { user: u, password: p }'),
);

testWithNats('the seed of an NKey signs the challenge of the server', async () => {
  const { createUser } = await import('@nats-io/nkeys');
  const key = createUser();
  const seed = new TextDecoder().decode(key.getSeed());
  await withScene(async (scene) => {
    await scene.transport({ nkeySeed: seed });
    const other = new TextDecoder().decode(createUser().getSeed());
    await expect(scene.transport({ nkeySeed: other })).rejects.toMatchObject({ code: 'not_allowed' });
  }, `authorization { users: [ { nkey: ${key.getPublicKey()} } ] }`);
});

testWithNats('TLS verifies the certificate of the server', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'th-tls-'));
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(cert, certificate);
  writeFileSync(key, certificateKey);
  const scene = await NatsScene.start(`tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)} }`);
  try {
    const servers = `tls://localhost:${scene.server.port}`;
    await scene.transport({ servers, tls: { ca: certificate } });
    await expect(scene.transport({ servers, tls: {} })).rejects.toMatchObject({ code: 'no_server' });
  } finally {
    await scene.end();
    rmSync(directory, { recursive: true });
  }
});
