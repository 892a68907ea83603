import { jest } from '@jest/globals';
import type { Exit, HookOutput, Invocation } from '@tenterhook/protocol';
import { HookSystem } from '../../../src/hook-system.js';
import { createHostExecutor, type HostCallback, type HostRequest } from '../../../src/runner/executors/host-executor.js';
import { fakeDialect, hookOf, sourceOf, toolEvent } from '../../engine-rig.js';

const asking = (type = 'prompt', data: Record<string, unknown> = { prompt: 'Is it safe?', model: 'small' }): Invocation => ({
  kind: 'host',
  type,
  data,
  input: { tool_name: 'Bash', tool_input: { command: 'ls' } },
});

function run(callbacks: Record<string, HostCallback>, options: { invocation?: Invocation; timeoutMs?: number; signal?: AbortSignal } = {}) {
  const executor = createHostExecutor(callbacks);
  const { invocation = asking(), timeoutMs = 600_000, signal = new AbortController().signal } = options;
  const onStart = jest.fn();
  const hook = hookOf('a', { timeoutMs, file: '/srv/settings.json', line: 7 });
  return { executor, onStart, exit: executor.run(invocation, hook, toolEvent, { signal, onStart }) };
}

test('a callback is asked with what the settings say and what a command would be given, and its answer is the exit', async () => {
  const asked: HostRequest[] = [];
  const { exit, onStart } = run({
    prompt: async (request) => {
      asked.push(request);
      return { ok: false, reason: 'no' };
    },
  });
  expect(await exit).toEqual({ kind: 'answered', answer: { ok: false, reason: 'no' }, durationMs: expect.any(Number) });
  expect(asked).toEqual([
    {
      type: 'prompt',
      data: { prompt: 'Is it safe?', model: 'small' },
      input: { tool_name: 'Bash', tool_input: { command: 'ls' } },
      hook: { id: 'a', dialect: 'fake', eventName: 'BeforeTool', file: '/srv/settings.json', line: 7 },
    },
  ]);
  expect(onStart).toHaveBeenCalledTimes(1);
});

test('it may answer at once, and nothing at all', async () => {
  expect(await run({ prompt: () => 'yes' }).exit).toMatchObject({ kind: 'answered', answer: 'yes' });
  expect(await run({ prompt: () => undefined }).exit).toMatchObject({ kind: 'answered', answer: undefined });
});

test('what it changes in its request changes nothing of ours', async () => {
  const invocation = asking();
  const { exit } = run(
    {
      prompt: ({ data, input }) => {
        (data as Record<string, unknown>)['prompt'] = 'changed';
        (input as Record<string, unknown>)['tool_name'] = 'changed';
      },
    },
    { invocation },
  );
  await exit;
  expect(invocation).toEqual(asking());
});

test.each<[string, HostCallback, string]>([
  [
    'throws',
    () => {
      throw new Error('no model');
    },
    'the callback "prompt" of the host threw an error: no model',
  ],
  ['rejects', () => Promise.reject(new Error('no model')), 'no model'],
  ['rejects with a text', () => Promise.reject('no model'), 'threw an error: no model'],
  ['rejects with nothing', () => Promise.reject(undefined), 'threw an error: a value that is not an Error'],
  ['rejects with a novel', () => Promise.reject(new Error('n'.repeat(9999))), `${'n'.repeat(499)}…`],
])('one that %s has failed', async (_, prompt, says) => {
  const exit = await run({ prompt }).exit;
  expect(exit).toMatchObject({ kind: 'unrunnable', code: 'hook_failed', message: expect.stringContaining(says) });
});

test.each(['agent', 'constructor', '__proto__', 'toString'])(
  'for the type %s there is no callback, and what to pass is said',
  async (type) => {
    const { exit, onStart } = run({ prompt: () => 'yes' }, { invocation: asking(type) });
    expect(await exit).toEqual({
      kind: 'unrunnable',
      code: 'no_executor',
      message: `hooks of the type "${type}" are run by a callback of the host. The host has no callback for this type. The host must pass callbacks: { ${type} }`,
      durationMs: 0,
    });
    expect(onStart).not.toHaveBeenCalled();
  },
);

