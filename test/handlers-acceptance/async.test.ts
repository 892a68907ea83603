import { type HandlerAnswer, type HandlerWarning, HookEngine } from '@tenterhook/handlers';
import { withHooks } from '../support/fire-hooks.js';
import { toolUse } from './both-ways.js';

/** A hook that nobody waits for; its handler answers when the test says so. */
function detachedEngine() {
  const engine = new HookEngine();
  let answer: (value: HandlerAnswer) => void = () => {};
  let begin = () => {};
  const answered = new Promise<HandlerAnswer>((resolve) => {
    answer = resolve;
  });
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  engine.register({ id: 'report', event_type: 'pre_tool_use', config: { async_execution: true } });
  engine.register_handler('report', {
    handle: () => {
      begin();
      return answered;
    },
  });
  return { engine, answer, began };
}

const lateAnswers: [string, HandlerAnswer, RegExp][] = [
  ['block', { action: 'Block', reason: 'no' }, /block/],
  ['modified', { action: 'Continue', modified: { x: 1 } }, /(modified|rewrote)/],
];

test.each(lateAnswers)(
  'a3s 32: fire does not wait for an async handler, and its %s is a warning that it came too late',
  async (_, late, words) => {
    const { engine, answer, began } = detachedEngine();
    const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
    expect(await engine.fire(toolUse())).toEqual({ action: 'Continue', warnings: [] });
    await began;
    answer(late);
    expect(await warned).toEqual({ hook_id: 'report', code: 'late_answer', message: expect.stringMatching(words), late: true });
  },
);

test.each(lateAnswers)(
  'a3s 32: an agent does not wait for it either, and its %s is a warning in the late message',
  async (_, late, words) => {
    const { engine, answer, began } = detachedEngine();
    await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks, handler }) => {
      const finished = new Promise<unknown>((resolve) => {
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
          if (payload.kind === 'hook-finished') resolve(payload);
        });
      });
      const { verdict, outcomes, changes, finalOutput } = await handler.fireBeforeToolEvent('Bash', {});
      expect(verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
      expect(outcomes).toMatchObject([{ name: 'report', status: 'detached' }]);
      await began;
      answer(late);
      const warning = { code: 'late_answer', message: expect.stringMatching(words) };
      expect(await finished).toMatchObject({ late: true, outcome: { warnings: [warning] } });
      expect([changes, finalOutput?.hookSpecificOutput]).toEqual([[], undefined]);
    });
  },
);

test('a3s 32: what an async handler throws is told of, and harms nobody', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'report', event_type: 'pre_tool_use', config: { async_execution: true, onError: 'block' } });
  engine.register_handler('report', {
    handle: () => {
      throw new Error('disk full');
    },
  });
  const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
  expect((await engine.fire(toolUse())).action).toBe('Continue');
  expect(await warned).toMatchObject({ code: 'hook_failed', message: expect.stringContaining('disk full'), late: true });
});

test('a3s 32: an async handler sees the event as it was at its turn', async () => {
  const { engine } = detachedEngine();
  const seen = new Promise<unknown>((resolve) => {
    engine.register_handler('report', { handle: ({ payload }) => resolve(payload.args) });
  });
  engine.register({ id: 'before', event_type: 'pre_tool_use', config: { priority: 1 } });
  engine.register_handler('before', { handle: () => ({ action: 'Continue', modified: { step: 1 } }) });
  engine.register({ id: 'after', event_type: 'pre_tool_use', config: { priority: 1000 } });
  engine.register_handler('after', { handle: () => ({ action: 'Continue', modified: { step: 2 } }) });
  expect(await engine.fire(toolUse())).toMatchObject({ modified: { step: 2 } });
  expect(await seen).toEqual({ step: 1 });
});
