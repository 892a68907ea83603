import { readOptions, type SoakOptions, UsageError, usage } from './options.js';
import { renderReport } from './report/report.js';
import { runSoak } from './run-soak.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: SoakOptions | undefined;
  try {
    options = readOptions(args, () => Date.now() % 2 ** 32);
    if (options === undefined) {
      process.stdout.write(`${usage}\n`);
      return 0;
    }
    requireLinux();
    const collectGarbage = requireGarbageCollector();
    const interruption = onInterruption();
    const figures = await runSoak(options, interruption.signal, collectGarbage);
    interruption.forget();
    const hasColours = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
    process.stdout.write(`${options.isJson ? JSON.stringify(figures, null, 2) : renderReport(figures, hasColours)}\n`);
    return figures.isInterrupted ? 130 : figures.violationCount === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    return 64;
  }
}

function requireLinux(): void {
  if (process.platform !== 'linux')
    throw new UsageError(`Processes and descriptors are counted in /proc, which ${process.platform} does not have.`);
}

function requireGarbageCollector(): () => void {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new UsageError('The heap cannot be measured. Start it with node --expose-gc, as npm run soak does.');
  return collect;
}

/**
 * Returns a signal that aborts at the first interruption, so that everything is ended and counted. A second interruption ends the process
 * at once.
 */
export function onInterruption(): { readonly signal: AbortSignal; forget(): void } {
  const control = new AbortController();
  const interrupt = () => {
    if (control.signal.aborted) process.exit(130);
    control.abort();
  };
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: control.signal,
    forget: () => {
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
