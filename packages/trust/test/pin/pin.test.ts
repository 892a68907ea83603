import { canonicalJson } from '../../src/pin/canonical-json.js';
import { contentOf, type PinnedHook, pinOf } from '../../src/pin/pin.js';

const hook: PinnedHook = {
  project: '/home/ada/shop',
  dialect: 'claude-code',
  definition: { event: 'PreToolUse', matcher: 'Bash', command: './guard.sh', timeoutMs: 60_000 },
  environment: { LEVEL: 'strict' },
  reach: { entries: [{ path: 'guard.sh', kind: 'file', executable: true, sha256: 'ab'.repeat(32) }], open: [] },
};

test('canonical JSON has the keys of each object in code-unit order and leaves out undefined', () => {
  expect(canonicalJson({ b: [1, { z: null, a: 'ä' }], B: undefined, a: 1e21, '10': true, '9': false })).toBe(
    '{"10":true,"9":false,"a":1e+21,"b":[1,{"a":"ä","z":null}]}',
  );
});

test('a pin is 64 hexadecimal digits, and does not depend on the order of keys', () => {
  expect(pinOf(hook)).toMatch(/^[0-9a-f]{64}$/);
  const { project, ...rest } = hook;
  const definition = Object.fromEntries(Object.entries(hook.definition).reverse());
  expect(pinOf({ ...rest, definition, project })).toBe(pinOf(hook));
});

test.each<[string, Partial<PinnedHook>]>([
  ['project', { project: '/home/ada/copy' }],
  ['dialect', { dialect: 'llxprt' }],
  ['definition', { definition: { ...hook.definition, timeoutMs: 1 } }],
  ['environment', { environment: {} }],
  [
    'content of a file',
    { reach: { ...hook.reach, entries: [{ path: 'guard.sh', kind: 'file', executable: true, sha256: 'cd'.repeat(32) }] } },
  ],
  ['executable bit', { reach: { ...hook.reach, entries: [{ path: 'guard.sh', kind: 'file', sha256: 'ab'.repeat(32) }] } }],
  ['open reason', { reach: { ...hook.reach, open: [{ kind: 'data', text: 'The word "$x" is a variable.' }] } }],
])('another %s gives another pin', (_, change) => {
  expect(pinOf({ ...hook, ...change })).not.toBe(pinOf(hook));
});

test('the content of a hook is the same in another directory', () => {
  expect(contentOf({ ...hook, project: '/elsewhere' })).toBe(contentOf(hook));
  const startingIn = (project: string, cwd: string) => ({ ...hook, project, definition: { ...hook.definition, cwd } });
  expect(contentOf(startingIn('/a', '/a'))).toBe(contentOf(startingIn('/b', '/b')));
  expect(contentOf(startingIn('/a', '/a'))).not.toBe(contentOf(startingIn('/a', '/b')));
});
