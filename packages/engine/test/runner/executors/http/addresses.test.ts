import fc from 'fast-check';
import { AddressPolicy, isPrivateAddress } from '../../../../src/runner/executors/http/address-policy.js';
import { closeAll, executorWith, loopback, post, serve } from './http-rig.js';

afterEach(closeAll);

const privateOnes = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1'],
  ...[
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ],
  ...['', 'localhost', '1.2.3', '1.2.3.4.5'],
];
const publicOnes = [
  ...['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.169.0.0', '223.255.255.255'],
  ...['2000::1', '2001:200::1', '2606:4700::1111', '2a00:1450::1', '3ffe::1', '64:ff9b::8.8.8.8'],
];

test.each(privateOnes)('%j is private', (address) => expect(isPrivateAddress(address)).toBe(true));
test.each(publicOnes)('%s is public', (address) => expect(isPrivateAddress(address)).toBe(false));

test('an address of version 4 is never public in another form of it', () => {
  const four = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join('.'));
  fc.assert(
    fc.property(four, (address) => {
      expect([isPrivateAddress(`::ffff:${address}`), isPrivateAddress(`::${address}`)]).toEqual([true, true]);
      expect(isPrivateAddress(`64:ff9b::${address}`)).toBe(isPrivateAddress(address));
    }),
  );
});

describe('what is allowed', () => {
  const allows = (allowed: boolean | string[], host: string, address: string) => new AddressPolicy(allowed).allows(host, address);

  test('everything public always, everything with true', () => {
    expect([allows(false, 'example.org', '8.8.8.8'), allows([], '8.8.8.8', '8.8.8.8'), allows(true, 'x', '::1')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(allows(false, 'localhost', '127.0.0.1')).toBe(false);
  });

  test('ranges and addresses, whichever name leads to them', () => {
    expect(allows(['10.1.0.0/16'], 'a', '10.1.255.1')).toBe(true);
    expect(allows(['10.1.0.0/16'], 'a', '10.2.0.0')).toBe(false);
    expect(allows(['127.0.0.1'], 'a', '127.0.0.1')).toBe(true);
    expect(allows(['127.0.0.1'], 'a', '127.0.0.2')).toBe(false);
    expect(allows(['fd00::/8'], 'a', 'fd12::1')).toBe(true);
    expect(allows(['::1'], 'a', '::1')).toBe(true);
  });

  test('a range of version 4 is meant for the mapped form too, one of version 6 for nothing of version 4', () => {
    expect(allows(loopback, '::ffff:7f00:1', '::ffff:7f00:1')).toBe(true);
    expect(allows(loopback, '::ffff:7f00:2', '::ffff:7f00:2')).toBe(false);
    expect(allows(['::/0'], 'a', '127.0.0.1')).toBe(false);
  });

  test('names, in any letters and with a last dot, wherever they lead; and no other name', () => {
    for (const host of ['hooks.corp', 'hooks.corp.', 'HOOKS.corp']) expect(allows(['Hooks.Corp.'], host, '10.0.0.1')).toBe(true);
    for (const host of ['hooks.corp.example', 'x.hooks.corp', 'corp']) expect(allows(['hooks.corp'], host, '10.0.0.1')).toBe(false);
    expect(allows(['bücher.corp'], 'xn--bcher-kva.corp', '10.0.0.1')).toBe(true);
    expect(allows(['localhost'], '127.0.0.1', '127.0.0.1')).toBe(false);
  });
});

describe('a request to a private address', () => {
  const refused = (says: string) => ({ kind: 'unrunnable', code: 'address_refused', message: expect.stringContaining(says) });

  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '①②⑦.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    'localhost',
    'LOCALHOST',
  ])('written as %s is refused, and nothing is connected', async (host) => {
    const server = await serve((response) => response.end());
    const exit = await post(executorWith({}), `http://user:s3cret@${host}:${server.port}/p?token=s3cret`, { headers: { X: 's3cret' } });
    expect(exit).toMatchObject(
      refused('is a private address, and hooks may not send requests to it. To allow it, pass { http: { allowPrivateAddresses: ['),
    );
    expect(JSON.stringify(exit)).not.toContain('s3cret');
    expect(server.connections).toEqual([]);
  });

  test('behind a public name is refused, and the message says where it leads', async () => {
    const server = await serve((response) => response.end());
    const resolve = async () => [{ address: '127.0.0.1' }];
    const exit = await post(executorWith({ resolve }), `http://hooks.example:${server.port}/`);
    expect(exit).toMatchObject(refused('hooks.example resolves to 127.0.0.1, which is a private address'));
    expect(server.connections).toEqual([]);
  });

  test('a name that is public when it is looked at, and private a moment later, is looked up once for both', async () => {
    const server = await serve((response) => response.end('{}'));
    const answers = [[{ address: '127.0.0.1' }], [{ address: '127.0.0.2' }]];
    let lookups = 0;
    const resolve = async () => answers[Math.min(lookups++, 1)] as { address: string }[];
    const executor = executorWith({ resolve, allowPrivateAddresses: loopback });
    const url = `http://rebinding.example:${server.port}/`;
    expect(await post(executor, url)).toMatchObject({ kind: 'response' });
    expect([lookups, server.connections.length]).toEqual([1, 1]);
    expect(await post(executor, url)).toMatchObject(refused('rebinding.example resolves to 127.0.0.2'));
    expect([lookups, server.connections.length]).toEqual([2, 1]);
  });

  test('of several addresses of a name those that are refused are left out', async () => {
    const server = await serve((response) => response.end('{}'));
    const resolve = async () => [{ address: '10.255.255.1' }, { address: '::1' }, { address: '127.0.0.1' }];
    const executor = executorWith({ resolve, allowPrivateAddresses: loopback });
    expect(await post(executor, `http://many.example:${server.port}/`)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('is made where its name is allowed', async () => {
    const server = await serve((response) => response.end('{}'));
    const resolve = async () => [{ address: '127.0.0.1' }];
    const executor = executorWith({ resolve, allowPrivateAddresses: ['hooks.corp'] });
    expect(await post(executor, `http://Hooks.corp.:${server.port}/`)).toMatchObject({ kind: 'response' });
    expect(await post(executor, `http://other.corp:${server.port}/`)).toMatchObject(refused('other.corp resolves to'));
    expect(server.heard[0]?.headers.host).toBe(`hooks.corp.:${server.port}`);
  });

  test('a name that leads nowhere is not a name', async () => {
    expect(await post(executorWith({ resolve: async () => [] }), 'http://nowhere.example/')).toMatchObject({
      code: 'request_failed',
      message: expect.stringContaining('the host name in'),
    });
  });
});
