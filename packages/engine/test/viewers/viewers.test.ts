import type { HookDefinition } from '@tenterhook/protocol';
import { runStage, type StageContext } from '../../src/runner/run-stage.js';
import { Viewers } from '../../src/viewers/viewers.js';
import { eventOf, FakeExecutor, fakeDialect, hookOf } from '../engine-rig.js';

const event = eventOf('AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'sk-one pw-two' } });
const redacts = (source: string) => hookOf('guard', { source, eventName: 'AfterTool', dialectEvent: 'AfterTool' });
const resultOf = (updatedToolOutput: string) => ({ hookSpecificOutput: { updatedToolOutput } });

/** Runs stages whose hooks the test answers, in the order in which they start. */
function surroundings() {
  const executor = new FakeExecutor();
  const again: string[] = [];
  const context: StageContext = {
    dialects: [fakeDialect()],
    executors: new Map([['call', executor]]),
    environment: () => ({}),
    signal: new AbortController().signal,
    disposeSignal: new AbortController().signal,
    report: (progress) => {
      if (progress.kind === 'recheck-planned') again.push(...progress.plan.order.map(({ source }) => source));
    },
  };
  const viewers = new Viewers(event, context);
  const run = async (hooks: readonly HookDefinition[], state: Parameters<Viewers['settle']>[0], answers: readonly string[]) => {
    const outcomes = runStage({ hooks }, event, state.event, context);
    for (const answer of answers) (await executor.next()).answer(resultOf(answer));
    return { stage: { hooks }, outcomes: await outcomes };
  };
  return { executor, again, viewers, run, begin: { event, outcomes: [], changes: [] } };
}

describe('a merged hook of the user and a copy of the project that has the same id', () => {
  test('in a later stage: what the copy writes back is shown to the hook of the user', async () => {
    const { executor, again, viewers, run, begin } = surroundings();
    const first = await run([redacts('user')], begin, ['[X] pw-two']);
    const redacted = await viewers.settle(begin, first.stage, first.outcomes);
    const second = await run([redacts('project')], redacted, ['sk-one pw-two!']);
    const undone = await viewers.settle(redacted, second.stage, second.outcomes);
    const finished = viewers.finish(undone);
    const rerun = await executor.next();
    expect(rerun.input).toMatchObject({ tool_response: { llmContent: 'sk-one pw-two!' } });
    rerun.answer(resultOf('[X] pw-two!'));
    expect((await finished).event.input).toMatchObject({ tool_response: { llmContent: '[X] pw-two!' } });
    expect(again).toEqual(['user']);
  });

  test('in one stage: the hook of the user is run again on what the copy wrote', async () => {
    const { executor, again, viewers, run, begin } = surroundings();
    // The hook of the user starts first.
    const { stage, outcomes } = await run([redacts('project'), redacts('user')], begin, ['[X] pw-two', 'sk-one pw-two!']);
    const settled = viewers.settle(begin, stage, outcomes);
    (await executor.next()).answer(resultOf('[X] pw-two!'));
    expect((await settled).event.input).toMatchObject({ tool_response: { llmContent: '[X] pw-two!' } });
    expect(again).toEqual(['user']);
  });
});
