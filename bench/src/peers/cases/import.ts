import type { Bench, Variant } from '../../bench.js';
import { geminiHooks, geminiName } from '../contenders/gemini-cli.js';
import { atMostTimes } from '../marks.js';
import type { Case } from './case.js';
import { childReports } from './child-reports.js';

const ours = "import 'tenterhook'";
const engine = "import '@tenterhook/handlers'";
const peer = `import the hooks of ${geminiName}`;
const why = 'The module loads the engine, the bus and the side of the agent at once. Formats and files are loaded when hooks are created.';
const missing = [{ name: peer, why: '@google/gemini-cli-core is not installed; npm run bench:peers installs it' }];

/** Imports in a new process: the time until the module is evaluated, and the memory of the process after it. */
export const importCases: readonly Case[] = [
  {
    name: 'import: time',
    make: (withPeer) => benchOf('import: time', 'ms', withPeer, ({ took }) => took),
  },
  {
    name: 'import: memory of the process',
    make: (withPeer) => benchOf('import: memory of the process', 'MiB', withPeer, ({ rss }) => rss / 2 ** 20),
  },
];

function benchOf(name: string, unit: 'ms' | 'MiB', withPeer: boolean, read: (report: Report) => number): Bench {
  const modules: [string, string][] = [
    ["import 'node:fs'", 'node:fs'],
    [ours, import.meta.resolve('tenterhook')],
    [engine, import.meta.resolve('@tenterhook/handlers')],
  ];
  const file = geminiHooks();
  if (withPeer && file !== undefined) modules.push([peer, file]);
  return {
    name,
    unit,
    warmup: 1,
    rounds: 10,
    variants: modules.map(
      ([variant, url]): Variant => ({ name: variant, run: () => {}, measure: async () => read(await importing(url)) }),
    ) as [Variant, ...Variant[]],
    absent: withPeer && file === undefined ? missing : [],
    marks: unit === 'ms' ? [atMostTimes(1 / 20, ours, ours, peer, why)] : [],
  };
}

interface Report {
  readonly took: number;
  readonly rss: number;
}

function importing(url: string): Promise<Report> {
  return childReports<Report>(
    `const start = performance.now();
     const module = await import(process.argv[1]);
     const took = performance.now() - start;
     if (Object.keys(module).length === 0) process.exit(1);
     console.log(JSON.stringify({ took, rss: process.memoryUsage.rss() }));
     process.exit(0);`,
    [url],
  );
}
