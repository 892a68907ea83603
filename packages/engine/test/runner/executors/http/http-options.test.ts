import { HookSystem } from '../../../../src/hook-system.js';
import { requireHttpOptions } from '../../../../src/runner/executors/http/http-executor.js';

test.each([
  [{}, {}],
  [{ allowPrivateAddresses: false }, { allowPrivateAddresses: false }],
  [{ allowPrivateAddresses: true }, { allowPrivateAddresses: true }],
  [{ allowPrivateAddresses: [] }, { allowPrivateAddresses: [] }],
  [{ env: ['HOOK_TOKEN', '_A1'] }, { env: ['HOOK_TOKEN', '_A1'] }],
])('%j is fine', (options, checked) => expect(requireHttpOptions(options)).toEqual(checked));

test.each([
  'localhost',
  'hooks.corp.',
  'a_b',
  'bücher.corp',
  '127.0.0.1',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '::1',
  'fd00::/8',
  '::/0',
  '1.2.3.4.example',
])('%s may be allowed', (entry) =>
  expect(requireHttpOptions({ allowPrivateAddresses: [entry] })).toEqual({ allowPrivateAddresses: [entry] }),
);

test.each([
  ['', '"http.allowPrivateAddresses[0]" must be a host name, an address or a CIDR range'],
  ['10.0.0.0/33', 'and is "10.0.0.0/33"'],
  ['10.0.0.0/', 'and is "'],
  ['10.0.0.0/8/8', 'and is "'],
  ['::/129', 'and is "'],
  ['*.corp', 'and is "*.corp"'],
  ['http://hooks.corp', 'and is "'],
  ['hooks.corp:3000', 'and is "'],
  ['10.0.0', 'and is "10.0.0"'],
  ['0x7f.1', 'and is "'],
  ['a b', 'and is "'],
  ['..', 'and is "'],
  [7, 'and is 7'],
  [undefined, 'and is missing'],
])('%j is a TypeError that names it', (entry, says) => {
  expect(() => requireHttpOptions({ allowPrivateAddresses: [entry] })).toThrow(TypeError);
  expect(() => requireHttpOptions({ allowPrivateAddresses: [entry] })).toThrow(says);
});

test.each([
  [true, '"http" must be { allowPrivateAddresses, env }, and is true'],
  [null, '"http" must be { allowPrivateAddresses, env }, and is null'],
  [{ allowPrivateAdresses: true }, '"http" has no option "allowPrivateAdresses". Its options are allowPrivateAddresses and env.'],
  [{ env: 'HOOK_TOKEN' }, '"http.env" must be an array of names of variables, and is "HOOK_TOKEN"'],
  [{ env: ['A', '$B'] }, '"http.env[1]" must be the name of a variable such as "HOOK_TOKEN", and is "$B"'],
  [{ env: [''] }, '"http.env[0]" must be'],
  [{ env: [7] }, '"http.env[0]" must be'],
  [{ allowPrivateAddresses: '127.0.0.1' }, '"http.allowPrivateAddresses" must be true, false or an array of host names'],
])('%j is a TypeError at once', (http, says) => {
  expect(() => new HookSystem({ projectDir: '.', dialects: [], http: http as never })).toThrow(TypeError);
  expect(() => new HookSystem({ projectDir: '.', dialects: [], http: http as never })).toThrow(says);
});
