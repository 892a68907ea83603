import { MemoryTransport, MessageBus, type RequestHandler } from '@tenterhook/bus';
import { otel } from '@tenterhook/otel';
import { createHookClient } from 'tenterhook/agent';
import { resultWith } from '../support/results.js';
import { startSdk, toolCall } from './rig.js';

type Handler = RequestHandler<'HOOK_EXECUTION_REQUEST'>;
const allow = { success: true, output: resultWith({ verdict: { kind: 'allow', stop: false, by: ['h'], stoppedBy: [] } }) } as const;
const refused = { success: false, error: { code: 'unsupported_event', message: 'unknown' } } as const;

/** Fires an event at two workers. The first one answers when the second one was asked. */
async function fireAtTwo(first: Awaited<ReturnType<Handler>>, second: Awaited<ReturnType<Handler>>) {
  const sdk = startSdk();
  const transport = new MemoryTransport();
  const [bus, one, two] = [0, 1, 2].map(() => new MessageBus({ transport })) as [MessageBus, MessageBus, MessageBus];
  const asked = new Promise<void>((resolve) => {
    one.respond('HOOK_EXECUTION_REQUEST', async () => {
      await secondAsked;
      return first;
    });
    two.respond('HOOK_EXECUTION_REQUEST', () => {
      setImmediate(resolve);
      return second;
    });
  });
  const secondAsked = asked;
  try {
    const client = createHookClient(bus, { tracing: otel(), hedge: { events: ['BeforeTool'], afterMs: 1 } });
    const result = await client.fire('BeforeTool', toolCall);
    return { result, spans: sdk.spans().map(({ name, attributes }) => [name, attributes['error.type']]), open: sdk.open() };
  } finally {
    await Promise.all([bus, one, two].map((each) => each.close()));
    await transport.close();
    await sdk.stop();
  }
}

test('an attempt that was refused does not count as an error if the other worker answers', async () => {
  const { result, spans } = await fireAtTwo(allow, refused);
  expect(result.verdict.kind).toBe('allow');
  expect(spans).toEqual([]);
});

test('if both workers refuse the event, it has one span with the error', async () => {
  const { result, spans, open } = await fireAtTwo(refused, refused);
  expect(result.errors).toMatchObject([{ code: 'unsupported_event' }]);
  expect(spans).toEqual([['fire_hooks BeforeTool', 'unsupported_event']]);
  expect(open).toBe(0);
});
