import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('private');
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(request.url ?? '');
  response.setHeader('content-type', 'application/json').end('{"decision":"block","reason":"Not today."}');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  mkdirSync(join(cwd, '.claude'));
  const hook = { type: 'http', url: `http://localhost:${port}/hook` };
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(cwd, { recursive: true });
});

const remedy =
  'To allow it, pass { http: { allowPrivateAddresses: ["localhost"] } } to createHooks(), or --allow-private-address localhost at the command line.';
const fire = ['fire', 'PreToolUse', '--exit-code', '--input', '{"tool_name":"Bash","tool_input":{"command":"ls"}}'];

test.each([['validate'], ['explain', 'PreToolUse']])(
  '%s says ahead that an http hook at localhost is refused, and how to allow it',
  async (...args) => {
    const { stdout } = await runCli(args, { cwd });
    expect(stdout).toContain(
      'The URL of the hook has the private address localhost, and hooks may not send requests to it. The hook fails.',
    );
    expect(stdout).toContain(remedy);
    const allowed = await runCli([...args, '--allow-private-address', 'localhost'], { cwd });
    expect(allowed.stdout).not.toContain('private address');
  },
);

test('fire refuses it once, with both remedies; with the option the server decides', async () => {
  const refused = await runCli(fire, { cwd });
  expect({ status: refused.status, stderr: refused.stderr, received }).toEqual({ status: 0, stderr: '', received: [] });
  expect(refused.stdout.replace(/\s+/g, ' ')).toContain(remedy.slice(0, -1));
  for (const host of ['localhost', '127.0.0.0/8']) {
    const { status, stdout } = await runCli([...fire, '--allow-private-address', 'example.test', '--allow-private-address', host], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: expect.stringContaining('Not today.') });
  }
  expect(received).toEqual(['/hook', '/hook']);
});

test('the library warns too, unless the address is allowed; a public name is not looked up', async () => {
  const codesOf = async (url: string, allowed?: readonly string[]) => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } };
    const http = allowed === undefined ? {} : { http: { allowPrivateAddresses: [...allowed] } };
    await using hooks = await createHooks({ projectDir: cwd, settings, dialect: 'claude-code', ...http });
    return hooks.diagnostics.map(({ code }) => code);
  };
  for (const url of ['http://localhost:1/', 'https://api.localhost/', 'http://10.0.0.7/', 'http://[::1]:1/', 'http://2130706433/'])
    expect([url, await codesOf(url)]).toEqual([url, ['private_address']]);
  expect(await codesOf('http://10.0.0.7/', ['10.0.0.0/8'])).toEqual([]);
  expect(await codesOf('http://localhost:1/', ['127.0.0.1'])).toEqual([]);
  for (const url of ['https://example.invalid/', 'http://1.1.1.1/']) expect([url, await codesOf(url)]).toEqual([url, []]);
});
