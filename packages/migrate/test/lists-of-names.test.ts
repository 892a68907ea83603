import type { HookEvent, HookEventName } from '@tenterhook/protocol';
import { context, dialectNamed, documentOf, migrated } from './portables.js';

const [claude, llxprt] = [dialectNamed('claude-code'), dialectNamed('llxprt')];
const hook = { type: 'command', command: 'x' };
const settings = (event: string, matcher: string) => ({ hooks: { [event]: [{ matcher, hooks: [hook] }] } });
const matcherOf = (value: object, event: string) =>
  (value as { hooks: Record<string, { matcher?: string }[]> }).hooks[event]?.map(({ matcher }) => matcher);

function runsFor(value: object, eventName: HookEventName, input: object): boolean {
  const hooks = llxprt.parse(documentOf(value), context).hooks;
  const event = { eventName, projectDir: '/srv/app', input: { hook_event_name: eventName, ...input } } as unknown as HookEvent;
  return hooks.length === 1 && hooks.every((one) => llxprt.select(one, event).run);
}

test.each([
  ['/srv/app/.envrc', true],
  ['C:\\app\\.env', true],
  ['/srv/app/x.env', false],
  ['/srv/app/.env.local', false],
])('names of files that Claude Code watches are those of %s: %s', (file_path, runs) => {
  const { value } = migrated(claude, llxprt, settings('FileChanged', '.envrc|.env'));
  expect(runsFor(value, 'FileChanged', { file_path })).toBe(runs);
});

test('a whole path stays one', () => {
  const { value } = migrated(claude, llxprt, settings('FileChanged', '/srv/app/.env'));
  expect(runsFor(value, 'FileChanged', { file_path: '/srv/app/.env' })).toBe(true);
  expect(runsFor(value, 'FileChanged', { file_path: '/srv/other/.env' })).toBe(false);
});

test('every character of a name is that character', () => {
  const { value } = migrated(claude, llxprt, settings('StopFailure', 'rate.limit (429)|b[1]?'));
  expect(['rate.limit (429)', 'b[1]?'].map((error) => runsFor(value, 'StopFailure', { error }))).toEqual([true, true]);
  expect(['rate_limit (429)', 'b1', 'b'].map((error) => runsFor(value, 'StopFailure', { error }))).toEqual([false, false, false]);
});

test.each([
  ['FileChanged', '*.ts|a'],
  ['FileChanged', '*|a'],
  ['StopFailure', 'billing.*'],
])('on %s, %s is not a pattern: the hook never runs there, and does not become one', (event, matcher) => {
  const [first] = claude.migration.read(claude.parse(documentOf(settings(event, matcher)), context).hooks, context);
  expect(first).toEqual({ cannot: expect.stringMatching(/is a list of names.*literally/) });
});

test('names of files come back from LLxprt as they were', () => {
  const { value } = migrated(claude, llxprt, settings('FileChanged', '.envrc|.env'));
  expect(matcherOf(migrated(llxprt, claude, value).value, 'FileChanged')).toEqual(['.envrc|.env']);
  expect(matcherOf(migrated(llxprt, claude, settings('FileChanged', '/\\.env$')).value, 'FileChanged')).toEqual(['.env']);
});
