import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPolicy } from '@tenterhook/trust';
import type { CreateHooksOptions } from '../../packages/tenterhook/src/create-hooks-options.js';
import type { OpenHooks } from '../../packages/tenterhook/src/hooks.js';
import { openHooks } from '../../packages/tenterhook/src/open/open-hooks.js';
import type { Places } from '../support/places.js';
import { denying, formatNamed, formatNames, guard, withRepository, writeGuard } from './repository.js';

const settings = 'project/.claude/settings.json';

/** The policy as its administrator wrote it. In place of root, the user of the tests owns it. */
function policyOf(places: Places, content: unknown, mode = 0o644) {
  const file = places.write('etc/policy.json', content, mode);
  const owners = process.geteuid && { uids: new Set([0, process.geteuid()]), isTrustedGroup: () => false };
  return readPolicy({ file, owners });
}

/** Creates a system under a policy. */
async function under<Result>(
  places: Places,
  policy: unknown,
  options: CreateHooksOptions,
  use: (hooks: OpenHooks) => Promise<Result>,
  mode?: number,
): Promise<Result> {
  const hooks = await openHooks({ projectDir: places.project, sessionId: 's1', ...options }, { policy: policyOf(places, policy, mode) });
  try {
    return await use(hooks);
  } finally {
    await hooks.dispose();
  }
}

async function outcomesOf(hooks: OpenHooks) {
  const { outcomes } = await hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
  return outcomes.map(({ status, skipReason, warnings }) => [skipReason ?? status, warnings[0]?.message]);
}

test.each<[string, CreateHooksOptions]>([
  ['store', { trust: 'store' }],
  ['all', { trust: 'all' }],
  ['all, as an option', { trust: { mode: 'all' } }],
  ['a host that accepts everything', { trust: { mode: 'store', ask: (requests) => requests.map(() => 'trust' as const) } }],
  ['isTrusted', { trust: 'all', isTrusted: () => true }],
])('case 30: with "never" no hook of a repository runs: %s', (_, options) =>
  withRepository(async (places) => {
    for (const name of formatNames) writeGuard(places, name, `touch ${name}; exit 2`);
    places.write('home/.claude/settings.json', guard('cat > /dev/null'));
    await under(places, { project: 'never' }, options, async (hooks) => {
      const outcomes = await outcomesOf(hooks);
      expect(outcomes.filter(([state]) => state === 'untrusted')).toHaveLength(formatNames.length);
      expect(outcomes.find(([state]) => state === 'untrusted')?.[1]).toMatch(
        `the policy ${places.at('etc/policy.json')} forbids hooks of projects`,
      );
      expect(outcomes.filter(([state]) => state === 'succeeded')).toHaveLength(1);
      expect(hooks.trust.requests()).toEqual([]);
      for (const name of formatNames) expect(places.read(`project/${name}`)).toBeUndefined();
    });
  }),
);

test.each<[string, unknown, number]>([
  ['half', '{ "project": "nev', 0o644],
  ['of a later version', { v: 2, project: 'ask' }, 0o644],
  ...(process.platform === 'win32' ? [] : [['writable by every user', { project: 'ask' }, 0o666] satisfies [string, unknown, number]]),
])('case 30: with a policy that is %s no hook of a repository runs', (_, policy, mode) =>
  withRepository(async (places) => {
    places.write(settings, guard('touch ran'));
    const use = async (hooks: OpenHooks) => {
      expect((await outcomesOf(hooks)).map(([state]) => state)).toEqual(['untrusted']);
      expect(hooks.diagnostics.map(({ code, file }) => [code, file])).toEqual([['trust_policy', places.at('etc/policy.json')]]);
    };
    await under(places, policy, { trust: 'all' }, use, mode);
    expect(places.read('project/ran')).toBeUndefined();
  }),
);

