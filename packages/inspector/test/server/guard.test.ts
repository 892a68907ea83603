import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { findRefusal } from '../../src/server/guard.js';
import { AccessToken } from '../../src/server/token.js';
import { eventLines, inspecting, type OpenedInspector, rawRequest, sendRaw } from '../inspector-rig.js';

const secret = 'the-secret-subject';
const lines = eventLines(0, { input: { tool_name: secret, tool_input: {} } });
const getPaths = [
  '/api/stream',
  '/api/events/0',
  '/api/events/0/hooks/0/stdin',
  '/api/events/0/hooks/0/stdout',
  '/api/events/0/hooks/0/stderr',
  '/api/about',
  '/api/statistics',
  '/api/compare',
  '/api/agents',
  '/api/run/0/hooks/0/stdout',
  '/api/unknown',
];
const postPaths = ['/api/session', '/api/explain', '/api/preview', '/api/export', '/api/attach', '/api/run'];
const everyPath = ['/', '/app.js', '/app.css', '/icon.svg', '/nothing', ...getPaths];

const hostOf = ({ port }: OpenedInspector) => ['Host', `127.0.0.1:${port}`] as const;

test('1. without the token, with a wrong one, in the query or in a cookie, every route of the API answers 401 and nothing else', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const attempts: (readonly [string, string])[][] = [
      [],
      [['Cookie', `token=${token}; Authorization=${token}`]],
      [['Authorization', token]],
      [['Authorization', `Basic ${token}`]],
      [['Authorization', `Bearer ${wrong}`]],
    ];
    for (const path of getPaths) {
      const { status, body } = await sendRaw(port, rawRequest('GET', `${path}?token=${token}&access_token=${token}`, [hostOf(inspector)]));
      expect([path, status, body]).toEqual([path, 401, '']);
    }
    for (const attempt of attempts) {
      const { status, body, text } = await sendRaw(port, rawRequest('GET', '/api/events/0', [hostOf(inspector), ...attempt]));
      expect([status, body]).toEqual([401, '']);
      expect(text).not.toContain(secret);
    }
    for (const path of postPaths) {
      const headers = [hostOf(inspector), ['Origin', `http://127.0.0.1:${port}`], ['Content-Type', 'application/json']] as const;
      const { status, body } = await sendRaw(port, rawRequest('POST', path, headers, '{}'));
      expect([path, status, body]).toEqual([path, 401, '']);
    }
    expect(JSON.stringify(await inspector.json('/api/events/0'))).toContain(secret);
  });
});

test('2. a request for another name or port, without a host or with two is answered 421, on every route', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const authorization = ['Authorization', `Bearer ${token}`] as const;
    const refused: (readonly [string, string])[][] = [
      [['Host', `evil.test:${port}`]],
      [['Host', `127.0.0.1:${port + 1}`]],
      [['Host', '127.0.0.1']],
      [],
      [hostOf(inspector), hostOf(inspector)],
      [hostOf(inspector), ['Host', `evil.test:${port}`]],
      [['Host', `127.0.0.1.:${port}`]],
      [['Host', `localhost.:${port}`]],
      [['Host', `0.0.0.0:${port}`]],
      [['Host', `[::1]:${port}`]],
      [['Host', '']],
    ];
    for (const path of everyPath) {
      for (const hosts of refused) {
        const { status, body } = await sendRaw(port, rawRequest('GET', path, [...hosts, authorization]));
        expect([path, hosts, status, body]).toEqual([path, hosts, 421, '']);
      }
    }
    for (const host of [`LocalHost:${port}`, `localhost:${port}`, `127.0.0.1:${port}`]) {
      expect((await sendRaw(port, rawRequest('GET', '/api/about', [['Host', host], authorization]))).status).toBe(200);
    }
  });
});

