import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate, certificateKey } from '../support/localhost-certificate.js';
import { root } from '../support/sources.js';

/** Runs in a separate Node process, because Node reads the trusted authorities when it starts. The server is in the same process. */
const script = `
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { HookSystem } from '@tenterhook/engine';

const heard = [];
const server = createServer({ cert: readFileSync('cert.pem'), key: readFileSync('key.pem') }, (request, response) => {
  heard.push(request.method + ' ' + request.headers['x-token']);
  response.end('{"decision":"deny","reason":"by the server"}');
});
await new Promise((resolve) => server.listen(0, 'localhost', resolve));
const url = 'https://localhost:' + server.address().port + '/hook';
const dialect = {
  name: 'toy',
  locations: () => [],
  parse: () => ({ hooks: [], diagnostics: [] }),
  layOut: (hooks) => [{ hooks }],
  select: () => ({ run: true, reason: 'always' }),
  invocation: ({ input }) => ({ kind: 'http', url, headers: { 'X-Token': 't' }, body: JSON.stringify(input) }),
  decode: ({ body }) => ({ output: JSON.parse(body), warnings: [] }),
};
const hook = {
  id: 'toy/settings/BeforeTool/0', dialect: 'toy', source: 'settings', eventName: 'BeforeTool', dialectEvent: 'BeforeTool', timeoutMs: 5000,
  onError: 'continue', action: { kind: 'http', url, headers: {}, allowedEnvVars: [] }, dialectData: undefined,
};
const source = { hooksFor: (name) => (name === 'BeforeTool' ? [hook] : []), changes$: { subscribe: () => ({ unsubscribe() {} }) } };
const system = new HookSystem({ projectDir: '.', dialects: [dialect], sources: [source], http: { allowPrivateAddresses: ['localhost'] } });
const { verdict, outcomes } = await system.getEventHandler().fireBeforeToolEvent('write_file', {});
await system.dispose();
server.close();
console.log(JSON.stringify({ verdict: verdict.kind, codes: outcomes[0].warnings.map(({ code }) => code), said: outcomes[0].warnings[0]?.message ?? '', heard }));
`;

function run(environment: Record<string, string>) {
  const folder = mkdtempSync(join(root, 'node_modules', '.https-'));
  try {
    for (const [file, text] of Object.entries({ 'cert.pem': certificate, 'key.pem': certificateKey, 'main.mjs': script }))
      writeFileSync(join(folder, file), text);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['main.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    return JSON.parse(stdout) as { verdict: string; codes: string[]; said: string; heard: string[] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a hook may be a server that is reached over TLS, by an authority that Node trusts', () => {
  expect(run({ NODE_EXTRA_CA_CERTS: 'cert.pem' })).toEqual({ verdict: 'deny', codes: [], said: '', heard: ['POST t'] });
});

test('a server with an unsigned certificate receives nothing, and the remedy is shown', () => {
  const { said, ...rest } = run({});
  expect(rest).toEqual({ verdict: 'none', codes: ['request_failed'], heard: [] });
  expect(said).toMatch(/the secure connection to localhost:\d+ failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/);
});
