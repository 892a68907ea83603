import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Describes the machine and the versions. Printed with every table, because the numbers mean nothing without them. */
export function describeMachine(): Record<string, string> {
  const version = (file: string, args: string[]) =>
    firstLine(() => execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return {
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}`,
    node: `${process.version} (libuv ${process.versions.uv}, V8 ${process.versions.v8})`,
    bash: version('bash', ['--version']),
    packages: ['tenterhook', 'cross-spawn', 'p-limit', 'eventemitter3', 'zod', 'hookable', 'tapable']
      .map((name) => `${name} ${packageVersion(name)}`)
      .join(', '),
    parent: `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB resident`,
    load: loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] === undefined ? 'not set' : 'set',
  };
}

function packageVersion(name: string): string {
  return firstLine(() => {
    // npm may have installed an older copy at the root. The copy that the package itself uses is printed, too.
    const folders = ['spawner', 'bus', 'protocol'].map((ours) => `../../packages/${ours}/node_modules/`).concat('../../node_modules/');
    const file = folders.map((folder) => new URL(`${folder}${name}/package.json`, import.meta.url)).find((url) => existsSync(url));
    return (JSON.parse(readFileSync(file as URL, 'utf8')) as { version: string }).version;
  });
}

function firstLine(read: () => string): string {
  try {
    return read().split('\n')[0] as string;
  } catch {
    return 'not found';
  }
}