test('2. a host or an origin behind 2,100 other headers is seen', async () => {
  await inspecting(lines, async (inspector) => {
    const many = Array.from({ length: 2_100 }, () => ['a', 'b'] as const);
    const own = [hostOf(inspector), ['Authorization', `Bearer ${inspector.token}`]] as const;
    for (const [header, expected] of [
      [['Host', 'evil.test'], 421],
      [['Origin', 'http://evil.test'], 403],
      [['Sec-Fetch-Site', 'cross-site'], 403],
      [['c', 'd'], 200],
    ] as const) {
      const { status } = await sendRaw(inspector.port, rawRequest('GET', '/api/about', [...own, ...many, header]));
      expect([header, status]).toEqual([header, expected]);
    }
  });
});

test('2. at port 80, a host without a port is that of the server, because browsers leave this port out', () => {
  const token = new AccessToken();
  const statusOf = (port: number, host: string, origin?: string) => {
    const headers = { host, authorization: `Bearer ${token.text}`, ...(origin === undefined ? {} : { origin }) };
    const request = { method: 'GET', headers, rawHeaders: Object.entries(headers).flat() };
    return findRefusal(request as never, port, { kind: 'api', methods: ['GET'] }, token)?.status;
  };
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.1:80']) {
    expect([host, statusOf(80, host), statusOf(80, host, `http://${host}`), statusOf(8080, host)]).toEqual([
      host,
      undefined,
      undefined,
      421,
    ]);
  }
  for (const host of ['evil.test', 'evil.test:80', '127.0.0.1.', '']) expect([host, statusOf(80, host)]).toEqual([host, 421]);
  expect(statusOf(80, '127.0.0.1', 'http://evil.test')).toBe(403);
});

test('4. requests of another origin are refused, with every method and whether their headers are simple or not', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const own = [hostOf(inspector), ['Authorization', `Bearer ${token}`], ['Content-Type', 'application/json']] as const;
    const foreign: (readonly [string, string])[][] = [
      [
        ['Sec-Fetch-Site', 'same-site'],
        ['Sec-Fetch-Mode', 'no-cors'],
        ['Sec-Fetch-Dest', 'empty'],
      ],
      [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Sec-Fetch-Mode', 'cors'],
      ],
      [['Sec-Fetch-Site', 'none']],
      [['Origin', `http://127.0.0.1:${port + 1}`]],
      [['Origin', 'https://evil.test']],
      [['Origin', 'null']],
      [['Origin', `http://localhost:${port}`]],
      [['Origin', `https://127.0.0.1:${port}`]],
    ];
    for (const path of [...getPaths, '/app.js']) {
      for (const headers of foreign) {
        const { status, body } = await sendRaw(port, rawRequest('GET', path, [...own, ...headers]));
        expect([path, headers, status, body]).toEqual([path, headers, 403, '']);
      }
    }
    for (const path of postPaths) {
      for (const headers of [[], ...foreign]) {
        const { status, body } = await sendRaw(port, rawRequest('POST', path, [...own, ...headers], '{}'));
        expect([path, headers, status, body]).toEqual([path, headers, 403, '']);
      }
    }
  });
});

