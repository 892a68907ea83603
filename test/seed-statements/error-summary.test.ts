import { llxprt } from '@tenterhook/dialects';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { fireTool, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

/** The operation goes on: nobody decided, nobody stops it. */
function expectGoesOn(result: AggregatedHookResult): void {
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
}

/** Nothing is started, and the answer is there at once, made once for all. */
async function expectNothingFires(settings: object): Promise<void> {
  await withHooks({ settings }, async ({ hooks, handler, progress, read }) => {
    expect(hooks.has('BeforeTool')).toBe(false);
    const [one, two] = [handler.fireBeforeToolEvent('write_file', {}), handler.fireBeforeToolEvent('glob', {})];
    expect(one).toBe(two);
    expectGoesOn(await one);
    expect(progress).toEqual([]);
    expect(read('ran')).toBeUndefined();
  });
}

test('tools.enableHooks: false: no hook fires', async () => {
  const settings = settingsOf('BeforeTool', ['touch ran; exit 2']);
  await expectNothingFires({ tools: { enableHooks: false }, ...settings });
  await withHooks({ settings: { tools: { enableHooks: true }, ...settings } }, async ({ handler, read }) => {
    expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('deny');
    expect(read('ran')).toBe('');
  });
});

test('no hook for the event: none fires', () => expectNothingFires(settingsOf('AfterTool', ['touch ran; exit 2'])));

test('no matcher fits the tool: no hook fires', async () => {
  const settings = settingsOf('BeforeTool', ['touch ran; exit 2'], { matcher: '^write_file$' });
  await withHooks({ settings }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('read_file', {});
    expectGoesOn(result);
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'matcher' });
    expect(read('ran')).toBeUndefined();
    expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('deny');
  });
});

test('exit 0 with JSON: decisions and modifications are applied', async () => {
  expect((await fireTool([says({ decision: 'deny', reason: 'no' })])).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  const changing = await fireTool([says({ hookSpecificOutput: { tool_input: { mode: 'x' } } })]);
  expect(changing.changes).toMatchObject([{ path: 'tool_input.mode', after: 'x' }]);
});

test('exit 0 with text: goes on, and the text is the system message', async () => {
  const result = await fireTool(['echo deny this']);
  expectGoesOn(result);
  expect(result.finalOutput?.systemMessage).toBe('deny this');
});

test('exit 0 without output: goes on, and nothing is changed', async () => {
  const result = await fireTool(['true']);
  expectGoesOn(result);
  expect({ ...result.finalOutput }).toEqual({ decision: 'allow' });
  expect(result.changes).toEqual([]);
});

test('exit 2: blocked, with the reason of stdout, else stderr', async () => {
  expect((await fireTool([`${says({ reason: 'of stdout' })}; echo of stderr >&2; exit 2`])).verdict).toMatchObject({
    kind: 'deny',
    reason: 'of stdout',
  });
  expect((await fireTool(['echo of stderr >&2; exit 2'])).verdict).toMatchObject({ kind: 'deny', reason: 'of stderr' });
});

test.each([1, 3, 127])('exit %d: a warning, and it goes on', async (code) => {
  const result = await fireTool([`${says({ decision: 'deny', continue: false })}; exit ${code}`]);
  expectGoesOn(result);
  expect(outcomeAt(result, 0).status).toBe('failed');
  expect(warningCodes(outcomeAt(result, 0))).toEqual([code === 127 ? 'missing_command' : 'exit_code', 'decision_ignored']);
});

test('past its timeout a hook is killed: a warning, and it goes on', async () => {
  const mark = globalThis.crypto.randomUUID();
  const hook = { command: `${says({ decision: 'deny' })}; sleep 600`, timeout: 200, env: { TENTERHOOK_TEST: mark } };
  const result = await fireTool([hook]);
  expectGoesOn(result);
  expect(outcomeAt(result, 0)).toMatchObject({
    status: 'timed-out',
    warnings: [{ code: 'timeout', message: expect.stringContaining('200 ms') }],
  });
  // fireTool() has disposed of the system by now, so the killing is over.
  expect(processesWith(mark)).toEqual([]);
});

test('ended by a signal: a warning, and it goes on', async () => {
  const result = await fireTool([`${says({ decision: 'deny' })}; kill -SEGV $$`]);
  expectGoesOn(result);
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', signal: 'SIGSEGV', warnings: [{ code: 'signal' }] });
});

test('stderr with exit 0 is kept, and changes nothing', async () => {
  const result = await fireTool([`{ ${says({ decision: 'deny', continue: false, systemMessage: 'm' })}; } >&2`]);
  expectGoesOn(result);
  expect({ ...result.finalOutput }).toEqual({ decision: 'allow' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stderr: expect.stringContaining('deny'), warnings: [] });
});

test('JSON that cannot be parsed, with exit 0, is the system message, and it goes on', async () => {
  const result = await fireTool([`echo '{"decision": "deny",'`]);
  expectGoesOn(result);
  expect(result.finalOutput?.systemMessage).toBe('{"decision": "deny",');
});

test('infrastructure: a failure of ours is a warning of that hook, and it goes on (decision 34)', async () => {
  const dialect = llxprt();
  const broken: typeof dialect = {
    ...dialect,
    decode: (exit, event, hook) => {
      if (hook.name === 'broken') throw new Error('bug');
      return dialect.decode(exit, event, hook);
    },
  };
  const settings = settingsOf('BeforeTool', [{ name: 'broken', command: 'exit 2' }, 'echo fine']);
  await withHooks({ settings, dialects: [broken] }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expectGoesOn(result);
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', warnings: [{ code: 'internal_error' }] });
    expect(result.finalOutput?.systemMessage).toBe('fine');
  });
});
