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
  useHook('http://10.0.0.7:1/hook');
});

/** Writes the project's settings with one http hook. */
function useHook(url: string): void {
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } }));
}
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(cwd, { recursive: true });
});

const remedy =
  'To allow it, pass { http: { allowPrivateAddresses: ["10.0.0.7"] } } to createHooks(), or --allow-private-address 10.0.0.7 at the command line.';
const fire = ['fire', 'PreToolUse', '--exit-code', '--input', '{"tool_name":"Bash","tool_input":{"command":"ls"}}'];

test.each([['validate'], ['explain', 'PreToolUse']])(
  '%s says ahead that an http hook at a private address is refused, and how to allow it',
  async (...args) => {
    const { stdout } = await runCli(args, { cwd });
    expect(stdout).toContain(
      'The URL of the hook has the private address 10.0.0.7, and hooks may not send requests to it. The hook fails.',
    );
    expect(stdout).toContain(remedy);
    const allowed = await runCli([...args, '--allow-private-address', '10.0.0.7'], { cwd });
    expect(allowed.stdout).not.toContain('private address');
  },
);

test('fire refuses it once, with both remedies', async () => {
  const refused = await runCli(fire, { cwd });
  expect({ status: refused.status, stderr: refused.stderr }).toEqual({ status: 0, stderr: '' });
  expect(refused.stdout.replace(/\s+/g, ' ')).toContain(remedy.slice(0, -1));
});

test.each(['localhost', '127.0.0.1', '[::ffff:127.0.0.1]'])(
  'a server at %s needs no option: nothing is said ahead, and it decides',
  async (host) => {
    useHook(`http://${host}:${port}/hook`);
    received.length = 0;
    const said = await runCli(['validate'], { cwd, home: '/nowhere' });
    expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('0 errors, 0 warnings, 0 notes.') });
    const { status, stdout } = await runCli(fire, { cwd });
    expect({ status, stdout, received }).toEqual({ status: 2, stdout: expect.stringContaining('Not today.'), received: ['/hook'] });
    // Other formats have no http hooks, and the option still opens other addresses.
    useHook(`http://0.0.0.0:${port}/hook`);
    const opened = await runCli([...fire, '--allow-private-address', '0.0.0.0'], { cwd });
    expect(opened).toMatchObject({ status: 2, stdout: expect.stringContaining('Not today.') });
  },
);

test('the library warns too, unless the address is allowed; a public name is not looked up', async () => {
  const codesOf = async (url: string, allowed?: readonly string[]) => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } };
    const http = allowed === undefined ? {} : { http: { allowPrivateAddresses: [...allowed] } };
    await using hooks = await createHooks({ projectDir: cwd, settings, dialect: 'claude-code', ...http });
    return hooks.diagnostics.map(({ code }) => code);
  };
  for (const url of ['http://192.168.0.7:1/', 'http://0.0.0.0/', 'http://10.0.0.7/', 'http://[fd00::1]:1/', 'http://167772167/'])
    expect([url, await codesOf(url)]).toEqual([url, ['private_address']]);
  expect(await codesOf('http://10.0.0.7/', ['10.0.0.0/8'])).toEqual([]);
  for (const url of [
    'http://localhost:1/',
    'https://api.localhost/',
    'http://[::1]:1/',
    'http://2130706433/',
    'https://example.invalid/',
    'http://1.1.1.1/',
  ])
    expect([url, await codesOf(url)]).toEqual([url, []]);
});
