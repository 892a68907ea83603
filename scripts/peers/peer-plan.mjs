/** Which packages of others are tested with their newest versions. The lists are the manifests, so a new adapter needs no entry here. */

/** Packages that users bring, although no manifest names them as peers: tests drive our packages with them. */
const families = [/^@opentelemetry\//, /^@modelcontextprotocol\//];

/**
 * Returns the peers that are installed in the workspace.
 *
 * @param workspace the manifest of the workspace, whose development dependencies the tests use. `ai-v6` with `npm:ai@6.0.1` is the newest
 * tested version 6 of `ai`.
 * @param packages the manifests of the packages
 * @returns of each: `alias`, the name in the workspace, `name`, the package, `install`, what npm installs, and `major` if only that one is
 * tested under this name
 */
export function peersToTest(workspace, packages) {
  const peers = new Set(packages.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)));
  return Object.entries(workspace.devDependencies).flatMap(([alias, version]) => {
    const [, aliased, number] = /^npm:(.+)@[^@]*?(\d+)\.[^@]*$/.exec(version) ?? [];
    const name = aliased ?? alias;
    if (!peers.has(name) && !families.some((family) => family.test(name))) return [];
    if (aliased === undefined) return [{ alias, name, install: `${alias}@latest` }];
    return [{ alias, name, install: `${alias}@npm:${name}@^${number}`, major: Number(number) }];
  });
}

/** Returns the packages of which the newest major version is not tested or not allowed, each as a sentence. */
export function newMajors(peers, packages, newest) {
  return [...newest].flatMap(([name, version]) => {
    const major = Number(version.split('.')[0]);
    const tested = peers.filter((peer) => peer.name === name);
    const untested = tested.every((peer) => peer.major !== undefined && peer.major < major);
    const closed = packages.filter(({ peerDependencies = {} }) => name in peerDependencies && highestMajor(peerDependencies[name]) < major);
    return [
      ...(untested
        ? [
            `${name} ${version}: no tests run with version ${major}. Add "${name.split('/').at(-1)}-v${major}" to the development dependencies.`,
          ]
        : []),
      ...closed.map((one) => `${name} ${version}: the peer dependency of ${one.name} is "${one.peerDependencies[name]}".`),
    ];
  });
}

/** The tests that have to do with peers: those of packages with peers, and the folders of the whole system that exist. */
export function testsWithPeers(packages, exists) {
  const ofPackages = packages.filter(({ peerDependencies }) => peerDependencies !== undefined).map(({ folder }) => `${folder}/test`);
  return [...ofPackages, 'packages/mcp/test', 'test/adapters', 'test/telemetry'].filter((folder) => exists(folder));
}

/** The highest major version that a range names; infinite for a range without an upper end. */
function highestMajor(range) {
  if (/^\*$|^>=[^<]*$/.test(range)) return Number.POSITIVE_INFINITY;
  return Math.max(...[...range.matchAll(/(\d+)(?:\.\d+)*/g)].map(([, major]) => Number(major)));
}
