import { SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { reviewToolCallWithHooks, runReviewedToolWithHooks } from '@tenterhook/agent';
import { commands, idOf, spanOf, toolCall, traceOf, withSdk } from './rig.js';

const both = (before: string) => ({
  hooks: {
    BeforeTool: [{ hooks: [{ type: 'command', name: 'before', command: before }] }],
    AfterTool: [{ hooks: [{ type: 'command', name: 'after', command: 'exit 0' }] }],
  },
});

describe('24. with toolSpans', () => {
  test('a tool call has a span, and its events are inside', async () => {
    await withSdk({ settings: both('exit 0'), otel: { toolSpans: true } }, async (hooks, sdk) => {
      let active: string | undefined;
      const execute = () => {
        active = trace.getActiveSpan()?.spanContext().spanId;
        return { llmContent: 'written' };
      };
      await hooks.agent().tool({ name: 'write_file', input: {}, toolUseId: 'call-1', execute });
      const tool = spanOf(sdk, 'execute_tool write_file');
      expect(tool.attributes).toEqual({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'write_file',
        'gen_ai.tool.call.id': 'call-1',
      });
      for (const name of ['fire_hooks BeforeTool', 'fire_hooks AfterTool']) {
        expect([traceOf(spanOf(sdk, name)), spanOf(sdk, name).parentSpanContext?.spanId]).toEqual([traceOf(tool), idOf(tool)]);
      }
      expect(active).toBe(idOf(tool));
    });
  });

  test('a call in two halves has one span, of the second half', async () => {
    await withSdk({ settings: both('exit 0'), otel: { toolSpans: true } }, async (hooks, sdk) => {
      const { client } = hooks.agent();
      const reviewed = await reviewToolCallWithHooks(client, { name: 'write_file', input: {}, toolUseId: 'call-1' });
      await runReviewedToolWithHooks(client, reviewed, { execute: () => ({ llmContent: 'written' }) });
      const tools = sdk.spans().filter(({ name }) => name === 'execute_tool write_file');
      expect(tools.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual(['call-1']);
      expect(spanOf(sdk, 'fire_hooks AfterTool').parentSpanContext?.spanId).toBe(idOf(spanOf(sdk, 'execute_tool write_file')));
      expect(spanOf(sdk, 'fire_hooks BeforeTool').parentSpanContext).toBeUndefined();
    });
  });

  test('a blocked tool does not count as an error', async () => {
    await withSdk({ settings: both('echo no >&2; exit 2'), otel: { toolSpans: true } }, async (hooks, sdk) => {
      await hooks.agent().tool({ name: 'write_file', input: {}, execute: () => ({ llmContent: 'written' }) });
      const { status, attributes } = spanOf(sdk, 'execute_tool write_file');
      expect([status.code, attributes['error.type'], attributes['tenterhook.verdict']]).toEqual([SpanStatusCode.UNSET, undefined, 'deny']);
    });
  });

  test('a failed tool is an error, without its text', async () => {
    await withSdk({ settings: both('exit 0'), otel: { toolSpans: true } }, async (hooks, sdk) => {
      const execute = () => {
        throw new Error('the secret of the tool');
      };
      await hooks.agent().tool({ name: 'write_file', input: {}, execute });
      const span = spanOf(sdk, 'execute_tool write_file');
      expect([span.status, span.attributes['error.type']]).toEqual([{ code: SpanStatusCode.ERROR }, 'tool_failed']);
      expect(JSON.stringify(span.attributes)).not.toContain('secret');
    });
  });
});

describe('logs', () => {
  function startLogs() {
    const exporter = new InMemoryLogRecordExporter();
    const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
    return {
      logger: provider.getLogger('test') as never,
      records: () => exporter.getFinishedLogRecords(),
      stop: () => provider.shutdown(),
    };
  }

  test('a failed hook and a deny are records in the context of their span, and problems of settings have code, file and line', async () => {
    const logs = startLogs();
    const settings = {
      hooks: { ...(commands({ fails: 'exit 3', denies: 'echo no >&2; exit 2' }) as { hooks: object }).hooks, NoSuchEvent: [] },
    };
    await withSdk({ settings, otel: { logger: logs.logger } }, async (hooks, sdk) => {
      await hooks.fire('BeforeTool', toolCall);
      const byName = new Map(logs.records().map((record) => [record.eventName, record]));
      expect([...byName.keys()].sort()).toEqual(['tenterhook.event.denied', 'tenterhook.hook.failed', 'tenterhook.settings.problem']);
      expect(byName.get('tenterhook.hook.failed')).toMatchObject({
        severityText: 'WARN',
        spanContext: { spanId: idOf(spanOf(sdk, 'run_hook fails')) },
        attributes: { 'error.type': 'exit_code', 'tenterhook.hook.status': 'failed' },
      });
      expect(byName.get('tenterhook.event.denied')).toMatchObject({
        severityText: 'INFO',
        spanContext: { spanId: idOf(spanOf(sdk, 'fire_hooks BeforeTool')) },
      });
      expect(byName.get('tenterhook.settings.problem')?.attributes).toMatchObject({ 'tenterhook.diagnostic.code': 'unknown_event' });
    });
    await logs.stop();
  });

  test.each(['gemini_cli', 'llxprt_code'] as const)(
    '23. with the prefix %s, each run is a record of that agent, without a payload',
    async (hookCallPrefix) => {
      const logs = startLogs();
      const settings = commands({ guard: 'echo "the output"; echo "the log" >&2', slow: { command: 'sleep 30', timeout: 100 } });
      await withSdk({ settings, otel: { logger: logs.logger, hookCallPrefix } }, async (hooks) => {
        await hooks.fire('BeforeTool', toolCall);
        const called = logs.records().filter(({ eventName }) => eventName === `${hookCallPrefix}.hook_call`);
        // On a busy machine, the hook that ends first may be the slow one.
        const records = called.sort((a, b) => String(a.attributes['hook_name']).localeCompare(String(b.attributes['hook_name'])));
        const types = records.map(({ attributes }) =>
          Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typeof value])),
        );
        const always = {
          'event.name': 'string',
          'event.timestamp': 'string',
          hook_event_name: 'string',
          hook_type: 'string',
          hook_name: 'string',
          duration_ms: 'number',
          success: 'boolean',
        };
        expect(types).toEqual([
          { ...always, exit_code: 'number' },
          { ...always, error: 'string' },
        ]);
        expect(JSON.stringify(records.map(({ attributes, body }) => [attributes, body]))).not.toMatch(
          /the output|the log|write_file|a\.txt/,
        );
      });
      await logs.stop();
    },
  );
});
