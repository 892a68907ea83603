import { fireTool, outcomeAt, says, settingsOf, withHooks } from '../support/fire-hooks.js';

const writes = (tool_input: Record<string, unknown>, seenIn = '/dev/null') =>
  `cat > ${seenIn}; ${says({ hookSpecificOutput: { tool_input } })}`;

test.each([true, false])('27. tool_input accumulates for the tool; sequential: %s', async (sequential) => {
  const hooks = [writes({ x: 1 }, 'h1.json'), writes({ y: 2 }, 'h2.json')];
  await withHooks({ settings: settingsOf('BeforeTool', hooks, { sequential }) }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
    const seen = ['h1.json', 'h2.json'].map((file) => JSON.parse(read(file) ?? '{}').tool_input);
    expect(seen).toEqual([{ a: 1 }, sequential ? { a: 1, x: 1 } : { a: 1 }]);
    expect(result.finalOutput?.hookSpecificOutput).toEqual({ tool_input: { a: 1, x: 1, y: 2 } });
    expect(result.changes).toEqual([
      { path: 'tool_input.x', hookId: 'llxprt/settings/BeforeTool/0.0', after: 1 },
      { path: 'tool_input.y', hookId: 'llxprt/settings/BeforeTool/0.1', after: 2 },
    ]);
  });
});

test('28. sequential: a block ends the chain', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['exit 2', 'touch ran'], { sequential: true }) }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['blocked', 'skipped']);
    expect(outcomeAt(result, 1).skipReason).toBe('chain-ended');
    expect(read('ran')).toBeUndefined();
  });
});

test('28. sequential: a failure does not end the chain, and what it printed rewrites nothing', async () => {
  const hooks = [`${writes({ x: 1 })}; exit 1`, 'cat > h2.json'];
  await withHooks({ settings: settingsOf('BeforeTool', hooks, { sequential: true }) }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
    expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['failed', 'succeeded']);
    expect(JSON.parse(read('h2.json') ?? '{}').tool_input).toEqual({ a: 1 });
    expect(result.changes).toEqual([]);
  });
});

test('29. whoever refuses the final input can name the hook that wrote each field', async () => {
  const result = await fireTool([writes({ path: 7 }), writes({ mode: 'x' })], { sequential: true });
  expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ path: 7, mode: 'x' });
  expect(result.changes[0]).toEqual({
    path: 'tool_input.path',
    hookId: 'llxprt/settings/BeforeTool/0.0',
    before: '/srv/app/a.txt',
    after: 7,
  });
});
