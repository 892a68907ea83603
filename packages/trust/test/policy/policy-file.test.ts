import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrustedOwners } from '../../src/policy/owners.js';
import { mergePolicies, noPolicy, type TrustPolicy } from '../../src/policy/policy.js';
import { placeOfPolicy, readPolicy } from '../../src/policy/policy-file.js';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'policy-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Root, and the user of the tests in the place of root. */
const owners: TrustedOwners | undefined =
  process.platform === 'win32' ? undefined : { uids: new Set([0, process.geteuid?.() ?? 0]), isTrustedGroup: () => false };
const file = join(root, 'tenterhook/policy.json');
const read = () => readPolicy({ file, owners });

beforeEach(() => {
  rmSync(join(root, 'tenterhook'), { recursive: true, force: true });
  mkdirSync(join(root, 'tenterhook'), { mode: 0o755 });
});

function write(policy: unknown): void {
  writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy, undefined, 2), { mode: 0o644 });
}

const isUnix = process.platform !== 'win32';
const onUnix = isUnix ? test : test.skip;
const asRoot = process.geteuid?.() === 0 ? test : test.skip;

test('the place of the policy is fixed', () => {
  expect((['linux', 'darwin', 'win32'] as const).map((platform) => placeOfPolicy(platform))).toEqual([
    '/etc/tenterhook/policy.json',
    '/Library/Application Support/Tenterhook/policy.json',
    'C:\\ProgramData\\Tenterhook\\policy.json',
  ]);
});

test('without a file nothing is limited', () => {
  expect(read()).toEqual({ file, policy: noPolicy });
  rmSync(join(root, 'tenterhook'), { recursive: true });
  expect(read()).toEqual({ file, policy: noPolicy });
});

test('every key is read, with comments, and what is left out has its default', () => {
  const pin = 'ab'.repeat(32);
  write(`// The policy of the company.
{ "project": "pinned", "pins": ["${pin}"], "open": "never", "trustAll": false, "managedHooksOnly": true,
  "http": { "hosts": ["https://*.example.com/*"], "env": ["HOOK_TOKEN"] }, "run": "snapshot", "onChanged": "deny", }`);
  expect(read().policy).toEqual({
    project: 'pinned',
    pins: [pin],
    open: 'never',
    trustAll: false,
    managedHooksOnly: true,
    http: { hosts: [['https://*.example.com/*']], env: ['HOOK_TOKEN'] },
    run: 'snapshot',
    onChanged: 'deny',
  });
  expect(read().problem).toBeUndefined();
  write({ project: 'never' });
  expect(read().policy).toEqual({ ...noPolicy, project: 'never' });
  write({});
  expect(read().policy).toEqual(noPolicy);
});

test('case 31: what concerns all hooks is a document of the level managed, with its lines', () => {
  write({ managedHooksOnly: true, http: { hosts: ['https://hooks.example.com'], env: [] } });
  const { settings } = read();
  expect(settings).toMatchObject({
    source: 'managed',
    file,
    switches: {
      managedOnly: { value: true, path: ['managedHooksOnly'] },
      allowedUrls: { value: ['https://hooks.example.com'], path: ['http', 'hosts'] },
      allowedHeaderVariables: { value: [], path: ['http', 'env'] },
    },
  });
  expect([['managedHooksOnly'], ['http', 'hosts', 0], ['http', 'env']].map((path) => settings?.locate?.(path)?.line)).toEqual([2, 5, 7]);
  write({ managedHooksOnly: false });
  expect(read().settings?.switches).toEqual({});
});

const closes = (reason: RegExp, place: object = {}) => {
  const { policy, problem, settings } = read();
  expect(problem).toEqual({
    code: 'trust_policy',
    severity: 'error',
    message: expect.stringMatching(reason),
    remedy: expect.stringMatching(/\.$/),
    file,
    source: 'managed',
    ...place,
  });
  expect(problem?.message).toMatch(/ No hook of a repository runs\.$/);
  expect(policy).toMatchObject({ project: 'never', pins: [], trustAll: false, open: 'never' });
  expect(settings).toBeUndefined();
};

