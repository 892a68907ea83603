import type { AggregatedHookResult } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt } from '../../support/fire-hooks.js';
import { braced, callBash, deeds, hooksOf, preToolUse, specificOf, withClaude } from './claude-hooks.js';
import { type Answer, type HookServer, withServer } from './http-server.js';

const allowed = { http: { allowPrivateAddresses: true } };

/** Returns the outcome of an http hook of PreToolUse, and the request that its server received. */
function asked(
  answer: Answer,
  fields: Readonly<Record<string, unknown>> = {},
  settings: Readonly<Record<string, unknown>> = {},
  options: object = allowed,
): Promise<AggregatedHookResult & Pick<HookServer, 'posted'>> {
  return withServer(answer, ({ url, posted }) => {
    const hooks = preToolUse({ type: 'http', url: `${url}/hook`, ...fields });
    return withClaude({}, async ({ handler }) => ({ ...(await callBash(handler)), posted }), {
      settings: { ...settings, hooks },
      ...options,
    });
  });
}

const deny = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
});

test('claude §7 http: the JSON of stdin is posted, and an empty answer is fine', async () => {
  const result = await asked({ status: 204 });
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(result.posted).toHaveLength(1);
  const [{ method, path, headers, body }] = result.posted as [HookServer['posted'][number]];
  expect([method, path]).toEqual(['POST', '/hook']);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(JSON.parse(body)).toEqual({
    session_id: 's1',
    transcript_path: '',
    cwd: expect.any(String),
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: expect.any(String),
  });
});

test.each([200, 201, 299])('claude §7 http: with the status %s a JSON object is the output', async (status) => {
  expect((await asked({ status, body: deny })).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('claude §7 http: a deny in a field that the object has twice counts', async () => {
  const overwritten = deny.replace('"no"', '"no","permissionDecision":"allow"');
  const result = await asked({ body: overwritten });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'repeated_field' }]);
});

test('claude §7 http: what a command would say beside a decision counts', async () => {
  const output = {
    systemMessage: 'm',
    hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' }, additionalContext: 'c' },
  };
  const result = await asked({ body: JSON.stringify(output) });
  expect(specificOf(result)).toMatchObject({ userMessage: 'm', additionalContext: 'c', tool_input: { command: 'ls' } });
});

const failures: [string, Answer][] = [
  ['a server that fails', { status: 500, body: deny }],
  ['a page that is not there', { status: 404 }],
  ['a redirection', { status: 302, headers: { location: '/elsewhere' }, body: deny }],
  ['text that is not an object', { body: 'hello' }],
  ['a list', { body: '[1]' }],
];

test.each(failures)('claude §7 http: %s is a failure that does not block', async (_, answer) => {
  const result = await asked(answer);
  expect(result.verdict.kind).toBe('none');
  expect(deeds(result)).toEqual(['failed']);
  expect(outcomeAt(result, 0).warnings).not.toEqual([]);
  expect(result.posted).toHaveLength(1);
});

test.each(failures)('claude §7 http: with onFailure "block" it does: %s', async (_, answer) => {
  const result = await asked(answer, { onFailure: 'block' });
  expect(result.verdict.kind).toBe('deny');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
});

test('claude §7 http: a server that is not there is a failure, and its URL is named', async () => {
  const gone = await withServer({}, async ({ url }) => url);
  const settings = { hooks: preToolUse({ type: 'http', url: gone }) };
  const result = await withClaude({}, ({ handler }) => callBash(handler), { settings, ...allowed });
  expect(deeds(result)).toEqual(['failed']);
  expect(JSON.stringify(outcomeAt(result, 0).warnings)).toContain(gone);
});

test('claude §7 http: a server that does not answer is timed out', async () => {
  const result = await asked('hang', { timeout: 0.2 });
  expect(result.verdict.kind).toBe('none');
  expect(deeds(result)).toEqual(['timed-out']);
  expect((await asked('hang', { timeout: 0.2, onFailure: 'block' })).verdict.kind).toBe('deny');
});

