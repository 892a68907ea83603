import { fireEvent, fireTool, outcomeAt, settingsOf, withHooks } from '../support/fire-hooks.js';

const runsFor = async (matcher: string, toolName: string) =>
  outcomeAt(await fireTool(['true'], { matcher }, toolName), 0).status === 'succeeded';

test.each<[string, string, boolean]>([
  ['write_*', 'write_file', true],
  ['write_*', 'overwrite_x', false],
  ['*_file', 'write_file', true],
  ['read', 'read_file', true],
  ['read', 'thread_dump', true],
  ['^read$', 'read_file', false],
  ['^read$', 'thread_dump', false],
])('20. the matcher %s and the tool %s: runs is %s', async (matcher, toolName, expected) => {
  expect(await runsFor(matcher, toolName)).toBe(expected);
});

test.each<['SessionStart' | 'Notification', string, Record<string, unknown>, string]>([
  ['SessionStart', 'startup|resume', { source: 'startup' }, 'succeeded'],
  ['SessionStart', 'startup|resume', { source: 'clear' }, 'skipped'],
  ['Notification', 'Other', { notification_type: 'ToolPermission', message: 'm', details: {} }, 'skipped'],
])('21. %s with the matcher %s and %j: %s', async (eventName, matcher, input, status) => {
  const outcome = outcomeAt(await fireEvent(eventName, input, ['true'], { matcher }), 0);
  expect(outcome.status).toBe(status);
  expect(outcome.skipReason).toBe(status === 'skipped' ? 'matcher' : undefined);
});

test('22. a matcher on BeforeModel is a warning at load, and the hook runs', async () => {
  await withHooks({ settings: settingsOf('BeforeModel', ['true'], { matcher: 'gpt' }) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.BeforeModel[0].matcher' }]);
    expect(outcomeAt(await handler.fireBeforeModelEvent({}), 0).status).toBe('succeeded');
  });
});

test.each([123, '[bad'])('23. the matcher %j is a diagnostic, and the next group still blocks', async (matcher) => {
  const BeforeTool = [
    { matcher, hooks: [{ command: 'true' }] },
    { matcher: '*', hooks: [{ command: 'exit 2' }] },
  ];
  await withHooks({ settings: { hooks: { BeforeTool } } }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'invalid_matcher', severity: 'error', path: 'hooks.BeforeTool[0].matcher', remedy: expect.any(String) },
    ]);
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject({ kind: 'deny', by: ['llxprt/settings/BeforeTool/1.0'] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'invalid', warnings: [{ code: 'invalid_matcher' }] });
    expect(hooks.explain('BeforeTool', { tool_name: 'write_file' }).hooks[0]).toMatchObject({ wouldRun: false, skipReason: 'invalid' });
  });
});

test('24. a pattern that is catastrophic elsewhere is answered, on a name of 20,000 letters', async () => {
  const name = 'a'.repeat(20_000);
  expect(await runsFor('^(a+)+$', `${name}!`)).toBe(false);
  expect(await runsFor('^(a+)+$', name)).toBe(true);
});
