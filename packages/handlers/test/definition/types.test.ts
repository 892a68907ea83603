import {
  type HandlerEvent,
  Hook,
  HookEngine,
  HookEventType,
  type HookHandler,
  HookMatcher,
  HookResponse,
  type HookResult,
  type MatcherFields,
  type ToolOutcome,
} from '../../src/index.js';

/** Compile-time tests: the type check fails if a line does not have the error that the comment above it expects. */

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <_Claim extends true>() => expect(true).toBe(true);

test('the payload of an event follows from its type', () => {
  isTrue<Same<HandlerEvent<'post_tool_use'>['payload']['result'], ToolOutcome>>();
  isTrue<Same<HandlerEvent<'pre_tool_use'>['payload']['recent_tools'], string[]>>();
  isTrue<Same<HandlerEvent['event_type'], HookEventType>>();
  isTrue<Same<HandlerEvent<'session_end'>['payload']['total_tokens'], number>>();

  const tell = (event: HandlerEvent): string => {
    if (event.event_type === 'generate_end') return event.payload.response_text;
    // @ts-expect-error: some events of the union have no tool.
    return event.payload.tool;
  };
  expect(tell).toBeInstanceOf(Function);
});

test('a handler that is registered with its hook is given the event of its type', () => {
  const engine = new HookEngine();
  const hook = Hook.new('h', HookEventType.GenerateEnd);
  isTrue<Same<typeof hook, Hook<'generate_end'>>>();
  engine.register_handler(hook, {
    handle: (event) => {
      isTrue<Same<typeof event, HandlerEvent<'generate_end'>>>();
      // @ts-expect-error: the event of a generation has no tool.
      return event.payload.tool === 'Bash'
        ? HookResponse.skip()
        : HookResponse.continue_with({ response_text: event.payload.response_text });
    },
  });
  engine.register_handler(
    { id: 'p', event_type: 'pre_tool_use' },
    {
      handle: async ({ payload }, { signal }) => {
        isTrue<Same<typeof payload, HandlerEvent<'pre_tool_use'>['payload']>>();
        isTrue<Same<typeof signal, AbortSignal>>();
      },
    },
  );
  // As in the source document, the handler gives only an id, and the payload has the type any.
  engine.register_handler('h', { handle: (event) => (event.payload.whatever.it.is ? null : undefined) });
});

test('what is written wrong is an error of the compiler', () => {
  const engine = new HookEngine();
  const written = [
    // @ts-expect-error: the event type must be 'pre_tool_use' or a value of HookEventType.
    () => engine.register({ id: 'h', event_type: 'PreToolUse' }),
    // @ts-expect-error: matchers do not have this field.
    () => engine.register({ id: 'h', event_type: 'pre_tool_use', matcher: { tools: 'Bash' } }),
    // @ts-expect-error: the priority must be a number.
    () => Hook.new('h', 'pre_tool_use').with_config({ priority: 'high' }),
    // @ts-expect-error: a handler must be an object.
    () => engine.register_handler('h', () => HookResponse.skip()),
    // @ts-expect-error: there is no such action.
    () => engine.register_handler('h', { handle: () => ({ action: 'Maybe' }) }),
    // @ts-expect-error: this is the payload of another event type.
    () => engine.fire({ event_type: 'session_start', payload: { session_id: 's', tool: 'Bash', args: {} } }),
    // @ts-expect-error: a hook cannot be changed.
    () => (Hook.new('h', 'pre_tool_use').config.priority = 1),
  ];
  expect(written).toHaveLength(7);
});

test('a result is distinguished by its action', () => {
  const tell = (result: HookResult): unknown => {
    if (result.action === 'Block') return result.reason;
    if (result.action === 'Retry') return result.retry_delay_ms;
    isTrue<Same<typeof result.action, 'Continue'>>();
    return result.modified;
  };
  expect(tell({ action: 'Block', reason: 'no', warnings: [] })).toBe('no');
});

test('a result can be taken apart without asking for its action first', async () => {
  const engine = new HookEngine();
  const payload = { session_id: 's', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };
  const { action, reason, modified, retry_delay_ms } = await engine.fire({ event_type: 'pre_tool_use', payload });
  isTrue<Same<typeof action, 'Continue' | 'Block' | 'Retry'>>();
  isTrue<Same<typeof reason, string | undefined>>();
  isTrue<Same<typeof modified, Readonly<Record<string, unknown>> | undefined>>();
  isTrue<Same<typeof retry_delay_ms, number | undefined>>();
  expect([action, reason, modified, retry_delay_ms]).toEqual(['Continue', undefined, undefined, undefined]);
});

test('fields of a matcher may be null or undefined', () => {
  const tool: string | undefined = undefined;
  const matcher: MatcherFields = { tool, path_pattern: null, session_id: 's1' };
  const engine = new HookEngine();
  engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
  expect({ ...engine.get_hook('h')?.matcher }).toEqual({ session_id: 's1' });
});

test('a handler of one type is not a handler of another', () => {
  const handler: HookHandler<'pre_tool_use'> = { handle: ({ payload }) => HookResponse.block(payload.tool) };
  const engine = new HookEngine();
  engine.register_handler(Hook.new('h', 'pre_tool_use').with_matcher(HookMatcher.tool('Bash')), handler);
  // @ts-expect-error: the events of this hook have no tool.
  engine.register_handler(Hook.new('h', 'session_end'), handler);
  expect(engine.hook_count()).toBe(0);
});
