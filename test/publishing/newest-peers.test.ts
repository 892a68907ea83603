import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

interface Manifest {
  readonly name: string;
  readonly folder?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
interface Peer {
  readonly alias: string;
  readonly name: string;
  readonly install: string;
  readonly major?: number;
}
const { newMajors, peersToTest, testsWithPeers } = (await import('../../scripts/peers/peer-plan.mjs' as string)) as {
  peersToTest: (workspace: { devDependencies: Readonly<Record<string, string>> }, packages: readonly Manifest[]) => Peer[];
  newMajors: (peers: readonly Peer[], packages: readonly Manifest[], newest: ReadonlyMap<string, string>) => string[];
  testsWithPeers: (packages: readonly Manifest[], exists: (folder: string) => boolean) => string[];
};

const adapter = { name: '@tenterhook/ai', folder: 'packages/ai', peerDependencies: { ai: '^5.0.0 || ^6.1.0', framework: '>=2' } };
const workspace = { devDependencies: { 'ai-v5': 'npm:ai@5.0.277', 'ai-v6': 'npm:ai@6.1.3', framework: '2.4.0', jest: '^30.0.0' } };

test('peers of packages are tested: an alias with the newest version of its major version, the others with the newest of all', () => {
  expect(peersToTest(workspace, [adapter])).toEqual([
    { alias: 'ai-v5', name: 'ai', install: 'ai-v5@npm:ai@^5', major: 5 },
    { alias: 'ai-v6', name: 'ai', install: 'ai-v6@npm:ai@^6', major: 6 },
    { alias: 'framework', name: 'framework', install: 'framework@latest' },
  ]);
});

test('a new major version is reported if no test runs with it, and if the peer dependency excludes it', () => {
  const peers = peersToTest(workspace, [adapter]);
  const report = (ai: string) =>
    newMajors(
      peers,
      [adapter],
      new Map([
        ['ai', ai],
        ['framework', '9.0.0'],
      ]),
    );
  expect(report('6.9.9')).toEqual([]);
  expect(report('7.0.0')).toEqual([
    'ai 7.0.0: no tests run with version 7. Add "ai-v7" to the development dependencies.',
    'ai 7.0.0: the peer dependency of @tenterhook/ai is "^5.0.0 || ^6.1.0".',
  ]);
});

test('the tests of packages with peers are run', () => {
  expect(testsWithPeers([adapter, { name: '@tenterhook/bus', folder: 'packages/bus' }], () => true)).toContain('packages/ai/test');
  expect(testsWithPeers([adapter], () => false)).toEqual([]);
});

test('the peers of this repository include OpenTelemetry and MCP, and the packages with peers have tests', () => {
  const read = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const packages = readdirSync(join(root, 'packages')).map((name) => ({ folder: `packages/${name}`, ...read(`packages/${name}`) }));
  const peers = peersToTest(read('.') as unknown as typeof workspace, packages);
  expect(peers.map(({ name }) => name)).toEqual(expect.arrayContaining(['@opentelemetry/api', '@modelcontextprotocol/sdk']));
  expect(testsWithPeers(packages, () => true)).toContain('packages/otel/test');
});
