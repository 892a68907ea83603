import { MessageBus } from '@tenterhook/bus';
import { recordBus } from '@tenterhook/recording';
import { createHooks, type Hooks } from 'tenterhook';
import { createHookClient, executeToolWithHooks } from 'tenterhook/agent';
import '../../src/jest.js';
import { toHaveRewritten } from '../../src/matchers/hook-matchers.js';

const hook = (name: string, command: string, more: object = {}) => ({ type: 'command', name, command, ...more });
const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'deploy', hooks: [hook('guard', 'echo "not on Fridays" >&2; exit 2'), hook('other', 'exit 0')] },
      { matcher: 'crash', hooks: [hook('careful', 'exit 1', { onError: 'block' })] },
      { matcher: 'halt', hooks: [hook('brake', `echo '{"continue":false,"stopReason":"enough"}'`)] },
      { matcher: 'move', hooks: [hook('mover', `echo '{"hookSpecificOutput":{"tool_input":{"to":"b"}}}'`)] },
      { matcher: 'twins', hooks: [hook('twin', 'exit 2'), hook('twin', 'exit  2')] },
    ],
    AfterTool: [{ matcher: 'move', hooks: [hook('mover', 'exit 0')] }],
  },
};

let hooks: Hooks;
beforeAll(async () => {
  hooks = await createHooks({ settings, dialect: 'llxprt' });
});
afterAll(() => hooks.dispose());

const fire = (tool_name: string) => hooks.fire('BeforeTool', { tool_name, tool_input: { to: 'a' } });

/** The message of a failed assertion. */
function failureOf(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The assertion passed.');
}

test('record-replay case 35: a hook that blocked is found by id, name and RegExp, in every kind of received value', async () => {
  const id = 'llxprt/settings/BeforeTool/guard';
  const recorder = recordBus(hooks.bus);
  const input = { tool_name: 'deploy', tool_input: {} };
  const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input });
  await recorder.close();
  const [exchange] = (await recorder.recording()).exchanges;
  const outcome = await executeToolWithHooks(createHookClient(hooks), { name: 'deploy', input: {}, execute: () => ({ llmContent: '' }) });
  const result = await fire('deploy');
  for (const received of [result, { aggregated: result }, response, exchange, { ...exchange, response }, outcome]) {
    for (const reference of [id, 'guard', /GUARD/gi]) expect(received).toHaveBeenBlockedBy(reference);
    expect(received).not.toHaveBeenBlockedBy('other');
    expect(received).toHaveRun('other');
    expect(received).not.toHaveRun('mover');
    expect(received).toHaveSkipped('mover');
    expect(received).toHaveSkipped('mover', 'matcher');
    expect(received).not.toHaveSkipped('mover', 'disabled');
    expect(received).not.toHaveRewritten('tool_input.to');
  }
  expect(failureOf(() => expect(outcome).toHaveBeenBlockedBy('other'))).toBe(
    `Expected other to have blocked the event.\nbefore: the verdict is deny by ${id}: not on Fridays\nllxprt/settings/BeforeTool/other ran: succeeded`,
  );
  expect(failureOf(() => expect(result).toHaveBeenBlockedBy('mover'))).toContain('llxprt/settings/BeforeTool/mover was skipped: matcher. ');
  expect(failureOf(() => expect(result).not.toHaveBeenBlockedBy('guard'))).toMatch(/^Expected guard not to have blocked the event\./);
  expect(failureOf(() => expect(result).toHaveRun('gaurd'))).toContain(`No hook of this event is gaurd. Its hooks are ${id}, `);
  expect(failureOf(() => expect(result).toHaveSkipped('guard', 'matcher'))).toContain(`${id} ran: blocked with exit code 2`);
});

test('record-replay case 35: no deny, a stop without a deny, a failure that denies, a request without an answer', async () => {
  const [halt, crash, moved] = [await fire('halt'), await fire('crash'), await fire('move')];
  expect(halt).not.toHaveBeenBlockedBy('brake');
  expect(failureOf(() => expect(halt).toHaveBeenBlockedBy('brake'))).toContain(
    'the verdict is none; llxprt/settings/BeforeTool/brake asked for a stop'.replace('the', 'The'),
  );
  expect(crash).toHaveBeenBlockedBy('careful');
  expect(failureOf(() => expect(crash).not.toHaveBeenBlockedBy('careful'))).toContain('failed with exit code 1, and this failure denies');
  expect(moved).not.toHaveBeenBlockedBy('mover');
  await using bus = new MessageBus();
  const unanswered = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'x', tool_input: {} } });
  expect(unanswered).not.toHaveBeenBlockedBy('guard');
  expect(failureOf(() => expect(unanswered).toHaveBeenBlockedBy('guard'))).toContain('the hooks were not asked (no_responders: ');
});

