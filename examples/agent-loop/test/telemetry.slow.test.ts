import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { example, Place } from './example-run.js';

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

test('with --otel, the example sends the spans of its tool calls, events and hooks to a receiver', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = new Place();
  try {
    const { ended } = place.start([example, '--otel', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
    const { status, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(place.leftovers()).toEqual([]);
  } finally {
    place.remove();
    await new Promise((resolve) => server.close(resolve));
  }
  const spans = bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });
  const known = new Map(spans.map((span) => [span.spanId, span]));
  const names = new Set(spans.map(({ name }) => name));
  for (const name of [
    'execute_tool write_file',
    'fire_hooks BeforeTool',
    'run_hook stay-inside',
    'run_hook slow-audit',
    'fire_hooks SessionEnd',
  ]) {
    expect(names).toContain(name);
  }
  for (const { name, parentSpanId = '' } of spans) {
    if (name.startsWith('run_hook')) expect(known.get(parentSpanId)?.name).toMatch(/^fire_hooks /);
    if (name === 'fire_hooks BeforeTool') expect(known.get(parentSpanId)?.name).toMatch(/^execute_tool /);
  }
  const denied = spans.find(
    ({ name, attributes }) => name === 'fire_hooks BeforeTool' && attributes.some(({ value }) => value.stringValue === 'deny'),
  );
  expect(denied).toBeDefined();
});
