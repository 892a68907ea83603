import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Where and with what it ran; printed with the figures, because they mean nothing without it. */
export function describeMachine(): Record<string, string> {
  return {
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}`,
    node: `${process.version} (libuv ${process.versions.uv}, V8 ${process.versions.v8})`,
    bash: orNothing(() => execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? ''),
    tenterhook: orNothing(() => (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version),
    'load before': loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
  };
}

const manifest = new URL('../../../packages/tenterhook/package.json', import.meta.url);

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return 'not there';
  }
}