test('5. a form, a beacon, a text body, an image, a script and a frame have no effect and read nothing', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const origin = ['Origin', `http://127.0.0.1:${port}`] as const;
    const own = [hostOf(inspector), ['Authorization', `Bearer ${token}`], origin] as const;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=utf-16', '']) {
      const { status, body } = await sendRaw(port, rawRequest('POST', '/api/export', [...own, ['Content-Type', type]], '{"rows":[[0,0]]}'));
      expect([type, status, body]).toEqual([type, 415, '']);
    }
    const navigate = [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', 'navigate'],
    ] as const;
    const frame = await sendRaw(port, rawRequest('GET', '/', [hostOf(inspector), ...navigate, ['Sec-Fetch-Dest', 'iframe']]));
    expect([frame.status, frame.body]).toEqual([403, '']);
    for (const [path, destination] of [
      ['/app.js', 'script'],
      ['/icon.svg', 'image'],
      ['/app.css', 'style'],
    ] as const) {
      const headers = [hostOf(inspector), ['Sec-Fetch-Site', 'same-site'], ['Sec-Fetch-Dest', destination]] as const;
      expect((await sendRaw(port, rawRequest('GET', path, headers))).status).toBe(403);
    }
    const opened = await sendRaw(port, rawRequest('GET', '/', [hostOf(inspector), ...navigate, ['Sec-Fetch-Dest', 'document']]));
    expect(opened.status).toBe(200);
    const fetched = [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', 'no-cors'],
      ['Sec-Fetch-Dest', 'document'],
    ] as const;
    expect((await sendRaw(port, rawRequest('GET', '/', [hostOf(inspector), ...fetched]))).status).toBe(403);
    // Only the page itself may be opened from elsewhere.
    for (const path of ['/app.js', '/icon.svg', '/nothing', ...getPaths]) {
      const headers = [hostOf(inspector), ['Authorization', `Bearer ${token}`], ...navigate, ['Sec-Fetch-Dest', 'document']] as const;
      const { status, body } = await sendRaw(port, rawRequest('GET', path, headers));
      expect([path, status, body]).toEqual([path, 403, '']);
    }
    expect(opened.text).toContain('Cross-Origin-Opener-Policy: same-origin');
    expect(opened.body).not.toContain(token);
  });
});

test('2. a request with Expect is refused before it may send its body', async () => {
  await inspecting(lines, async (inspector) => {
    for (const expected of ['100-continue', 'something-else']) {
      const headers = [
        ['Host', 'evil.test'],
        ['Expect', expected],
        ['Content-Type', 'application/json'],
      ] as const;
      const { status, text } = await sendRaw(inspector.port, rawRequest('POST', '/api/run', headers, '{}'));
      expect([expected, status, text.includes('100 Continue')]).toEqual([expected, 421, false]);
    }
  });
});

test('6. a preflight is refused, and no response has a CORS header', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    for (const path of [...everyPath, ...postPaths]) {
      const asked = [
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'authorization'],
      ] as const;
      const preflight = await sendRaw(port, rawRequest('OPTIONS', path, [hostOf(inspector), ...asked]));
      const foreign = await sendRaw(port, rawRequest('OPTIONS', path, [hostOf(inspector), ['Origin', 'http://evil.test'], ...asked]));
      const own = await sendRaw(
        port,
        rawRequest('GET', path, [hostOf(inspector), ['Authorization', `Bearer ${token}`]]).replace('/api/stream', '/api/about'),
      );
      expect([path, preflight.status, foreign.status]).toEqual([path, 405, 403]);
      for (const { text } of [preflight, foreign, own]) expect(text.toLowerCase()).not.toContain('access-control');
    }
  });
});

test('7. a path cannot leave the table of assets and routes', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const paths = [
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/api/../..',
      '/api/../../package.json',
      '//evil.test/',
      '/app.js/../index.html',
      '/index.html',
      '/./',
      '/APP.JS',
      '/%00',
      '/a\0b',
      `/${'a'.repeat(10_000)}`,
      `http://127.0.0.1:${port}/`,
      'app.js',
      '*',
    ];
    for (const path of paths) {
      const { status, body } = await sendRaw(port, rawRequest('GET', path, [hostOf(inspector), ['Authorization', `Bearer ${token}`]]));
      expect([path.slice(0, 40), [400, 404].includes(status), body]).toEqual([path.slice(0, 40), true, '']);
    }
  });
});

test('7. only the file that reads the assets at the start imports a file system, and no other file of the server', () => {
  const folder = join(import.meta.dirname, '../../src/server');
  const readers = readdirSync(folder).filter((file) => /from 'node:(?:fs|child_process)/.test(readFileSync(join(folder, file), 'utf8')));
  expect(readers).toEqual(['assets.ts']);
});

test('8. nothing listens at another address of the machine', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, family }) => family === 'IPv4' && address !== '127.0.0.1')
    .map(({ address }) => address);
  await inspecting(lines, async ({ port }) => {
    for (const address of [...others, '127.0.0.2', '::1']) {
      await expect(sendRaw(port, rawRequest('GET', '/', [['Host', `127.0.0.1:${port}`]]), address)).rejects.toThrow(
        /ECONNREFUSED|EADDRNOTAVAIL/,
      );
    }
  });
});

