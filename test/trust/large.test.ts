import { jest } from '@jest/globals';
import { ReachProject } from '@tenterhook/trust';
import { atOnce } from '../support/at-once.js';
import { withRepository } from './repository.js';

const settings = 'project/.claude/settings.json';
const grouped = (groups: readonly object[]) => ({ hooks: { PreToolUse: groups } });

test('case 36: of 200 hooks with 10 files each, no file is read at an event without a change', () =>
  withRepository(async (places, discover) => {
    const names = Array.from({ length: 200 }, (_, index) => `hooks/${index}`);
    for (const name of names) {
      places.write(`project/${name}/guard.sh`, '#!/bin/sh\nexit 0\n', 0o755);
      for (let file = 1; file < 10; file += 1) places.write(`project/${name}/lib${file}.sh`, `# ${file}\n`);
    }
    places.write(settings, grouped([{ hooks: names.map((name) => ({ type: 'command', command: `./${name}/guard.sh` })) }]));
    const pins = await discover(async ({ hooks }) => hooks.trust.requests().map(({ pin }) => pin));
    expect(pins).toHaveLength(200);
    // Files that changed within the last seconds are read again, because another change could have the same time.
    const now = Date.now.bind(Date);
    const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
    await discover(
      async ({ hooks, handler }) => {
        const reads = jest.spyOn(ReachProject.prototype, 'hash');
        const { outcomes } = await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
        expect(outcomes.map(({ status }) => status)).toEqual(Array(200).fill('succeeded'));
        expect(reads).not.toHaveBeenCalled();
        // One file is different: only the hook that reaches it reads its files again.
        places.write('project/hooks/7/lib1.sh', '# changed\n');
        const again = await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
        expect(again.outcomes.filter(({ status }) => status === 'skipped')).toHaveLength(1);
        expect(new Set(reads.mock.calls.map(([path]) => path.slice(places.project.length)))).toEqual(
          new Set(['/hooks/7/guard.sh', ...Array.from({ length: 9 }, (_, index) => `/hooks/7/lib${index + 1}.sh`)]),
        );
        expect(hooks.trust.requests()).toHaveLength(1);
        reads.mockRestore();
      },
      { trust: { mode: 'store', pins }, advanced: { executors: [atOnce()] } },
    ).finally(() => later.mockRestore());
  }));

const mebibyte = 1024 * 1024;

test.each<[string, () => string, number]>([
  [
    '40,000 unknown events',
    () => JSON.stringify({ hooks: Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`E${index}`, []])) }),
    1,
  ],
  ['500,000 groups', () => `{"hooks":{"PreToolUse":[${'{},'.repeat(499_999)}{}]}}`, 1],
  [
    '3,000 patterns',
    () => JSON.stringify(grouped(Array.from({ length: 3_000 }, (_, index) => ({ matcher: `^(a|b){50}${index}$`, hooks: [] })))),
    1,
  ],
  [
    '8 MiB of one key',
    () => JSON.stringify({ ['k'.repeat(8 * mebibyte)]: 1, ...grouped([{ hooks: [{ type: 'command', command: 'touch ran' }] }]) }),
    1,
  ],
])('case 37: an untrusted settings file with %s', (_, text, problems) =>
  withRepository(async (places, discover) => {
    places.write(settings, text());
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    await discover(async (scene) => {
      expect(scene.hooks.list()).toEqual([]);
      expect(scene.hooks.trust.requests()).toEqual([]);
      expect(scene.hooks.diagnostics.length).toBeGreaterThanOrEqual(problems);
      expect(scene.hooks.diagnostics.length).toBeLessThanOrEqual(101);
      globalThis.gc?.();
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * mebibyte);
      expect(scene.read('ran')).toBeUndefined();
    });
  }),
);

test('scripts that would be read dozens of times do not stop the load: what is too much to read is listed', () =>
  withRepository(async (places, discover) => {
    const names = Array.from({ length: 16 }, (_, index) => `s${index}.sh`);
    const text = `a=/x/a\nb=/x/b\nc=/x/c\n${'"$a/q" "$b/r" "$c" x/y z/w\n'.repeat(9_000)}`;
    for (const name of names) places.write(`project/${name}`, text);
    const command = names.map((name) => `. ./${name}`).join('; ');
    places.write(settings, grouped([{ hooks: [{ type: 'command', command }] }]));
    const open = await discover(async ({ hooks }) => hooks.trust.requests().flatMap((request) => request.open));
    expect(open).toContainEqual({ kind: 'code', text: expect.stringContaining('is too much to read.') });
  }));
