import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { runCli } from './support/run-cli.js';

const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'write_*', hooks: [{ name: 'allow', command: `echo '{"decision":"allow","reason":"fine"}'` }] },
      {
        hooks: [
          { name: 'rewrite', command: `echo '{"hookSpecificOutput":{"tool_input":{"mode":"0600"}}}'` },
          { name: 'crash', command: 'exit 9' },
        ],
      },
      { matcher: 'read', hooks: [{ name: 'reader', command: 'true' }] },
      {
        hooks: [
          { name: 'talk', command: 'echo checked' },
          { name: 'ask', command: `echo '{"decision":"ask","reason":"sure?"}'` },
        ],
      },
    ],
  },
};
const fields = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };

test('fire…, the bus and the command line give the same result for the same input', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tenterhook-one-way-'));
  writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(settings));
  const hooks = await createHooks({ projectDir: cwd, settings: [join(cwd, 'hooks.json')] });
  try {
    const fired = await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
    const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: fields });
    const run = runCli(['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', JSON.stringify(fields), '--json'], { cwd });
    const printed = JSON.parse(run.stdout) as { output: AggregatedHookResult };

    expect(timeless(response.output as AggregatedHookResult)).toEqual(timeless(fired));
    expect(timeless(printed.output)).toEqual(timeless(fired));
    expect(fired.verdict).toMatchObject({ kind: 'ask', reason: 'sure?', by: ['llxprt/settings/BeforeTool/ask'] });
    expect(fired.outcomes.map((outcome) => outcome.status)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
      'skipped',
      'succeeded',
      'succeeded',
    ]);
  } finally {
    await hooks.dispose();
    rmSync(cwd, { recursive: true });
  }
});

test('a fire is a request that everybody on the bus sees', async () => {
  const hooks = await createHooks({ settings });
  const seen: string[] = [];
  for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
    hooks.bus.subscribe(channel, ({ type, payload }) => seen.push('kind' in payload ? payload.kind : type));
  }
  await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
  expect(seen.filter((kind) => kind.startsWith('HOOK_'))).toEqual(['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE']);
  expect(seen.filter((kind) => kind === 'hook-finished')).toHaveLength(5);
  expect([seen[0], seen[1], seen.at(-1)]).toEqual(['HOOK_EXECUTION_REQUEST', 'planned', 'HOOK_EXECUTION_RESPONSE']);
  await hooks.dispose();
});

test('every event of the catalogue that has a method is fired by it, over the bus', async () => {
  const events = [
    'BeforeTool',
    'AfterTool',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'AfterModel',
    'BeforeToolSelection',
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
  ];
  const everywhere = Object.fromEntries(events.map((event) => [event, [{ hooks: [{ command: 'cat >/dev/null; echo seen' }] }]]));
  const hooks = await createHooks({ settings: { hooks: everywhere } });
  const requested: string[] = [];
  hooks.bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => requested.push(payload.eventName));
  const handler = hooks.getEventHandler();
  const results = [
    await handler.fireBeforeToolEvent('t', {}),
    await handler.fireAfterToolEvent('t', {}, { llmContent: 'x' }, { server_name: 's' }),
    await handler.fireBeforeAgentEvent('p'),
    await handler.fireAfterAgentEvent('p', 'r', true),
    await handler.fireBeforeModelEvent({ messages: [{ role: 'user', content: 'hi' }] }),
    await handler.fireAfterModelEvent({}, { text: 'hi' }),
    await handler.fireBeforeToolSelectionEvent({}),
    await handler.fireSessionStartEvent('startup'),
    await handler.fireSessionEndEvent('exit'),
    await handler.firePreCompressEvent('auto'),
    await handler.fireNotificationEvent('ToolPermission', 'm', {}),
  ];
  expect(requested).toEqual(events);
  expect(results.map((result) => result.finalOutput?.systemMessage)).toEqual(events.map(() => 'seen'));
  await hooks.dispose();
});

/** A result without what depends on the clock. */
function timeless(result: AggregatedHookResult): unknown {
  const plain = JSON.parse(JSON.stringify(result)) as AggregatedHookResult;
  return { ...plain, totalDuration: 0, outcomes: plain.outcomes.map((outcome) => ({ ...outcome, durationMs: 0 })) };
}
