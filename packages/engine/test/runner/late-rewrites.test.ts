import type { Decoded, HookOutcome, HookOutput } from '@tenterhook/protocol';
import { outcomeOfExit } from '../../src/outcome/exit-outcome.js';
import { runStage } from '../../src/runner/run-stage.js';
import { answering, eventOf, fakeDialect, hookOf, listenTo, toolEvent } from '../engine-rig.js';

/** What an async hook of the event said late, as its last message tells it. */
async function lateOutcome(output: HookOutput, event = toolEvent): Promise<HookOutcome> {
  const hook = hookOf('a', { async: true, eventName: event.eventName });
  const finished = deferred<HookOutcome>();
  const report = listenTo({ finished: ({ outcome, late }) => late && finished.resolve(outcome) });
  const { signal } = new AbortController();
  const executors = new Map([['call', answering({ a: output })]]);
  const context = { dialects: [fakeDialect()], executors, environment: () => ({}), signal, disposeSignal: signal, report };
  const [outcome] = await runStage({ hooks: [hook] }, event, event, context);
  expect(outcome).toMatchObject({ status: 'detached', warnings: [] });
  return finished.promise;
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((give) => {
    resolve = give;
  });
  return { promise, resolve };
}

const afterTool = eventOf('AfterTool', { tool_name: 'write_file', tool_input: {}, tool_response: {} });
const beforeModel = eventOf('BeforeModel', { llm_request: {} });

test.each([
  [{ hookSpecificOutput: { updatedInput: { x: 1 } } }, toolEvent, ['rewrote']],
  [{ hookSpecificOutput: { tool_input: { x: 1 } } }, toolEvent, ['rewrote']],
  [{ hookSpecificOutput: { updatedToolOutput: 'x' } }, afterTool, ['rewrote']],
  [{ hookSpecificOutput: { llm_request: { model: 'm' } } }, beforeModel, ['rewrote']],
  [{ decision: 'deny' as const }, toolEvent, ['returned a block or a stop']],
  [{ continue: false, hookSpecificOutput: { tool_input: {} } }, toolEvent, ['returned a block or a stop', 'rewrote']],
  [{ systemMessage: 'm', hookSpecificOutput: { additionalContext: 'c' } }, toolEvent, []],
  [{ decision: 'allow' as const }, toolEvent, []],
])('an async hook that answers %j gets a warning about each part that came too late', async (output, event, words) => {
  const { warnings } = await lateOutcome(output, event);
  const late = warnings.filter(({ code }) => code === 'late_answer');
  expect(late.map(({ message }) => message)).toEqual(words.map((word) => expect.stringContaining(word)));
});

test.each([
  ['timeout', 'timed-out'],
  ['hook_failed', 'failed'],
] as const)('a failure that a dialect reads as %s makes the outcome %s', (code, status) => {
  const decoded: Decoded = { failure: { code, message: 'it did not answer' }, warnings: [{ code: 'hook_failed', message: 'before' }] };
  const dialect = fakeDialect({ decode: () => decoded });
  const outcome = outcomeOfExit({ kind: 'answered', answer: undefined, durationMs: 1 }, dialect, toolEvent, hookOf('a'));
  expect(outcome).toMatchObject({ status, warnings: [decoded.failure, decoded.warnings[0]] });
  expect(outcome).not.toHaveProperty('output');
});
