import { MessageBus } from '@tenterhook/bus';
import { BeforeToolHookOutput } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

/** A host that fires on a bus which this responder serves, in place of a hook service. */
async function fireAt(answer: unknown, hooks = [hookOf('a')]) {
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async () => answer as never);
  const system = new HookSystem({ projectDir: '/', sessionId: 's', dialects: [fakeDialect()], sources: [sourceOf(hooks)], bus });
  const result = await system.getEventHandler().fireBeforeToolEvent('write_file', {});
  await system.dispose();
  await bus.close();
  return result;
}

const none = { kind: 'none', stop: false, by: [], stoppedBy: [] };
const empty = { success: true, verdict: none, changes: [], allOutputs: [], outcomes: [], errors: [], totalDuration: 1 };

test('an output that is plain JSON, as after a wire, gets its class', async () => {
  const { finalOutput } = await fireAt({ success: true, output: { ...empty, finalOutput: { decision: 'deny' } } });
  expect(finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(finalOutput?.isBlockingDecision()).toBe(true);
});

test('a success without a result is a bug of the service: no opinion, and a guard that fails closed denies', async () => {
  expect(await fireAt({ success: true })).toMatchObject({
    success: false,
    verdict: { kind: 'none' },
    errors: [{ code: 'internal_error' }, {}],
  });
  expect(await fireAt({ success: true }, [hookOf('guard', { onError: 'block' })])).toMatchObject({
    success: false,
    verdict: { kind: 'deny', by: ['guard'] },
  });
});

test.each([{}, { verdict: { kind: 'allow' } }, { ...empty, outcomes: [{}] }, 'allow', null])(
  'a result %j of a responder is invalid: no opinion, and a guard that fails closed denies',
  async (output) => {
    expect(await fireAt({ success: true, output })).toMatchObject({
      success: false,
      verdict: { kind: 'none' },
      errors: [{ code: 'internal_error' }, {}],
    });
    expect(await fireAt({ success: true, output }, [hookOf('guard', { onError: 'block' })])).toMatchObject({
      success: false,
      verdict: { kind: 'deny', by: ['guard'] },
    });
  },
);

test.each([
  [{ timeoutMS: 5 }, 'fire() has no option "timeoutMS". Did you mean "timeoutMs"?'],
  [{ retries: 5 }, 'fire() has no option "retries". Its options are signal, timeoutMs, recheck, correlationId.'],
  [{ recheck: 'yes' }, 'recheck must be true or false, and is a string'],
  [null, 'The options of fire() must be an object such as { signal }, and are null.'],
])('options %j are refused, because an event without its deadline could wait for ever', async (options, message) => {
  const system = new HookSystem({ projectDir: '/', sessionId: 's', dialects: [fakeDialect()], sources: [sourceOf([hookOf('a')])] });
  const result = await system.fire('BeforeTool', { tool_name: 'write_file', tool_input: {} }, options as never);
  await system.dispose();
  expect(result).toMatchObject({ success: false, errors: [{ code: 'invalid_request', message: expect.stringContaining(message) }, {}] });
});

test('recheck: false is an ordinary event', async () => {
  const system = new HookSystem({ projectDir: '/', sessionId: 's', dialects: [fakeDialect()], sources: [sourceOf([hookOf('a')])] });
  const result = await system.fire('AfterAgent', { prompt: '', prompt_response: '', stop_hook_active: false }, { recheck: false });
  await system.dispose();
  expect(result.errors.map(({ code }) => code)).not.toContain('invalid_request');
});
