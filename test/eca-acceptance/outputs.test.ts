import type { HookEventName } from '@tenterhook/protocol';
import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { contextOf, deeds, firePrompt, fireShell, hookOf, idOf, preToolCall, withEca } from './eca-hooks.js';

test('eca 1: silence with exit 0 is no opinion', async () => {
  const result = await fireShell({ quiet: preToolCall('true') });
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ hookId: idOf('quiet'), name: 'quiet', status: 'succeeded', exitCode: 0, warnings: [] });
  expect(result).toMatchObject({ success: true, allOutputs: [], errors: [], changes: [] });
});

test('eca 2: approval deny is a deny, and its context is the reason and no context any more', async () => {
  const result = await fireShell({ guard: preToolCall(says({ approval: 'deny', additionalContext: 'no rm' })) });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no rm', by: [idOf('guard')] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 0, warnings: [] });
  expect(contextOf(result)).toBeUndefined();
  expect(result.success).toBe(true);
});

test('eca 2: a deny without a context has a reason that names the hook', async () => {
  const result = await fireShell({ guard: preToolCall(says({ approval: 'deny' })) });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('guard') });
});

test('eca 6: plain text on exit 0 is context', async () => {
  const result = await firePrompt({ note: hookOf('preRequest', 'echo plain words') });
  expect(contextOf(result)).toBe('plain words');
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
});

test.each([
  ['[1]', []],
  ['{bad', ['invalid_json']],
  ['[{"approval":"deny"}]', ['not_an_object']],
])('eca 6: %s on exit 0 is context too, and what may have been an answer is said', async (text, warnings) => {
  const result = await firePrompt({ note: hookOf('preRequest', `echo '${text}'`) });
  expect(contextOf(result)).toBe(text);
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0).status).toBe('succeeded');
  expect(warningCodes(outcomeAt(result, 0))).toEqual(warnings);
});

test.each(['maybe', 'DENY', 'block', true, 7])('eca 18: the approval %j is a warning and no opinion', async (approval) => {
  const result = await fireShell({ guard: preToolCall(says({ approval })) });
  expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
  expect(outcomeAt(result, 0)).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'wrong_type', message: expect.stringContaining('approval') }],
  });
});

test('eca 22: continue false stops with its stop reason, and the hooks behind it do not run', async () => {
  const result = await firePrompt({
    a: hookOf('preRequest', says({ continue: false, stopReason: 'R' })),
    b: hookOf('preRequest', 'echo never'),
  });
  expect(result.verdict).toMatchObject({ stop: true, stopReason: 'R', stoppedBy: [idOf('a', 'BeforeAgent')] });
  expect(result.finalOutput?.shouldStopExecution()).toBe(true);
  expect(deeds(result).at(-1)).toEqual(['b', 'skipped', 'chain-ended']);
  expect(contextOf(result)).toBeUndefined();
});

const stoppable: [type: string, eventName: HookEventName, input: Record<string, unknown>][] = [
  ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {} }],
  ['postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: {} }],
  ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
  ['chatStart', 'SessionStart', { source: 'startup' }],
  ['chatEnd', 'SessionEnd', { reason: 'exit' }],
  ['sessionStart', 'HostStart', {}],
  ['sessionEnd', 'HostEnd', {}],
];

test.each(stoppable)('eca 22: a stop of a %s hook ends the chain, too', async (type, eventName, input) => {
  const hooks = { a: hookOf(type, says({ continue: false, stopReason: 'R' })), b: hookOf(type, 'true') };
  await withEca(hooks, async ({ handler }) => {
    const result = await handler.fire(eventName, input);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: true, stopReason: 'R', stoppedBy: [idOf('a', eventName)] });
    expect(deeds(result)).toEqual([
      ['a', 'succeeded'],
      ['b', 'skipped', 'chain-ended'],
    ]);
  });
});

test('eca 23: continue as the text "false" is no stop, and a warning', async () => {
  const result = await firePrompt({ a: hookOf('preRequest', says({ continue: 'false' })), b: hookOf('preRequest', 'true') });
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false, stoppedBy: [] });
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining('continue') }]);
  expect(deeds(result)).toEqual([
    ['a', 'succeeded'],
    ['b', 'succeeded'],
  ]);
});

test('eca 24: the contexts of two hooks are joined in order, a line each', async () => {
  const result = await firePrompt({
    b: hookOf('preRequest', says({ additionalContext: 'Y' })),
    a: hookOf('preRequest', says({ additionalContext: 'X' })),
  });
  expect(contextOf(result)).toBe('X\nY');
});

test('eca 24: two hooks that say the same are heard twice', async () => {
  const hook = hookOf('preRequest', says({ additionalContext: 'X' }));
  expect(contextOf(await firePrompt({ a: hook, b: hook }))).toBe('X\nX');
});

test.each<[string, Record<string, unknown>, string]>([
  ['no decision', {}, 'none'],
  ['a deny', { approval: 'deny', additionalContext: 'no' }, 'deny'],
  ['an allow', { approval: 'allow' }, 'allow'],
])('eca 38: suppressOutput beside %s is a flag of the result, and the decision is what it was', async (_, fields, kind) => {
  const result = await fireShell({ guard: preToolCall(says({ ...fields, suppressOutput: true })) });
  expect(result.finalOutput?.suppressOutput).toBe(true);
  expect(result.verdict.kind).toBe(kind);
});
