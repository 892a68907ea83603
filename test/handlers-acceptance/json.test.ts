import { Hook, HookEngine, type HookEvent, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';
import { remembering, toolUse, ways } from './both-ways.js';

const roundTrip = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

test('a3s 36: a hook survives the way through JSON, and an omitted matcher stays omitted', () => {
  const bare = Hook.new('bare', HookEventType.SessionEnd);
  const full = Hook.new('full', HookEventType.PreToolUse)
    .with_matcher(HookMatcher.tool('Bash').with_command('rm').with_session('s1').with_path('*.rs'))
    .with_config({ priority: -1, onError: 'block' });
  expect(roundTrip(bare)).toEqual({
    id: 'bare',
    event_type: 'session_end',
    config: { priority: 100, timeout_ms: 30_000, async_execution: false, max_retries: 0, onError: 'continue' },
  });
  expect(roundTrip(full).matcher).toEqual({ tool: 'Bash', path_pattern: '*.rs', command_pattern: 'rm', session_id: 's1' });

  const engine = new HookEngine();
  for (const hook of [bare, full]) engine.register(roundTrip(hook));
  expect(engine.all_hooks()).toEqual([bare, full]);
  expect(engine.get_hook('bare')).not.toHaveProperty('matcher');
  expect(Object.keys(roundTrip(HookMatcher.new()))).toEqual([]);
});

test('a3s 36: answers are plain data', () => {
  const answers = [
    HookResponse.continue_(),
    HookResponse.continue_with({ x: 1 }),
    HookResponse.block('no'),
    HookResponse.retry(5),
    HookResponse.skip(),
  ];
  expect(roundTrip(answers)).toEqual(answers);
  expect(answers).toEqual([
    { action: 'Continue' },
    { action: 'Continue', modified: { x: 1 } },
    { action: 'Block', reason: 'no' },
    { action: 'Retry', retry_delay_ms: 5 },
    { action: 'Skip' },
  ]);
});

describe.each(ways)('%s', (_, fire) => {
  test('a3s 36: an event survives the way through JSON', async () => {
    const engine = new HookEngine();
    const handler = remembering();
    engine.register({ id: 'h', event_type: 'pre_tool_use' });
    engine.register_handler('h', handler);
    const event: HookEvent = toolUse();
    await fire(engine, roundTrip(event));
    expect(handler.seen).toEqual([event.payload]);
    expect(roundTrip(handler.seen)).toEqual(handler.seen);
  });
});
