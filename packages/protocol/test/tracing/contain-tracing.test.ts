import '../../../../test/support/debug-log.js';
import { jest } from '@jest/globals';
import createDebug from 'debug';
import { ContainedTracing } from '../../src/tracing/contain-tracing.js';

const context = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
const event = { eventName: 'BeforeTool', correlationId: undefined, trace: undefined, startedAt: 0 };
const fail = () => {
  throw new Error('it is broken');
};

test('7. each error of a tracing is one line of the log', () => {
  const lines: string[] = [];
  const written = jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  createDebug.enable('tenterhook:tracing');
  try {
    const contained = new ContainedTracing({ begin: fail, outgoing: fail });
    expect([contained.begin(event, {}), contained.outgoing()]).toEqual([undefined, undefined]);
  } finally {
    createDebug.disable();
    written.mockRestore();
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('begin() of the option "tracing" threw: Error: it is broken');
});

test.each<[string, (work: () => void) => unknown]>([
  ['never calls it', () => undefined],
  ['calls it twice', (work) => [work(), work()]],
  ['fails before it', fail],
  ['fails after it', (work) => [work(), fail()]],
])('7. work runs exactly once if the tracing %s, and its error is the error of the work', (_, run) => {
  const tracing = new ContainedTracing({ begin: () => undefined, within: ((__: unknown, work: () => void) => run(work)) as never });
  const within = <Result>(given: typeof context, work: () => Result) => tracing.within(given, work);
  let count = 0;
  const work = () => {
    count += 1;
    return count;
  };
  expect([within(context, work), count]).toEqual([1, 1]);
  const own = new Error('of the work');
  const failing = () => {
    throw own;
  };
  expect(() => within(context, failing)).toThrow(own);
});

test('7. work that the tracing keeps and calls again later does not run again', () => {
  let kept = () => {};
  const tracing = new ContainedTracing({
    begin: () => undefined,
    within: ((_: unknown, work: () => void) => {
      kept = work;
      work();
    }) as never,
  });
  let count = 0;
  tracing.within(context, () => {
    count += 1;
    kept();
  });
  kept();
  expect(count).toBe(1);
});

test('what a tracing receives of an outcome and of a result is frozen, and is what the response has', () => {
  const outcome = {
    status: 'succeeded',
    output: { hookSpecificOutput: { tool_input: { path: 'a' } } },
    warnings: [{ code: 'mixed_output' }],
  };
  const finalOutput = { continue: true };
  const result = { verdict: { kind: 'none', by: [] }, outcomes: [outcome], changes: [], finalOutput };
  const received: unknown[] = [];
  const trace = {
    hook: () => ({ started: () => {}, ended: (given: unknown) => received.push(given) }),
    end: (_: unknown, given: unknown) => void received.push(given),
  };
  const recorded = new ContainedTracing({ begin: () => trace as never }).begin(event, {});
  recorded?.hook({ hook: {} as never, stage: 0 })?.ended(outcome as never, false);
  recorded?.end({ success: true }, result as never);
  const [ended, end] = received as [typeof outcome, typeof result];
  expect(ended).toBe(outcome);
  expect([outcome, outcome.output.hookSpecificOutput.tool_input, outcome.warnings[0]].every(Object.isFrozen)).toBe(true);
  expect([end.verdict, end.outcomes, end.changes].every(Object.isFrozen)).toBe(true);
  expect(end.outcomes).toBe(result.outcomes);
  // It is an instance of a class, which the caller of the event may extend.
  expect([Object.isFrozen(finalOutput), 'finalOutput' in end]).toEqual([false, false]);
});

test('7. a rejection of a method is logged and does not end the process', async () => {
  const lines: string[] = [];
  const written = jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  createDebug.enable('tenterhook:tracing');
  try {
    const rejecting = { hook: () => undefined, end: async () => fail() } as never;
    new ContainedTracing({ begin: () => rejecting }).begin(event, {})?.end({ success: true }, undefined);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    createDebug.disable();
    written.mockRestore();
  }
  expect(lines.join('')).toContain('end() of the option "tracing" threw: Error: it is broken');
});