test('what cannot be copied is not asked about', async () => {
  const prompt = jest.fn<HostCallback>();
  const { exit } = run({ prompt }, { invocation: asking('prompt', { test: () => {} }) });
  expect(await exit).toMatchObject({ kind: 'unrunnable', code: 'invalid_input' });
  expect(prompt).not.toHaveBeenCalled();
});

describe('one that ignores its signal', () => {
  /** Its signal, and how to let it answer at last. */
  function ignoring() {
    let signal: AbortSignal | undefined;
    let finish: (fail: boolean) => void = () => {};
    const prompt: HostCallback = (_request, options) => {
      signal = options.signal;
      return new Promise((resolve, reject) => {
        finish = (fail) => (fail ? reject(new Error('late')) : resolve('late'));
      });
    };
    return { prompt, signal: () => signal, finish: (fail: boolean) => finish(fail) };
  }

  test.each([true, false])('is given up at the deadline, and what it does later is dropped (fails: %s)', async (fails) => {
    const { prompt, signal, finish } = ignoring();
    expect(await run({ prompt }, { timeoutMs: 20 }).exit).toEqual({ kind: 'timed-out', durationMs: expect.any(Number) });
    expect([signal()?.aborted, signal()?.reason]).toEqual([true, 'timed-out']);
    finish(fails);
    await new Promise(setImmediate);
  });

  test('is given up at once when its event is cancelled', async () => {
    const { prompt, signal } = ignoring();
    const control = new AbortController();
    const { exit } = run({ prompt }, { signal: control.signal });
    expect(signal()?.aborted).toBe(false);
    control.abort();
    expect(await exit).toMatchObject({ kind: 'cancelled' });
    expect(signal()?.aborted).toBe(true);
  });

  test('is given up when the executor is disposed', async () => {
    const { prompt, signal } = ignoring();
    const { exit, executor } = run({ prompt });
    await executor.dispose?.();
    expect([(await exit).kind, signal()?.aborted]).toEqual(['cancelled', true]);
  });
});

describe('in a system', () => {
  test('hooks of the kind are run by the callbacks of the host, and an absent one fails visibly', async () => {
    const system = new HookSystem({
      projectDir: '/srv/app',
      dialects: [fakeDialect({ invocation: (_event, hook) => asking(hook.id), decode: (exit) => decoded(exit) })],
      sources: [sourceOf([hookOf('prompt'), hookOf('agent', { onError: 'block' })])],
      callbacks: { prompt: () => ({ decision: 'allow' }) },
    });
    const result = await system.getEventHandler().fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject({ kind: 'deny', by: ['agent'] });
    expect(result.outcomes).toMatchObject([
      { status: 'succeeded', output: { decision: 'allow' } },
      { status: 'failed', warnings: [{ code: 'no_executor' }, { code: 'failed_closed' }] },
    ]);
    await system.dispose();
  });
  const decoded = (exit: Exit) => (exit.kind === 'answered' ? { output: exit.answer as HookOutput, warnings: [] } : { warnings: [] });

  test.each([
    [7, '"callbacks" must be { [type]: function }, and is 7.'],
    [{ prompt: 'yes' }, '"callbacks.prompt" must be a function, and is yes.'],
    [{ agent: undefined }, '"callbacks.agent" must be a function, and is missing; leave the type out'],
  ])('callbacks that are %j are a TypeError at once', (callbacks, says) => {
    expect(() => new HookSystem({ projectDir: '.', dialects: [], callbacks: callbacks as never })).toThrow(TypeError);
    expect(() => new HookSystem({ projectDir: '.', dialects: [], callbacks: callbacks as never })).toThrow(says);
  });
});