test('a policy without "trustAll" leaves "all" to the program, and with false it is "store"', () =>
  withRepository(async (places) => {
    places.write(settings, guard('echo guarded >&2; exit 2'));
    await under(places, {}, { trust: 'all' }, async (hooks) => expect((await outcomesOf(hooks))[0]?.[0]).toBe('blocked'));
    await under(places, { trustAll: false }, { trust: 'all' }, async (hooks) => {
      expect((await outcomesOf(hooks))[0]?.[0]).toBe('untrusted');
      const [request] = hooks.trust.requests();
      await hooks.trust.accept(request?.pin ?? '');
      expect((await outcomesOf(hooks))[0]?.[0]).toBe('blocked');
    });
  }));

test('case 31: with "managedHooksOnly" only hooks of the administrator run, in all formats', () =>
  withRepository(async (places) => {
    for (const name of formatNames) {
      writeGuard(places, name, `touch ${name}`);
      places.write(formatNamed(name).user, formatNamed(name).settings([{ command: `touch of-user-${name}` }]));
    }
    await under(places, { managedHooksOnly: true }, { trust: 'all' }, async (hooks) => {
      expect(await outcomesOf(hooks)).toEqual([]);
      expect(hooks.off.BeforeTool).toHaveLength(2 * formatNames.length);
      expect(hooks.off.BeforeTool[0]?.reason).toMatch(`managedHooksOnly is true in ${places.at('etc/policy.json')}:1`);
    });
  }));

test('case 32: only hosts of the policy are called, in all formats, and only its variables are sent', () =>
  withRepository(async (places) => {
    const received: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      received.push(`${request.url} ${request.headers.authorization}`);
      response.setHeader('content-length', '0').end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = (url: string, fields = {}) => ({
      type: 'http',
      url,
      headers: { Authorization: 'Bearer $TOKEN' },
      allowedEnvVars: ['TOKEN'],
      ...fields,
    });
    const urls = [`${host}/allowed`, `${host}/other`, `http://x@127.0.0.1:1/allowed`, `http://127.0.0.1:1/?${host}/allowed`];
    places.write(settings, { hooks: { PreToolUse: [{ hooks: urls.map((url) => http(url)) }] } });
    places.write('project/.llxprt/settings.json', {
      tools: { enableHooks: true },
      hooks: { BeforeTool: [{ hooks: [http(`${host}/other?llxprt`)] }] },
    });
    places.write('home/.claude/settings.json', {
      hooks: { PreToolUse: [{ hooks: [http(`${host}/allowed?user`), http(`${host}/user`)] }] },
    });
    const options = { trust: 'all', http: { allowPrivateAddresses: true } } as const;
    process.env['TOKEN'] = 's3cret';
    try {
      await under(places, { http: { hosts: [`${host}/allowed*`], env: ['TOKEN'] } }, options, outcomesOf);
      expect(received.sort()).toEqual(['/allowed Bearer s3cret', '/allowed?user Bearer s3cret']);
      received.length = 0;
      await under(places, { http: { hosts: [`${host}/allowed*`], env: [] } }, options, outcomesOf);
      expect(received.filter((line) => line?.includes('s3cret'))).toEqual([]);
      expect(received).toHaveLength(2);
    } finally {
      delete process.env['TOKEN'];
      server.close();
    }
  }));

test('"onChanged" of the policy is stricter than that of the program', () =>
  withRepository(async (places) => {
    places.write(settings, guard('./guard.sh'));
    places.write('project/guard.sh', denying('guarded'), 0o755);
    await under(places, { onChanged: 'deny' }, { trust: { mode: 'store', onChanged: 'ask' } }, async (hooks) => {
      for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
      places.write('project/guard.sh', '#!/bin/sh\nexit 0\n', 0o755);
      const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
      expect(verdict.kind).toBe('deny');
    });
  }));

(process.platform === 'win32' ? test.skip : test)('"run" of the policy is stricter than that of the program', () =>
  withRepository(async (places) => {
    places.write(settings, guard('./guard.sh'));
    places.write('project/guard.sh', '#!/bin/sh\necho "$0" >&2\nexit 2\n', 0o755);
    await under(places, { run: 'snapshot' }, { trust: { mode: 'store', run: 'checked' } }, async (hooks) => {
      for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
      const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
      expect(verdict.reason).toMatch(/tenterhook-copies-/);
    });
  }),
);