test('record-replay case 35: with `.not`, a hook that the event does not have is an error, and other events of an operation are not', async () => {
  const id = 'llxprt/settings/BeforeTool/guard';
  const result = await fire('crash');
  for (const assert of [
    () => expect(result).not.toHaveBeenBlockedBy('gaurd'),
    () => expect(result).not.toHaveRun('gaurd'),
    () => expect(result).not.toHaveSkipped('gaurd', 'matcher'),
    () => expect(result).not.toHaveBeenBlockedBy(/gaurd/),
  ]) {
    expect(assert).toThrow(TypeError);
    expect(failureOf(assert)).toMatch(
      /^\w+: no hook of this event is \/?gaurd\/?, so the assertion with \.not cannot fail\. Its hooks are /,
    );
    expect(failureOf(assert)).toContain(id);
  }
  expect(result).not.toHaveBeenBlockedBy('guard');
  // The hook of AfterTool was not asked, because the call was denied.
  const call = { name: 'deploy', input: {}, execute: () => ({ llmContent: '' }) };
  const outcome = await executeToolWithHooks(createHookClient(hooks), call);
  expect(outcome).not.toHaveRun('llxprt/settings/AfterTool/mover');
});

test('rewrites, in all results of an operation, where hooks of two events may have one name', async () => {
  const execute = () => ({ llmContent: '' });
  const moved = await executeToolWithHooks(createHookClient(hooks), { name: 'move', input: { to: 'a' }, execute });
  expect(moved).toHaveRewritten('tool_input.to');
  expect(moved).toHaveRewritten('tool_input.to', expect.stringMatching('b'));
  expect(moved).not.toHaveRewritten('tool_input.to', 'c');
  expect(moved).not.toHaveRewritten('tool_input');
  expect(moved).toHaveRun('mover');
  expect(failureOf(() => expect(moved).toHaveRewritten('tool_input.to', 'c'))).toBe(
    'Expected a hook to have rewritten tool_input.to to "c".\ntool_input.to: "a" → "b" by llxprt/settings/BeforeTool/mover',
  );
  // Without a runner.
  expect(toHaveRewritten(moved, 'tool_input.to', 'b')).toMatchObject({ pass: true });
  // An operation of which no event has hooks.
  await using bus = new MessageBus();
  const free = await executeToolWithHooks(createHookClient({ bus, has: () => false }), { name: 'x', input: {}, execute });
  expect(free).not.toHaveRun('mover');
});

test.each([
  undefined,
  null,
  'deny',
  42,
  {},
  [],
  Promise.resolve(),
  { status: 'blocked' },
  { verdict: { kind: 'deny' } },
  { success: true },
])('record-replay case 35: a received value without a result is an error, also with .not (%#)', (received) => {
  for (const expectation of [expect(received), expect(received).not]) {
    expect(() => expectation.toHaveBeenBlockedBy('guard')).toThrow(/^toHaveBeenBlockedBy: expect\(\) must receive the result of an event/);
    expect(() => expectation.toHaveRun('guard')).toThrow(TypeError);
    expect(() => expectation.toHaveSkipped('guard')).toThrow(TypeError);
    expect(() => expectation.toHaveRewritten('x')).toThrow(TypeError);
  }
});

test('a name of several hooks, an unknown reason and a wrong reference are errors, also with .not', async () => {
  const twins = await fire('twins');
  expect(() => expect(twins).toHaveBeenBlockedBy('twin')).toThrow(
    /^toHaveBeenBlockedBy: 2 hooks have the name "twin"\. Pass one of their ids: /,
  );
  expect(twins).toHaveBeenBlockedBy(/twin/);
  expect(() => expect(twins).not.toHaveSkipped('guard', 'macher')).toThrow('Did you mean "matcher"?');
  expect(() => expect(twins).not.toHaveRun('')).toThrow('the hook must be an id, a name or a RegExp, and is ""');
  expect(() => expect(twins).not.toHaveRewritten(7 as never)).toThrow('the path must be a text');
});
