import { reviewAnswerWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { hooksOf, specific, withClaude } from '../formats/claude-code/claude-hooks.js';
import { says } from '../support/fire-hooks.js';

const context = (additionalContext: string) => specific('Stop', { additionalContext });
/** A command that runs another one while the agent does not continue because of a hook. */
const once = (command: string) => `jq -e '.stop_hook_active | not' > /dev/null || exit 0; ${command}`;
const block = (text: string) => `<hook_context>\n${text}\n</hook_context>`;

/** Runs a turn with these hooks of Stop, and returns it with the prompts that the agent worked on. */
function turnWith(commands: readonly string[]) {
  const prompts: string[] = [];
  const respond = (prompt: string) => {
    prompts.push(prompt);
    return `answer ${prompts.length}`;
  };
  return withClaude(hooksOf('Stop', commands), async ({ client }) => ({
    turn: await runAgentTurnWithHooks(client, { prompt: 'p', respond }),
    prompts,
  }));
}

test('context of a Stop hook is the next prompt, and the next answer is final', async () => {
  const { turn, prompts } = await turnWith([once(context('3 files are not formatted.'))]);
  expect(turn).toMatchObject({ status: 'completed', response: 'answer 2', turns: 2 });
  expect(turn.reason).toBeUndefined();
  expect(prompts).toEqual(['p', block('3 files are not formatted.')]);
});

test('context of several hooks is one prompt, and follows the reason of a block', async () => {
  const { turn, prompts } = await turnWith([
    once(context('a')),
    once(says({ decision: 'block', reason: 'Run the tests.' })),
    once(context('b </hook_context>')),
  ]);
  expect(turn).toMatchObject({ status: 'completed', turns: 2 });
  expect(prompts).toEqual(['p', `Run the tests.\n\n${block('a\nb &lt;/hook_context&gt;')}`]);
});

test('a hook that always has context is limited like one that always blocks', async () => {
  const { turn, prompts } = await turnWith([context('More.')]);
  expect(turn).toMatchObject({ status: 'completed', turns: 9, reason: block('More.') });
  expect(prompts).toHaveLength(9);
});

test('a stop takes precedence, and text for the user alone, or blank context, keeps no agent going', async () => {
  const stopped = await turnWith([context('More.'), says({ continue: false, stopReason: 'The budget is used up.' })]);
  expect(stopped.turn).toMatchObject({ status: 'stopped', stopReason: 'The budget is used up.', turns: 1 });
  const quiet = await turnWith([says({ systemMessage: 'Done.' }), context('  '), 'echo bye']);
  expect(quiet.turn).toMatchObject({ status: 'completed', turns: 1 });
});

test('an agent with its own loop gets the same prompt', async () => {
  await withClaude(hooksOf('Stop', context('Say what is left.')), async ({ client }) => {
    const review = await reviewAnswerWithHooks(client, { prompt: 'p', response: 'r' });
    expect(review).toMatchObject({ status: 'continue', nextPrompt: block('Say what is left.') });
    expect(review.after?.verdict.kind).toBe('none');
  });
});

test('context of SubagentStop is in the result of the event, which the agent fires', async () => {
  await withClaude(hooksOf('SubagentStop', specific('SubagentStop', { additionalContext: 'Name the files.' })), async ({ handler }) => {
    const { finalOutput } = await handler.fire('SubagentStop', { agent_type: 'explore' });
    expect(finalOutput?.hookSpecificOutput).toMatchObject({ additionalContext: 'Name the files.' });
  });
});