/** Asks an http hook at this address, without options, and returns how it ended. */
async function askedAt(url: string, http: CreateHooksOptions['http'] = undefined) {
  const options = http === undefined ? {} : { http };
  return withClaude(
    preToolUse({ type: 'http', url }),
    async ({ hooks, handler }) => {
      const { verdict, outcomes } = await callBash(handler);
      const warned = hooks.diagnostics.some(({ code }) => code === 'private_address');
      return { verdict: verdict.kind, warned, codes: outcomes.flatMap(({ warnings }) => warnings.map(({ code }) => code)) };
    },
    options,
  );
}

test.each(['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
  'claude §7 http: a server on this machine decides, without an option and without a warning: %s',
  async (host) => {
    await withServer({ body: deny }, async ({ url, posted }) => {
      const at = `http://${host}:${new URL(url).port}/policy`;
      expect(await askedAt(at)).toEqual({ verdict: 'deny', warned: false, codes: [] });
      expect(await askedAt(at, { allowPrivateAddresses: ['10.0.0.1'] })).toEqual({ verdict: 'deny', warned: false, codes: [] });
      expect(posted.map(({ path }) => path)).toEqual(['/policy', '/policy']);
    });
  },
);

test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'])(
  'claude §7 http: a host that allows no private address refuses this machine too, which is reported before anything fires: %s',
  async (host) => {
    await withServer({ body: deny }, async ({ url, posted }) => {
      const refused = await askedAt(`http://${host}:${new URL(url).port}/`, { allowPrivateAddresses: false });
      expect(refused).toEqual({ verdict: 'none', warned: true, codes: ['address_refused'] });
      expect(posted).toEqual([]);
    });
  },
);

