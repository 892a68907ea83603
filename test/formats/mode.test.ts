import { join } from 'node:path';
import { outcomeAt, withHooks } from '../support/fire-hooks.js';
import { formatNamed, formatNames } from '../support/formats.js';
import { root } from '../support/sources.js';

const adapter = join(root, 'packages/tenterhook/adapters/resident.sh');
/** Denies writing b.txt. Logs its process, and whether it is resident. */
const guard = `. ${adapter}
look() { read -r event; echo "$$ $TENTERHOOK_MODE" >> runs; case $event in *b.txt*) echo 'not b' >&2; return 2;; esac; }
answer_events look`;

test.each(formatNames)('one process answers the events of a hook of %s whose "mode" is "resident"', async (name) => {
  const { dialect, settings } = formatNamed(name);
  const run = (mode: 'cold' | 'resident') =>
    withHooks(
      { settings: settings([{ command: guard, mode }]), dialects: [dialect('/etc')], dialect: name },
      async ({ hooks, handler, read }) => {
        expect(hooks.diagnostics).toEqual([]);
        const fire = (path: string) => handler.fireBeforeToolEvent('write_file', { path, content: '' });
        const results = [await fire('a.txt'), await fire('b.txt'), await fire('a.txt')];
        const runs = (read('runs') ?? '').trimEnd().split('\n');
        return { runs, results, routes: results.map((result) => outcomeAt(result, 0).route?.kind) };
      },
    );
  const [resident, cold] = [await run('resident'), await run('cold')];
  expect(resident.routes).toEqual(['resident', 'resident', 'resident']);
  expect([resident.runs.length, new Set(resident.runs).size, resident.runs[0]?.split(' ')[1]]).toEqual([3, 1, 'resident']);
  expect([new Set(cold.runs).size, cold.routes.includes('resident')]).toEqual([3, false]);
  const facts = ({ results }: typeof cold) => results.map(({ verdict, outcomes }) => [verdict, outcomes[0]?.status, outcomes[0]?.warnings]);
  expect(facts(resident)).toEqual(facts(cold));
  expect(facts(cold).map(([verdict]) => (verdict as { kind: string }).kind)).toEqual(['none', 'deny', 'none']);
});
