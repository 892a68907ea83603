import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import { placeHooks } from '../src/target/place-hooks.js';
import { calls, hookSets } from './hook-sets.js';
import { context, dialectNamed, dialects, documentOf, migrated, pairs, portablesOf } from './portables.js';

const expected = calls.map(([, , kind]) => kind);

/** Runs the hooks of the settings for each call. Returns their verdicts, and how often the hook that writes a file ran after tools. */
async function verdicts(name: string, settings: object): Promise<{ kinds: string[]; ran: number }> {
  const projectDir = mkdtempSync(join(tmpdir(), 'tenterhook-migrate-'));
  const hooks = await createHooks({ projectDir, sessionId: 's1', dialects, dialect: name, settings });
  try {
    expect(hooks.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const handler = hooks.getEventHandler();
    const kinds: string[] = [];
    for (const [eventName, input] of calls) kinds.push((await handler.fire(eventName, input)).verdict.kind);
    for (const error of [undefined, { message: 'no' }]) {
      const response = { llmContent: 'done', ...(error === undefined ? {} : { error }) };
      await handler.fireAfterToolEvent('write_file', { file_path: '/srv/a' }, response);
    }
    const file = join(projectDir, 'ran.txt');
    return { kinds, ran: existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0 };
  } finally {
    await hooks.dispose();
    rmSync(projectDir, { recursive: true, force: true });
  }
}

test.each(Object.entries(hookSets))('the hooks of %s say what is expected of all of them', async (name, settings) => {
  expect(await verdicts(name, settings)).toEqual({ kinds: expected, ran: 2 });
});

test.each(pairs)('hooks of %s say the same to every call as hooks of %s', async (from, to) => {
  const { value, placed } = migrated(dialectNamed(from), dialectNamed(to), hookSets[from] as object);
  expect(placed.filter((hook) => 'cannot' in hook)).toEqual([]);
  expect(await verdicts(to, value)).toEqual({ kinds: expected, ran: 2 });
});

test.each(pairs)('%s to %s: a timeout is the same time, and one that was never written is the one that counted', (from, to) => {
  const source = portablesOf(dialectNamed(from), hookSets[from] as object).hooks;
  const { value } = migrated(dialectNamed(from), dialectNamed(to), hookSets[from] as object);
  const times = (hooks: typeof source) =>
    hooks.map(({ action, timeoutMs }) => [action.kind === 'command' && action.text, timeoutMs]).sort();
  expect(times(portablesOf(dialectNamed(to), value).hooks)).toEqual(times(source));
});

test.each(pairs)('%s to %s: a second time there is nothing to add', (from, to) => {
  const dialect = dialectNamed(to);
  const source = portablesOf(dialectNamed(from), hookSets[from] as object).hooks;
  const { value } = migrated(dialectNamed(from), dialect, hookSets[from] as object);
  const target = { dialect, migration: dialect.migration, context, source: 'project', file: '/srv/app/settings.json' };
  const { placed, toAdd } = placeHooks(source, { ...target, document: documentOf(value) });
  expect([toAdd.value, placed.map((hook) => ('cannot' in hook ? hook : hook.paths))]).toEqual([{}, source.map(() => [])]);
});
