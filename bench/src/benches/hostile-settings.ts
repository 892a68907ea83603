import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';

const count = <Item>(items: number, item: (index: number) => Item): Item[] => Array.from({ length: items }, (_, index) => item(index));

/** Settings of a repository that are made to keep an agent busy. */
const contents: Readonly<Record<string, () => string>> = {
  'no settings': () => '{}',
  '40,000 unknown events': () => JSON.stringify({ hooks: Object.fromEntries(count(40_000, (index) => [`E${index}`, []])) }),
  '500,000 groups': () => `{"hooks":{"PreToolUse":[${'{},'.repeat(499_999)}{}]}}`,
  '3,000 patterns': () =>
    JSON.stringify({ hooks: { PreToolUse: count(3_000, (index) => ({ matcher: `^(a|b){50}${index}$`, hooks: [] })) } }),
  '8 MiB of one key': () => JSON.stringify({ ['k'.repeat(8 * 1024 * 1024)]: 1 }),
};

/** Measures how long a repository can keep `createHooks` busy with its settings. */
export async function hostileSettings(): Promise<Bench> {
  const root = mkdtempSync(join(tmpdir(), 'bench-hostile-'));
  mkdirSync(join(root, 'home'));
  const variants = Object.entries(contents).map(([name, text], index): Variant => {
    const projectDir = join(root, String(index));
    mkdirSync(join(projectDir, '.claude'), { recursive: true });
    writeFileSync(join(projectDir, '.claude/settings.json'), text());
    return {
      name,
      run: async () => {
        const before = process.env['HOME'];
        process.env['HOME'] = join(root, 'home');
        try {
          const hooks = await createHooks({
            projectDir,
            sessionId: 'bench',
            trust: { mode: 'store', directory: join(root, 'home/decisions') },
          });
          if (index > 0 !== hooks.diagnostics.length > 0) throw new Error(`${hooks.diagnostics.length} problems were reported`);
          await hooks.dispose();
        } finally {
          process.env['HOME'] = before;
        }
      },
    };
  });
  const most = 250;
  return {
    name: 'createHooks with settings that are made to keep it busy',
    unit: 'ms',
    warmup: 2,
    rounds: 15,
    variants: variants as [Variant, ...Variant[]],
    marks: variants.slice(1).map(({ name }) => ({
      text: `${name}: createHooks takes at most ${most} ms`,
      reached: (median) => ({ reached: median(name) <= most, measured: `${median(name).toFixed(0)} ms` }),
    })),
    dispose: async () => rmSync(root, { recursive: true, force: true }),
  };
}
