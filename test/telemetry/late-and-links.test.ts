import { otel } from '@tenterhook/otel';
import { createHooks } from 'tenterhook';
import { HookEngine } from 'tenterhook/handlers';
import { idOf, spanOf, startSdk, toolCall, traceOf, withSdk } from './rig.js';

const asynchronous = (command: string) => ({ hooks: { PostToolUse: [{ hooks: [{ type: 'command', command, async: true }] }] } });
const after = { ...toolCall, tool_response: { llmContent: 'done' } };

test('17. an async hook ends after its event, in the same trace, and is marked as late', async () => {
  await withSdk({ settings: asynchronous('read -r _; exit 0'), dialect: 'claude-code' }, async (hooks, sdk) => {
    const ended = new Promise<void>((resolve) => hooks.onProgress((step) => step.kind === 'hook-finished' && step.late && resolve()));
    await hooks.fire('AfterTool', after);
    const event = spanOf(sdk, 'fire_hooks AfterTool');
    await ended;
    const hook = spanOf(sdk, 'run_hook claude-code');
    expect([traceOf(hook), hook.parentSpanContext?.spanId]).toEqual([traceOf(event), idOf(event)]);
    expect(hook.attributes).toMatchObject({ 'tenterhook.hook.late': true, 'tenterhook.hook.async': true });
    expect(sdk.open()).toBe(0);
  });
});

test('17. dispose() ends the span of an async hook that still runs', async () => {
  const sdk = startSdk();
  try {
    const hooks = await createHooks({ settings: asynchronous('sleep 60'), dialect: 'claude-code', tracing: otel() });
    const started = new Promise<void>((resolve) => hooks.onProgress(({ kind }) => kind === 'hook-started' && resolve()));
    await hooks.fire('AfterTool', after);
    await started;
    expect(sdk.open()).toBe(1);
    await hooks.dispose();
    expect(sdk.open()).toBe(0);
    expect(spanOf(sdk, 'run_hook claude-code').attributes['tenterhook.hook.status']).toBe('cancelled');
  } finally {
    await sdk.stop();
  }
});

test('18. AfterTool links to the BeforeTool of its call, and after 1000 other calls to none', async () => {
  const engine = new HookEngine();
  for (const event_type of ['pre_tool_use', 'post_tool_use'] as const) {
    engine.register({ id: event_type, event_type });
    engine.registerHandler(event_type, { handle: () => undefined });
  }
  await withSdk({ settings: {}, handlers: [engine] }, async (hooks, sdk) => {
    const before = (id: string) => hooks.fire('BeforeTool', { ...toolCall, tool_use_id: id }, { correlationId: `before ${id}` });
    const linksAfter = async (id: string, correlationId: string) => {
      await hooks.fire('AfterTool', { ...after, tool_use_id: id }, { correlationId });
      const span = sdk
        .spans()
        .find(({ name, attributes }) => name === 'fire_hooks AfterTool' && attributes['tenterhook.correlation_id'] === correlationId);
      return span?.links.map((link) => link.context.spanId);
    };
    await before('first');
    const first = sdk.spans().find(({ name }) => name === 'fire_hooks BeforeTool');
    expect(await linksAfter('first', 'after 1')).toEqual([first?.spanContext().spanId]);
    for (let number = 0; number < 1000; number += 1) await before(`call ${number}`);
    expect(await linksAfter('first', 'after 2')).toEqual([]);
    expect(await linksAfter('call 0', 'after 3')).toHaveLength(1);
    // A BeforeTool that is fired again belongs to the one before.
    await before('call 0');
    const again = sdk
      .spans()
      .filter(({ name, attributes }) => name === 'fire_hooks BeforeTool' && attributes['gen_ai.tool.call.id'] === 'call 0');
    expect(again.map(({ links }) => links.length)).toEqual([0, 1]);
  });
});
