import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { metrics, propagation, trace } from '@opentelemetry/api';
import { otel } from '@tenterhook/otel';
import type { HookTracing } from '@tenterhook/protocol';
import { createHooks, type Hooks } from 'tenterhook';
import { root } from '../support/sources.js';
import { commands, toolCall } from './rig.js';

async function withHooks<Result>(tracing: HookTracing | undefined, settings: object, run: (hooks: Hooks) => Promise<Result>) {
  const hooks = await createHooks({ settings, sessionId: 's', ...(tracing === undefined ? {} : { tracing }) });
  try {
    return await run(hooks);
  } finally {
    await hooks.dispose();
  }
}

test('1. without an SDK, outcomes, environment and stdin of hooks are those of hooks without tracing', async () => {
  const settings = commands({ prints: 'cat; env | grep -v "^TENTERHOOK_\\|^_=\\|RUN_ID\\|PIPE" | sort', denies: 'echo no >&2; exit 2' });
  const fire = (tracing: HookTracing | undefined) => withHooks(tracing, settings, (hooks) => hooks.fire('BeforeTool', toolCall));
  // An immediate runs and is gone in this turn of the event loop.
  const handles = () =>
    process
      .getActiveResourcesInfo()
      .filter((kind) => kind !== 'Immediate')
      .sort();
  const before = handles();
  const [plain, traced] = [await fire(undefined), await fire(otel())];
  const comparable = (result: typeof plain) =>
    JSON.stringify(result, (key, value) => (['durationMs', 'totalDuration'].includes(key) ? 0 : value)).replaceAll(
      /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      '',
    );
  expect(comparable(traced)).toBe(comparable(plain));
  expect(plain.outcomes[0]?.stdout).toContain('write_file');
  expect(handles()).toEqual(before);
  expect(propagation.fields()).toEqual([]);
  expect([trace.getActiveSpan(), metrics.getMeterProvider().constructor.name]).toEqual([undefined, 'NoopMeterProvider']);
});

test('2. an idle event does not reach the port, and an event with hooks calls begin() once and nothing else if the result is undefined', async () => {
  const calls: string[] = [];
  const tracing: HookTracing = {
    begin: ({ eventName }) => {
      calls.push(`begin ${eventName}`);
      return undefined;
    },
    tool: () => {
      calls.push('tool');
      return undefined;
    },
    settings: () => {},
  };
  await withHooks(tracing, commands({ guard: 'exit 0' }), async (hooks) => {
    await hooks.fire('SessionStart', { source: 'startup' });
    await hooks.fire('BeforeTool', toolCall);
    expect(calls).toEqual(['begin BeforeTool']);
  });
});

test('30. the package imports nothing but the API, and `tenterhook` loads nothing of OpenTelemetry', () => {
  const loaded = (code: string) => {
    const script = `${code}; console.log(JSON.stringify(Object.keys(require.cache).filter((file) => file.includes('/@opentelemetry/') || file.includes('packages/otel/')).length))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    return Number(stdout);
  };
  expect(loaded("require('tenterhook'); require('tenterhook/agent'); require('tenterhook/handlers')")).toBe(0);
  expect(loaded(`require(${JSON.stringify(join(root, 'packages/otel/dist/bundle.cjs'))})`)).toBeGreaterThan(0);
});
