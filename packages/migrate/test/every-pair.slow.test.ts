import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';
import { formatNamed } from '../../../test/support/formats.js';
import type { PortableHook } from '../src/portable/portable-hook.js';
import { placeHooks } from '../src/target/place-hooks.js';
import { calls, hookSets } from './hook-sets.js';
import { context, dialectNamed, dialects, documentOf, migrated, pairs, portablesOf } from './portables.js';

/**
 * The verdicts of a set in a format. Some formats are stricter: their matchers name a tool of any MCP server, or a hook that denies when it
 * fails has failed if it prints nothing.
 */
function expectedOf(set: string, dialect: string): string[] {
  const [source, target] = [formatNamed(set).migration, formatNamed(dialect).migration];
  return calls.map(([eventName, input, kind]) => {
    const isIgnored = target.ignoresExit2OnPrompts ?? source.lacksPrompts ?? target.lacksPrompts ?? false;
    if (eventName === 'BeforeAgent' && isIgnored) return 'none';
    const tool = 'tool_name' in input ? input.tool_name : undefined;
    const isMerged = set !== dialect && target.mergesServers === true;
    const isOnOtherServer = tool === 'mcp_docs_search' && (source.ignoresServers ?? target.ignoresServers ?? isMerged);
    const isSilentWrite = tool === 'write_file' && kind === 'none' && source.closesSecrets === true && target.failsInSilence === true;
    return isOnOtherServer || isSilentWrite ? 'deny' : kind;
  });
}

/** Tests whether a hook of a set cannot be converted to a format, because the format has no such event. */
function isMissing({ eventName }: PortableHook, dialect: string): boolean {
  return eventName === 'BeforeAgent' && formatNamed(dialect).migration.lacksPrompts === true;
}

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
  expect(await verdicts(name, settings)).toEqual({ kinds: expectedOf(name, name), ran: 2 });
});

test.each(pairs)('hooks of %s say the same to every call as hooks of %s', async (from, to) => {
  const { value, placed } = migrated(dialectNamed(from), dialectNamed(to), hookSets[from] as object);
  const source = portablesOf(dialectNamed(from), hookSets[from] as object).hooks;
  expect(placed.map((hook) => 'cannot' in hook)).toEqual(source.map((hook) => isMissing(hook, to)));
  expect(await verdicts(to, value)).toEqual({ kinds: expectedOf(from, to), ran: 2 });
});

test.each(pairs)('%s to %s: a timeout is the same time, and one that was never written is the one that counted', (from, to) => {
  const source = portablesOf(dialectNamed(from), hookSets[from] as object).hooks;
  const { value } = migrated(dialectNamed(from), dialectNamed(to), hookSets[from] as object);
  const times = (hooks: typeof source) =>
    hooks.map(({ action, timeoutMs }) => [action.kind === 'command' && action.text, timeoutMs]).sort();
  expect(times(portablesOf(dialectNamed(to), value).hooks)).toEqual(times(source.filter((hook) => !isMissing(hook, to))));
});

test.each(pairs)('%s to %s: a second time there is nothing to add', (from, to) => {
  const dialect = dialectNamed(to);
  const source = portablesOf(dialectNamed(from), hookSets[from] as object).hooks;
  const { value } = migrated(dialectNamed(from), dialect, hookSets[from] as object);
  const target = { dialect, migration: dialect.migration, context, source: 'project', file: '/srv/app/settings.json' };
  const { placed, toAdd } = placeHooks(source, { ...target, document: documentOf(value) });
  const paths = placed.map((hook) => ('cannot' in hook ? 'missing' : hook.paths));
  expect([toAdd.value, paths]).toEqual([{}, source.map((hook) => (isMissing(hook, to) ? 'missing' : []))]);
});
