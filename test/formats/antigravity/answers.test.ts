import { runAgentTurnWithHooks } from '@tenterhook/agent';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import {
  after,
  afterModel,
  beforeModel,
  deeds,
  fire,
  hooksOf,
  type Moment,
  specificOf,
  start,
  stop,
  warningsOf,
  withAntigravity,
} from './antigravity-hooks.js';

const denies = { decision: 'deny', reason: 'no' };

const others: readonly (readonly [event: string, moment: Moment])[] = [
  ['PostToolUse', after],
  ['PreInvocation', beforeModel],
  ['PostInvocation', afterModel],
  ['Stop', stop],
  ['SessionStart', start],
];

test.each(others)('on %s, a failing hook and unreadable output deny nothing', async (event, moment) => {
  for (const command of ['exit 1', 'no-such-command-here', 'echo text', 'echo {}', says({ decision: 'maybe' })]) {
    expect([event, command, (await fire(moment, event, command)).verdict.kind]).toEqual([event, command, 'none']);
  }
});

test.each(others)('on %s, a deny counts, with a warning that Antigravity ignores it', async (event, moment) => {
  const result = await fire(moment, event, says(denies));
  expect([result.verdict.kind, result.verdict.reason]).toEqual(['deny', 'no']);
  expect(warningCodes(outcomeAt(result, 0))).toContain('deny_counted');
});

test('exit 2 denies on Stop, and elsewhere only before a tool', async () => {
  for (const [event, moment] of others) {
    const { verdict } = await fire(moment, event, 'echo no >&2; exit 2');
    expect([event, verdict.kind]).toEqual([event, event === 'Stop' ? 'deny' : 'none']);
  }
});

test('the texts of injectSteps are added to the messages before a call of the model, and a call of a tool is not made', async () => {
  const injectSteps = [{ userMessage: 'one' }, { ephemeralMessage: 'two' }, { toolCall: { name: 'run_command', args: {} } }, { text: 'x' }];
  const result = await fire(beforeModel, 'PreInvocation', says({ injectSteps }));
  expect(specificOf(result)).toMatchObject({
    llm_request: { messages: [{ content: 'fix it' }, { role: 'user', content: 'one' }, { role: 'user', content: 'two' }] },
  });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['no_effect', 'wrong_type']);
  const second = await fire(beforeModel, 'PreInvocation', [says({ injectSteps: [{ userMessage: 'a' }] }), 'cat > seen.json']);
  expect(deeds(second)).toEqual(['succeeded', 'succeeded']);
});

test('at the start of a session the texts are context, and after a call of the model they have no effect', async () => {
  const answer = says({ injectSteps: [{ userMessage: 'note' }, { ephemeralMessage: 'more' }] });
  expect(specificOf(await fire(start, 'SessionStart', answer))).toMatchObject({ additionalContext: 'note\nmore' });
  expect(warningsOf(outcomeAt(await fire(afterModel, 'PostInvocation', answer), 0))).toContain('no_effect: injectSteps');
});

test('terminate after a call of the model ends the loop, and force_continue has no effect', async () => {
  const injectSteps = [{ userMessage: 'enough' }];
  const ended = await fire(afterModel, 'PostInvocation', says({ terminationBehavior: 'terminate', injectSteps }));
  expect([ended.verdict.stop, ended.verdict.stopReason, outcomeAt(ended, 0).warnings]).toEqual([true, 'enough', []]);
  const forced = await fire(afterModel, 'PostInvocation', says({ terminationBehavior: 'force_continue' }));
  expect([forced.verdict.kind, forced.verdict.stop, warningCodes(outcomeAt(forced, 0))]).toEqual(['none', false, ['no_effect']]);
  const wrong = await fire(afterModel, 'PostInvocation', says({ terminationBehavior: 'end' }));
  expect([wrong.verdict.stop, warningCodes(outcomeAt(wrong, 0))]).toEqual([false, ['wrong_type']]);
});

test('the decision continue on Stop lets the agent go on with the reason', async () => {
  const command = `if [ -e went ]; then exit 0; fi; touch went; ${says({ decision: 'continue', reason: 'run the tests' })}`;
  await withAntigravity(hooksOf('Stop', command), async ({ client }) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'done';
    };
    await runAgentTurnWithHooks(client, { prompt: 'fix it', respond });
    expect(prompts).toEqual(['fix it', expect.stringContaining('run the tests')]);
  });
  const wrong = await fire(stop, 'Stop', says({ decision: 'Continue' }));
  expect([wrong.verdict.kind, warningCodes(outcomeAt(wrong, 0))]).toEqual(['none', ['wrong_type']]);
});
