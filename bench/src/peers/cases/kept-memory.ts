import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Variant } from '../../bench.js';
import { geminiHooks, geminiName } from '../contenders/gemini-cli.js';
import type { Case } from './case.js';
import { childReports } from './child-reports.js';

const events = 10_000;
const name = `memory kept after ${events.toLocaleString('en')} events of 10 KB with one hook`;

/** The memory that a process keeps after many events whose one hook is a function. */
export const keptMemory: Case = {
  name,
  // One of the two has no baseline to be compared with.
  guarded: false,
  make: (withPeer) => {
    const program = fileURLToPath(new URL('./kept-memory-process.js', import.meta.url));
    if (!existsSync(program)) throw new Error(`${program} is missing. Run npm run build.`);
    const kept = (contender: string): Variant => ({
      name: contender,
      run: () => {},
      measure: async () =>
        (await childReports<{ bytes: number }>(`await import(${JSON.stringify(program)});`, [contender, String(events)])).bytes / 2 ** 20,
    });
    const installed = geminiHooks() !== undefined;
    return {
      name,
      unit: 'MiB',
      note: 'The telemetry of the peer is off, as it is by default; it keeps the input of each event for a telemetry that never starts.',
      warmup: 0,
      rounds: 3,
      variants: [kept('Tenterhook'), ...(withPeer && installed ? [kept(geminiName)] : [])],
      absent:
        withPeer && !installed
          ? [{ name: geminiName, why: '@google/gemini-cli-core is not installed; npm run bench:peers installs it' }]
          : [],
    };
  },
};
