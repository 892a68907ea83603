import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { outcomeAt, type Scene, warningCodes, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';

interface Served extends Scene {
  readonly url: string;
  readonly heard: IncomingMessage[];
  readonly connections: Socket[];
  fire(signal?: AbortSignal): Promise<AggregatedHookResult>;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const allowed: CreateHooksOptions = { http: { allowPrivateAddresses: ['127.0.0.1'] } };

/** Runs one http hook with a server on this machine. */
async function withServer(answer: Answer, use: (scene: Served) => Promise<void>, more: Partial<ServerHook> = {}): Promise<void> {
  const [heard, connections]: [IncomingMessage[], Socket[]] = [[], []];
  const server = createServer((request, response) => {
    heard.push(request);
    request.resume().on('end', () => answer(response, request));
  });
  server.on('connection', (socket) => connections.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { options = allowed, headers = {}, urlOf = (port: number) => `http://127.0.0.1:${port}/hook` } = more;
  const url = urlOf((server.address() as AddressInfo).port);
  const hook = { type: 'http', url, headers, timeout: 1 };
  try {
    const settings = { hooks: { PreToolUse: [{ hooks: [hook] }] } };
    await withHooks({ settings, dialect: 'claude-code', ...options }, (scene) =>
      use({
        ...scene,
        url,
        heard,
        connections,
        fire: (signal) =>
          scene.handler.fireBeforeToolEvent('write_file', { path: 'a.txt' }, undefined, signal === undefined ? {} : { signal }),
      }),
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

interface ServerHook {
  readonly options: CreateHooksOptions;
  readonly headers: Readonly<Record<string, string>>;
  readonly urlOf: (port: number) => string;
}

const untilClosed = ({ connections }: Served) => until('its connections are closed', () => connections.every((socket) => socket.destroyed));
const denying = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } });

fault('U1', async () => {
  const silences: Answer[] = [
    () => {},
    (response) => response.writeHead(200, { 'content-length': denying.length }).write(denying.slice(0, 20)),
  ];
  await Promise.all(
    silences.map((silence) =>
      withServer(silence, async (scene) => {
        const result = await scene.fire();
        expect(result).toMatchObject({ verdict: { kind: 'none' }, errors: [{ code: 'timeout' }] });
        expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out' });
        await untilClosed(scene);
      }),
    ),
  );
});

fault('U2', async () => {
  const flood: Answer = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  await withServer(
    flood,
    async (scene) => {
      const result = await scene.fire();
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', truncated: true });
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['output_truncated']);
      await untilClosed(scene);
    },
    { options: { ...allowed, limits: { stdoutBytes: 100_000 } } },
  );
});

fault('U3', async () => {
  const broken: Answer[] = [
    (_response, { socket }) => socket.end(),
    (_response, { socket }) => socket.resetAndDestroy(),
    (response, { socket }) => {
      response.writeHead(200, { 'content-length': denying.length + 1 });
      response.write(denying, () => socket.end());
    },
  ];
  for (const answer of broken) {
    await withServer(answer, async ({ fire }) => {
      const result = await fire();
      expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
      expect(outcomeAt(result, 0).status).toBe('failed');
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['request_failed']);
    });
  }
});

fault('U4', async () => {
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
    await withServer(
      (response) => response.end(),
      async ({ fire, connections }) => {
        const result = await fire();
        expect(outcomeAt(result, 0)).toMatchObject({
          status: 'failed',
          warnings: [{ code: 'address_refused', message: expect.stringContaining('http: { allowPrivateAddresses: ["') }],
        });
        expect(connections).toEqual([]);
      },
      { options: { http: { allowPrivateAddresses: false } }, urlOf: (port) => `http://${host}:${port}/hook` },
    );
  }
});

fault('U5', async () => {
  const redirect: Answer = (response, request) => response.writeHead(307, { location: `http://${request.headers.host}/elsewhere` }).end();
  await withServer(redirect, async ({ fire, heard }) => {
    const result = await fire();
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', warnings: [{ code: 'http_status' }] });
    expect(heard.map(({ url }) => url)).toEqual(['/hook']);
  });
});

fault('U6', async () => {
  const failing: Answer[] = [(_response, { socket }) => socket.end(), (response) => response.writeHead(500).end()];
  const options: CreateHooksOptions[] = [allowed, allowed, { http: { allowPrivateAddresses: false } }];
  for (const [index, option] of options.entries()) {
    await withServer(
      failing[index] ?? ((response) => response.end()),
      async ({ fire, hooks }) => {
        const result = await fire();
        expect(outcomeAt(result, 0).status).toBe('failed');
        expect(JSON.stringify([result, hooks.diagnostics])).not.toContain('s3cret');
      },
      {
        options: option,
        headers: { 'X-Token': 's3cret1' },
        urlOf: (port) => `http://user:s3cret2@127.0.0.1:${port}/hook?token=s3cret3`,
      },
    );
  }
});

fault('U7', async () => {
  const control = new AbortController();
  await withServer(
    () => control.abort(),
    async (scene) => {
      const result = await scene.fire(control.signal);
      expect(result).toMatchObject({ success: false, outcomes: [{ status: 'cancelled', warnings: [{ code: 'cancelled' }] }] });
      await untilClosed(scene);
    },
  );
  await withServer(
    () => {},
    async (scene) => {
      const fired = scene.fire();
      await until('the server has heard it', () => scene.heard.length === 1);
      await scene.hooks.dispose();
      expect(await fired).toMatchObject({ outcomes: [{ status: 'cancelled' }] });
      await untilClosed(scene);
    },
  );
});
