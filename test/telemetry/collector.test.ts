import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type OtelOptions, otel } from '@tenterhook/otel';
import { createHooks } from 'tenterhook';
import { commands, toolCall } from './rig.js';

/** A receiver of OTLP over HTTP. `answer` is its status, or `hangs`. */
async function startCollector(answer: number | 'hangs' = 200) {
  const bodies: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      if (answer !== 'hangs') response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function exportRun(
  url: string,
  settings: object,
  options: OtelOptions,
  input: object,
  tool = 'write_file',
  ids: { readonly fields?: object; readonly correlationId?: string } = {},
) {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: 1000 });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 5 })] });
  trace.setGlobalTracerProvider(provider);
  try {
    const hooks = await createHooks({ settings, tracing: otel(options) });
    const call = { tool_name: tool, tool_input: input as Record<string, unknown>, ...ids.fields };
    const result = await hooks.fire('BeforeTool', call, ids.correlationId === undefined ? {} : { correlationId: ids.correlationId });
    await hooks.dispose();
    return result;
  } finally {
    trace.disable();
    await provider.shutdown().catch(() => {});
  }
}

const secrets = {
  inInput: 'sk-ant-REDACTEDinput0001',
  inStdout: 'ghp_0123456789abcdefghijklmnopqrstuvwx12',
  inStderr: 'AKIAIOSFODNN7EXAMPLE1',
  inReason: 'xoxb-123456789012-abcdefghijkl',
  inCommand: 'glpat-0123456789abcdefghij',
  inToolName: 'npm_0123456789abcdefghij',
  inSession: 'hf_0123456789abcdefghij',
  inCallId: 'pypi-0123456789abcdefghij',
  inCorrelationId: 'ya29.0123456789abcdefghij',
};
const ids = {
  fields: { session_id: `session ${secrets.inSession}`, tool_use_id: `call ${secrets.inCallId}` },
  correlationId: `id ${secrets.inCorrelationId}`,
};
const hook = `token=${secrets.inCommand}; echo "printed words ${secrets.inStdout} ${'long '.repeat(2000)}"; echo "said because ${secrets.inReason} ${secrets.inStderr}" >&2; exit 2`;

test('20. by default nothing of input, output, reason or command is in the body of an export', async () => {
  const collector = await startCollector();
  const input = { content: `input words ${secrets.inInput}` };
  const { verdict } = await exportRun(collector.url, commands({ guard: hook }), {}, input, `tool ${secrets.inToolName}`, ids);
  await collector.stop();
  expect(verdict.kind).toBe('deny');
  const sent = collector.bodies.join('');
  const spans = JSON.parse(collector.bodies[0] ?? '{}') as { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] };
  expect(spans.resourceSpans[0]?.scopeSpans[0]?.spans.length).toBeGreaterThan(0);
  for (const text of ['session ***', 'call ***', 'id ***']) expect(sent).toContain(text);
  for (const text of [...Object.values(secrets), 'input words', 'printed words', 'said because', 'glpat']) expect(sent).not.toContain(text);
});

test('20. with `content`, texts are sent, masked and with at most 4000 characters', async () => {
  const collector = await startCollector();
  const input = { content: `input words ${secrets.inInput}` };
  await exportRun(collector.url, commands({ guard: hook }), { content: true }, input, `tool ${secrets.inToolName}`, ids);
  await collector.stop();
  const sent = collector.bodies.join('');
  for (const text of ['input words', 'printed words', 'said because']) expect(sent).toContain(text);
  for (const secret of Object.values(secrets)) expect(sent).not.toContain(secret);
  const values = [...sent.matchAll(/"stringValue":"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => JSON.parse(`"${value}"`) as string);
  expect(Math.max(...values.map(({ length }) => length))).toBeLessThanOrEqual(4000);
});

test.each(['session_id', 'tool_use_id', 'tool_name'])('20. no part of a secret is sent where a long %s is cut', async (field) => {
  const collector = await startCollector();
  const long = `${'x'.repeat(240)} ${secrets.inSession}`;
  await exportRun(collector.url, commands({ guard: 'exit 0' }), {}, {}, 'write_file', { fields: { [field]: long }, correlationId: long });
  await collector.stop();
  expect(collector.bodies.join('')).toContain('x'.repeat(240));
  expect(collector.bodies.join('')).not.toContain('hf_0123');
});

test('20. with `content`, no part of a secret is sent where a long text is cut', async () => {
  const collector = await startCollector();
  const address = 'postgres://admin:correct-horse-battery@db.example.org/x';
  const printsLong = `printf '%3970s%s%3000s' x '${address}' x`;
  await exportRun(collector.url, commands({ guard: printsLong }), { content: true }, {});
  await collector.stop();
  expect(collector.bodies.join('')).toContain('tenterhook.hook.stdout"');
  expect(collector.bodies.join('')).not.toContain('correct');
});

test.each<[string, number | 'hangs' | 'absent']>([
  ['answers 500', 500],
  ['hangs', 'hangs'],
  ['is absent', 'absent'],
])('26. a collector that %s changes no event, and dispose() does not wait for it', async (_, answer) => {
  const collector = await startCollector(answer === 'absent' ? 200 : answer);
  if (answer === 'absent') await collector.stop();
  const { verdict } = await exportRun(collector.url, commands({ guard: 'echo no >&2; exit 2' }), {}, toolCall);
  expect(verdict.kind).toBe('deny');
  if (answer !== 'absent') await collector.stop();
});
