import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpanKind, trace } from '@opentelemetry/api';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { otel } from '@tenterhook/otel';
import { connectToNats } from '@tenterhook/transport-nats';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
import { createHookClient } from 'tenterhook/agent';
import { connectMs, NatsServer, testWithNats } from '../support/nats-server.js';
import { commands, idOf, spanOf, startSdk, toolCall, traceOf } from './rig.js';

interface SentSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
}

async function start(script: string, place: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, script), [place], { execArgv: [] });
  await once(child, 'message');
  return child;
}

async function spansOf(child: ChildProcess): Promise<readonly SentSpan[]> {
  const answer = once(child, 'message');
  child.send('spans');
  const [{ spans }] = (await answer) as [{ readonly spans: readonly SentSpan[] }];
  return spans;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** An agent in this process, a service in a second one, and handlers in a third one, at a hub or a server. */
async function inThreeProcesses(place: string, transport: Transport): Promise<void> {
  const bus = new MessageBus({ transport });
  const sdk = startSdk();
  const children: ChildProcess[] = [];
  try {
    const handlers = start('handler-process.mjs', place).then((child) => children[children.push(child) - 1] as ChildProcess);
    const service = await start('service-process.mjs', place);
    children.push(service);
    const client = createHookClient(bus, { tracing: otel() });
    const answered = new Promise<unknown>((resolve) => bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => resolve(payload.trace)));
    const { outcomes } = await trace.getTracer('agent').startActiveSpan('agent', async (span) => {
      const result = await client.fire('BeforeTool', toolCall);
      span.end();
      return result;
    });
    const agent = spanOf(sdk, 'agent');
    const [ofService, ofHandlers] = [await spansOf(service), await spansOf(await handlers)];
    const named = (spans: readonly SentSpan[], name: string) => spans.find((span) => span.name === name);
    const [event, prints, policy] = ['fire_hooks BeforeTool', 'run_hook prints', 'run_hook policy'].map((name) => named(ofService, name));
    expect([event?.traceId, event?.parentId]).toEqual([traceOf(agent), idOf(agent)]);
    expect(outcomes.map(({ stdout }) => stdout)).toContain(`00-${traceOf(agent)}-${prints?.spanId}-01`);
    expect([policy?.parentId, policy?.kind]).toEqual([event?.spanId, SpanKind.CLIENT]);
    expect(named(ofHandlers, 'ask the policy')).toMatchObject({ traceId: traceOf(agent), parentId: policy?.spanId });
    expect(await answered).toEqual({ traceparent: `00-${traceOf(agent)}-${event?.spanId}-01` });
  } finally {
    await Promise.all(children.map(end));
    await bus.close();
    await sdk.stop();
  }
}

test('13. agent, service and handlers in three processes at a socket write one trace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telemetry-'));
  const transport = await listenOnSocket({ path: join(folder, 'hub') });
  try {
    await inThreeProcesses(join(folder, 'hub'), transport);
  } finally {
    await transport.close();
    rmSync(folder, { recursive: true });
  }
});

testWithNats('13. agent, service and handlers in three processes at a NATS server write one trace', async () => {
  const server = await NatsServer.start();
  const transport = await connectToNats({ servers: server.url, timeoutMs: connectMs });
  try {
    await inThreeProcesses(server.url, transport);
  } finally {
    await transport.close();
    await server.stop();
  }
});

test.each<[string, unknown, boolean]>([
  ['a number', 5, false],
  ['a malformed traceparent', { traceparent: '00-xyz-1-01' }, false],
  ['10 kB of tracestate', { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: `v=${'x'.repeat(10_000)}` }, true],
  ['100 kB of baggage', { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, baggage: `k=${'x'.repeat(100_000)}` }, true],
])('14. a request whose trace is %s is answered as ever', async (_, sent, isParent) => {
  const sdk = startSdk();
  const hooks = await createHooks({
    settings: commands({ guard: 'printf "%s|%s" "$TRACESTATE" "$BAGGAGE"' }),
    tracing: otel({ baggage: ['k'] }),
  });
  try {
    const payload = { eventName: 'BeforeTool', input: toolCall, trace: sent };
    const { success, output } = await hooks.bus.request('HOOK_EXECUTION_REQUEST', payload);
    expect([success, output?.outcomes[0]?.stdout]).toEqual([true, '|']);
    expect(spanOf(sdk, 'fire_hooks BeforeTool').parentSpanContext?.spanId).toBe(isParent ? 'b'.repeat(16) : undefined);
  } finally {
    await hooks.dispose();
    await sdk.stop();
  }
});
