import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const { packPackages } = (await import('../../scripts/packages/pack.mjs' as string)) as {
  packPackages: (folder: string) => Promise<readonly (Manifest & { readonly filename: string })[]>;
};

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Version {
  readonly manifest: Manifest;
  readonly readTarball: () => Buffer;
}

/**
 * A registry on 127.0.0.1 that has the packages of this repository as `npm pack` makes them, and the libraries that are installed here. So
 * `npm install` works as for a user, without a network, and before anything is published.
 */
export class LocalRegistry {
  readonly #packages = new Map<string, Map<string, Version>>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenterhook-registry-'));
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#answer(request.url ?? '/', response));
  }

  static async start(): Promise<LocalRegistry> {
    const registry = new LocalRegistry(createServer());
    const own = await registry.#packOwn();
    for (const folder of installedPackages(join(root, 'node_modules'))) registry.#addLibrary(folder, own);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The variables with which npm uses this registry, and nothing of the user who runs the test. */
  get environment(): Readonly<Record<string, string>> {
    return {
      npm_config_registry: this.url,
      npm_config_cache: join(this.#folder, 'cache'),
      npm_config_userconfig: join(this.#folder, 'npmrc'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #packOwn(): Promise<string[]> {
    const packed = await packPackages(this.#folder);
    return packed.map(({ name, filename }) => {
      const tarball = join(this.#folder, filename);
      const manifest = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })) as Manifest;
      this.#add({ manifest, readTarball: () => readFileSync(tarball) });
      return name;
    });
  }

  #addLibrary(folder: string, own: readonly string[]): void {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Manifest>;
    if (manifest.name === undefined || manifest.version === undefined || own.includes(manifest.name)) return;
    let tarball: Buffer | undefined;
    const pack = ['-C', folder, '--exclude=./node_modules', '--transform=s,^\\.,package,', '-czf', '-', '.'];
    const readTarball = () => {
      tarball ??= execFileSync('tar', pack, { maxBuffer: 256 * 1024 * 1024 });
      return tarball;
    };
    this.#add({ manifest: manifest as Manifest, readTarball });
  }

  #add(version: Version): void {
    const { name, version: number } = version.manifest;
    const versions = this.#packages.get(name) ?? new Map<string, Version>();
    this.#packages.set(name, versions.set(number, version));
  }

  #answer(path: string, response: ServerResponse): void {
    const [name = '', number] = decodeURIComponent(path.slice(1)).split('/-/');
    const versions = this.#packages.get(name);
    const wanted = number === undefined ? undefined : versions?.get(number);
    if (versions === undefined || (number !== undefined && wanted === undefined)) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not found"}');
    } else if (wanted !== undefined) {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(wanted.readTarball());
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(this.#describe(name, versions)));
    }
  }

  #describe(name: string, versions: ReadonlyMap<string, Version>): object {
    const described = [...versions].map(([number, { manifest }]) => {
      return [number, { ...manifest, dist: { tarball: `${this.url}${name}/-/${number}` } }];
    });
    const newest = [...versions.keys()].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
    return { name, 'dist-tags': { latest: newest }, versions: Object.fromEntries(described) };
  }
}

/** The folders of the packages below a folder node_modules. Links to the packages of this repository are left out. */
function installedPackages(modules: string): string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const folder = join(modules, entry.name);
    if (entry.name.startsWith('@')) return installedPackages(folder);
    const nested = installedPackages(join(folder, 'node_modules'));
    return existsSync(join(folder, 'package.json')) ? [folder, ...nested] : nested;
  });
}