test('every response, also a refusal, has the headers that bind the page', async () => {
  await inspecting(lines, async (inspector) => {
    const { port, token } = inspector;
    const authorization = ['Authorization', `Bearer ${token}`] as const;
    const requests = [
      rawRequest('GET', '/', [hostOf(inspector)]),
      rawRequest('GET', '/app.js', [hostOf(inspector)]),
      rawRequest('GET', '/api/about', [hostOf(inspector), authorization]),
      rawRequest('GET', '/api/about', [hostOf(inspector)]),
      rawRequest('GET', '/', []),
      rawRequest('PUT', '/', [hostOf(inspector)]),
      'nonsense\r\n\r\n',
    ];
    for (const request of requests) {
      const { text } = await sendRaw(port, request);
      expect(text).toContain(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n",
      );
      for (const name of ['X-Content-Type-Options: nosniff', 'Referrer-Policy: no-referrer', 'Cross-Origin-Opener-Policy: same-origin']) {
        expect(text).toContain(`${name}\r\n`);
      }
      for (const name of ['Cross-Origin-Resource-Policy: same-origin', 'Cache-Control: no-store', 'Permissions-Policy: '])
        expect(text).toContain(name);
    }
  });
});

test('13. there is no route that runs hooks', async () => {
  await inspecting(lines, async (inspector) => {
    expect((await inspector.post('/api/run', { eventName: 'BeforeTool', input: {} })).status).toBe(404);
    expect((await inspector.get('/api/run')).status).toBe(404);
  });
});

test('9. a code gives the token once, and nothing else', async () => {
  await inspecting(lines, async (inspector) => {
    const codeOf = (address: string) => address.split('#code=')[1] ?? '';
    const [one, other] = [codeOf(inspector.createOpeningUrl()), codeOf(inspector.createOpeningUrl())];
    const redeem = (code: string) => inspector.post('/api/session', {}, { headers: { Authorization: `Bearer ${code}` } });
    expect((await inspector.get('/api/about', { headers: { Authorization: `Bearer ${one}` } })).status).toBe(401);
    expect(await (await redeem(one)).json()).toEqual({ token: inspector.token });
    const again = await redeem(one);
    expect([again.status, await again.text()]).toEqual([401, '']);
    expect((await redeem(inspector.token)).status).toBe(401);
    expect((await redeem(other)).status).toBe(200);
    expect((await inspector.get('/api/session')).status).toBe(405);
  });
});

test('14. after ten wrong tokens within a minute, others are refused with another status for a minute, and the right token works throughout', async () => {
  let now = 1_000;
  await inspecting(
    lines,
    async (inspector) => {
      const attempt = (token: string) => inspector.get('/api/about', { headers: { Authorization: `Bearer ${token}` } });
      for (let count = 0; count < 9; count += 1) expect((await attempt(`wrong${count}`)).status).toBe(401);
      expect((await inspector.get('/api/about')).status).toBe(200);
      now += 60_000;
      for (let count = 0; count < 10; count += 1) expect((await attempt(`wrong${count}`)).status).toBe(401);
      const locked = await attempt('wrong');
      expect([locked.status, await locked.text(), locked.headers.get('retry-after')]).toEqual([429, '', '60']);
      // Otherwise a web page could lock out the owner with wrong tokens.
      expect((await inspector.get('/api/about')).status).toBe(200);
      now += 59_999;
      expect((await attempt('wrong')).status).toBe(429);
      now += 1;
      expect((await attempt('wrong')).status).toBe(401);
      expect((await inspector.get('/api/about')).status).toBe(200);
    },
    { now: () => now },
  );
});
