import { reviewAnswerWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../../support/fire-hooks.js';
import { withEcaAgent } from './eca-agent.js';
import { deeds, hookOf, idOf, seen, withEca } from './eca-hooks.js';

/** `followUp` and exit code 2 after an answer: the agent goes on, and every hook of the event runs. */

const answer = { prompt: 'p', prompt_response: 'r', stop_hook_active: false };
const followUp = (text: string) => hookOf('postRequest', says({ followUp: text }));
const stop = hookOf('postRequest', says({ continue: false, stopReason: 'enough' }));
const exit2 = hookOf('postRequest', 'echo more >&2; exit 2');

test('followUp is the next prompt, and the second answer is marked as one of a follow-up', async () => {
  const hook = `cat >> seen.txt; echo >> seen.txt; tail -1 seen.txt | grep -q '"follow_up_active":true' || ${says({ followUp: 'Run the tests' })}`;
  await withEcaAgent({ check: hookOf('postRequest', hook) }, async ({ client, read }) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return `answer ${prompts.length}`;
    };
    expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'completed', turns: 2 });
    expect(prompts).toEqual(['p', 'Run the tests']);
    const inputs = (read('seen.txt') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(inputs.map(({ response, follow_up_active }) => [response, follow_up_active])).toEqual([
      ['answer 1', false],
      ['answer 2', true],
    ]);
  });
});

test.each([
  ['followUp, then a stop', { a: followUp('go on'), b: stop }],
  ['a stop, then followUp', { a: stop, b: followUp('go on') }],
  ['exit code 2, then a stop', { a: exit2, b: stop }],
  ['followUp twice, then a stop', { a: followUp('1'), b: followUp('2'), c: stop }],
])('the stop counts: %s', async (_, hooks) => {
  await withEcaAgent(hooks, async ({ client }) => {
    const review = await reviewAnswerWithHooks(client, { prompt: 'p', response: 'r' });
    expect(review).toMatchObject({ status: 'stopped', stopReason: 'enough' });
    expect(review.after?.verdict.stop).toBe(true);
  });
});

test('a stop in the same answer as followUp counts', async () => {
  const hooks = { a: hookOf('postRequest', says({ followUp: 'go on', continue: false, stopReason: 'enough' })) };
  await withEcaAgent(hooks, async ({ client }) => {
    expect(await reviewAnswerWithHooks(client, { prompt: 'p', response: 'r' })).toMatchObject({ status: 'stopped', stopReason: 'enough' });
  });
});

test.each([
  ['two of followUp', { a: followUp('first'), b: followUp('second') }, 'first\nsecond'],
  ['exit code 2 and followUp', { a: exit2, b: followUp('second') }, 'more\nsecond'],
  ['followUp of two actions', { a: hookOf('postRequest', [says({ followUp: '1' }), says({ followUp: '2' })]) }, '1\n2'],
])('the hooks all run, and their texts are joined: %s', async (_, hooks, reason) => {
  await withEca(hooks, async ({ handler }) => {
    const result = await handler.fire('AfterAgent', answer);
    expect(result.outcomes.map(({ skipReason }) => skipReason)).toEqual([undefined, undefined]);
    expect(result.verdict).toMatchObject({ kind: 'deny', stop: false, reason });
  });
});

test('a failed hook between two with followUp changes nothing', async () => {
  await withEca({ a: followUp('1'), b: hookOf('postRequest', 'exit 1'), c: followUp('2') }, async ({ handler }) => {
    const result = await handler.fire('AfterAgent', answer);
    expect(deeds(result)).toEqual([
      ['a', 'blocked'],
      ['b', 'failed'],
      ['c', 'blocked'],
    ]);
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('a', 'AfterAgent'), idOf('c', 'AfterAgent')] });
  });
});

test.each([
  ['stdout is ignored as a log', 'echo log; echo more >&2; exit 2', 'more'],
  ['followUp on stdout comes first', `${says({ followUp: 'this' })}; echo more >&2; exit 2`, 'this'],
  ['without any text', 'exit 2', 'Hook "a" blocked AfterAgent with exit code 2 and gave no reason.'],
])('the text of exit code 2: %s', async (_, command, reason) => {
  await withEca({ a: hookOf('postRequest', command) }, async ({ handler }) => {
    expect((await handler.fire('AfterAgent', answer)).verdict).toMatchObject({ kind: 'deny', reason });
  });
});

test.each([
  ['blank', says({ followUp: '  ' }), 'no_effect'],
  ['a number', says({ followUp: 1 }), 'wrong_type'],
  ['an object', says({ followUp: { text: 'go on' } }), 'wrong_type'],
])('followUp that is %s does not keep the agent going, with a warning', async (_, command, code) => {
  await withEca({ a: hookOf('postRequest', command) }, async ({ handler }) => {
    const result = await handler.fire('AfterAgent', answer);
    expect(result.verdict.kind).toBe('none');
    expect(warningCodes(outcomeAt(result, 0))).toEqual([code]);
  });
});

test('a subagent goes on with followUp, and its hook receives both chats', async () => {
  const hooks = { a: hookOf('subagentPostRequest', `cat > seen.json; ${says({ followUp: 'look again' })}`) };
  await withEca(hooks, async (scene) => {
    const input = { agent_id: 'sub-1', agent_type: 'explore', last_assistant_message: 'Found it.', stop_hook_active: true };
    const result = await scene.handler.fire('SubagentStop', input);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'look again' });
    expect(seen(scene)).toMatchObject({
      chat_id: 'sub-1',
      parent_chat_id: 's1',
      agent: 'explore',
      behavior: 'explore',
      response: 'Found it.',
      follow_up_active: true,
    });
  });
});

test('in another format too, a stop after a deny of AfterAgent counts', async () => {
  const commands = [says({ decision: 'deny', reason: 'go on' }), says({ continue: false, stopReason: 'enough' })];
  const settings = settingsOf('AfterAgent', commands, { sequential: true });
  await withEndingHooks({ settings, dialect: 'llxprt' }, async ({ handler }) => {
    const result = await handler.fire('AfterAgent', answer);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['blocked', 'succeeded']);
    expect(result.verdict).toMatchObject({ kind: 'deny', stop: true, stopReason: 'enough' });
  });
});