test.each(['10.0.0.7', '172.16.4.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '[fd00::1]', '[fe80::1]'])(
  'claude §7 http: any other private address is refused unless the host allows it, which is reported before anything fires: %s',
  async (host) => {
    for (const http of [undefined, {}, { allowPrivateAddresses: [] }, { allowPrivateAddresses: ['127.0.0.1'] }])
      expect(await askedAt(`http://${host}:9/`, http)).toEqual({ verdict: 'none', warned: true, codes: ['address_refused'] });
  },
);

test('claude §7 http: with onFailure "block", a refused address denies', async () => {
  const hook = { type: 'http', url: 'http://10.0.0.7/', onFailure: 'block' };
  expect(await withClaude(preToolUse(hook), ({ handler }) => callBash(handler))).toMatchObject({ verdict: { kind: 'deny' } });
});

test('claude §7 http: a host may allow one address', async () => {
  const result = await asked({ body: deny }, {}, {}, { http: { allowPrivateAddresses: ['127.0.0.1'] } });
  expect(result.verdict.kind).toBe('deny');
});

const secrets = { HOOK_TOKEN: 't0ken', HOOK_SECRET: 's3cret' };
const headers = {
  Authorization: 'Bearer $HOOK_TOKEN',
  'X-Braced': `${braced('HOOK_TOKEN')}!`,
  'X-Secret': '$HOOK_SECRET',
  'X-Plain': 'plain',
  'X-Unset': '[$HOOK_UNSET]',
};

/** Returns the headers that the server received. */
async function sent(fields: Readonly<Record<string, unknown>>, settings: Readonly<Record<string, unknown>> = {}) {
  const { posted } = await withEnvironment(secrets, () => asked({}, { headers, ...fields }, settings));
  expect(posted).toHaveLength(1);
  return posted[0]?.headers ?? {};
}

test('claude §7 http: only the variables that allowedEnvVars names are expanded in headers', async () => {
  const arrived = await sent({ allowedEnvVars: ['HOOK_TOKEN', 'HOOK_UNSET'] });
  expect(arrived).toMatchObject({ authorization: 'Bearer t0ken', 'x-braced': 't0ken!', 'x-plain': 'plain', 'x-unset': '[]' });
  expect(JSON.stringify(arrived)).not.toContain('s3cret');
});

test.each([
  ['Bearer $HOOK_SECRET', 'Bearer'],
  [`${braced('HOOK_SECRET')}-$HOOK_TOKEN-end`, '-t0ken-end'],
  ['$HOME/$NO_SUCH_VARIABLE', '/'],
  ['a $ b $1', 'a $ b'],
])('claude §7 http: a variable that is not listed is replaced by an empty text: %j', async (written, expected) => {
  const arrived = await sent({ headers: { 'X-Written': written }, allowedEnvVars: ['HOOK_TOKEN'] });
  expect(arrived['x-written']).toBe(expected);
});

test('claude §7 http: without allowedEnvVars none is', async () => {
  const arrived = await sent({});
  expect(arrived).toMatchObject({ 'x-plain': 'plain' });
  for (const secret of Object.values(secrets)) expect(JSON.stringify(arrived)).not.toContain(secret);
});

test('claude §1 httpHookAllowedEnvVars: a policy leaves only what both allow', async () => {
  const both = { allowedEnvVars: ['HOOK_TOKEN', 'HOOK_SECRET'] };
  const arrived = await sent(both, { httpHookAllowedEnvVars: ['HOOK_TOKEN'] });
  expect(arrived).toMatchObject({ authorization: 'Bearer t0ken' });
  expect(JSON.stringify(arrived)).not.toContain('s3cret');
  expect(JSON.stringify(await sent(both, { httpHookAllowedEnvVars: [] }))).not.toContain('t0ken');
});

test('claude §1 allowedHttpHookUrls: a URL that fits no pattern is not asked, and it is said', async () => {
  await withServer({ body: deny }, async ({ url, posted }) => {
    const hooks = preToolUse([{ type: 'http', url: `${url}/hook` }, 'true']);
    const settings = { allowedHttpHookUrls: ['https://hooks.example.com/*'], hooks };
    await withClaude(
      {},
      async ({ hooks: system, handler }) => {
        const result = await callBash(handler);
        expect(posted).toEqual([]);
        expect(result.verdict.kind).toBe('none');
        expect(JSON.stringify([system.diagnostics, result.outcomes, system.explain('BeforeTool')])).toContain('allowedHttpHookUrls');
        expect(deeds(result).at(-1)).toBe('succeeded');
      },
      { settings, ...allowed },
    );
  });
});

test('claude §1 allowedHttpHookUrls: one that fits is asked; an empty list allows none', async () => {
  await withServer({ body: deny }, async ({ url, posted }) => {
    const hooks = preToolUse({ type: 'http', url: `${url}/hook` });
    const fire = (allowedHttpHookUrls: string[]) =>
      withClaude({}, ({ handler }) => callBash(handler), { settings: { allowedHttpHookUrls, hooks }, ...allowed });
    expect((await fire(['http://127.0.0.1:*/*'])).verdict.kind).toBe('deny');
    expect(posted).toHaveLength(1);
    await fire([]);
    expect(posted).toHaveLength(1);
  });
});

test.each(['SessionStart', 'Setup'])('claude §1: %s takes no http hook; it is a diagnostic, and its siblings run', async (event) => {
  const hooks = hooksOf(event, [{ type: 'http', url: 'https://hooks.example.com/' }, 'true']);
  await withClaude(hooks, async ({ hooks: system, handler }) => {
    expect(system.diagnostics).toMatchObject([{ severity: 'error', path: expect.stringContaining(`hooks.${event}[0].hooks[0]`) }]);
    const input = event === 'Setup' ? { trigger: 'init' } : { source: 'startup' };
    expect(deeds(await handler.fire(event, input))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test.each([undefined, 7, '', 'no url', 'ftp://x/'])('claude §1: the url %j is a diagnostic', async (url) => {
  await withClaude(preToolUse([{ type: 'http', url }, 'true']), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ severity: 'error', path: expect.stringContaining('hooks.PreToolUse[0].hooks[0]') }]);
    expect(deeds(await callBash(handler))).toEqual(['skipped: invalid', 'succeeded']);
  });
});