test.each<[string, unknown, RegExp, number?]>([
  ['empty', '', /not valid JSON/, 1],
  ['half', '{\n  "project": "nev', /not valid JSON/, 2],
  ['an array', [], /invalid/, 1],
  ['null', 'null', /invalid/, 1],
  ['an unknown key', '{\n  "open": "allow",\n  "projet": "never"\n}', /"projet"/, 1],
  ['an unknown key of http', '{\n  "http": {\n "host": [] } }', /"http": .*"host"/, 2],
  ['a key twice', '{\n  "project": "never",\n  "project": "ask"\n}', /"project" twice/, 3],
  ['a key twice, inside', '{ "http": {\n "env": [],\n "env": ["TOKEN"] } }', /"env" twice/, 3],
  ['a key __proto__', '{ "__proto__": { "project": "ask" } }', /__proto__/, 1],
  ['an unknown value', '{\n  "project": "Never"\n}', /"project": /, 2],
  ['a text for a boolean', '{\n  "trustAll": "false"\n}', /"trustAll": /, 2],
  ['an invalid pin', '{\n  "pins": [\n    "abc"\n  ]\n}', /"pins\[0\]": .*64 hexadecimal/, 3],
  ['a host without a scheme', '{ "http": { "hosts": [\n "*.example.com" ] } }', /"http.hosts\[0\]": .*\*\.example\.com.*https:/, 2],
])('case 30: a policy that is %s closes', (_, policy, reason, line) => {
  write(policy);
  closes(reason, { line });
});

test('case 30: a policy that is nested too deeply, or no UTF-8, closes', () => {
  write(`{"http":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  closes(/cannot be read|not valid JSON|invalid/, { ...(read().problem?.line === undefined ? {} : { line: 1 }) });
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
  closes(/cannot be read/);
});

onUnix('case 30: a policy that is a link, a pipe, a directory, a dangling link or 2 GB closes', () => {
  const other = join(root, 'other.json');
  writeFileSync(other, '{}');
  symlinkSync(other, file);
  closes(/is a link/);
  rmSync(other);
  closes(/is a link/);
  rmSync(file);
  execFileSync('mkfifo', ['-m', '644', file]);
  closes(/is a pipe/);
  rmSync(file);
  mkdirSync(file);
  closes(/is a directory/);
  rmSync(file, { recursive: true });
  write({});
  truncateSync(file, 2 ** 31);
  closes(/2147483648 bytes/);
});

onUnix('case 30: a policy that others may write, or in a folder that others may write, closes', () => {
  write({ project: 'ask' });
  for (const [path, mode, usual] of [
    [file, 0o666, 0o644],
    [file, 0o664, 0o644],
    [join(root, 'tenterhook'), 0o777, 0o755],
    [root, 0o777, 0o700],
  ] as const) {
    chmodSync(path, mode);
    closes(new RegExp(`may write .*its mode is ${mode.toString(8).padStart(4, '0')}`));
    chmodSync(path, usual);
    expect(read().problem).toBeUndefined();
  }
});

asRoot('case 30: a policy of a user, or in a directory of a user, closes', () => {
  write({ project: 'ask' });
  for (const path of [file, join(root, 'tenterhook')]) {
    chownSync(path, 4711, 4711);
    closes(/uid 4711/);
    chownSync(path, 0, 0);
  }
});

test('where several speak, the stricter one counts, in any order', () => {
  const one: TrustPolicy = {
    ...noPolicy,
    project: 'pinned',
    pins: ['a', 'b'],
    trustAll: false,
    http: { hosts: [['https://one.example']], env: ['A', 'B'] },
    run: 'snapshot',
  };
  const other: TrustPolicy = {
    ...noPolicy,
    pins: ['b', 'c'],
    open: 'never',
    managedHooksOnly: true,
    http: { hosts: [['https://two.example']], env: ['B'] },
    onChanged: 'deny',
  };
  const both = {
    project: 'pinned',
    pins: ['b'],
    open: 'never',
    trustAll: false,
    managedHooksOnly: true,
    http: { hosts: [['https://one.example'], ['https://two.example']], env: ['B'] },
    run: 'snapshot',
    onChanged: 'deny',
  };
  expect(mergePolicies([one, other])).toEqual(both);
  expect(mergePolicies([other, noPolicy, one])).toEqual({ ...both, http: { ...both.http, hosts: [...both.http.hosts].reverse() } });
  expect(mergePolicies([{ ...noPolicy, project: 'never' }, one]).project).toBe('never');
  expect(mergePolicies([one])).toEqual(one);
  expect(mergePolicies([])).toEqual(noPolicy);
});
