import { MessageBus } from '@tenterhook/bus';
import type { HookExecutionResponse } from '@tenterhook/protocol';
import { reportToTerminal } from '../../../src/output/timeline/terminal-reporter.js';
import { FakeStream, outcome, response } from './samples.js';

const reporting = (bus: MessageBus, stream: FakeStream, indent?: string) =>
  reportToTerminal(bus, { stream: stream as unknown as NodeJS.WriteStream, ...(indent === undefined ? {} : { indent }) });

const outputOf = ({ output }: HookExecutionResponse) => (output === undefined ? {} : { output });

const answered = () => {
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async (_payload, { progress }) => {
    progress({
      kind: 'hook-started',
      eventName: 'BeforeTool',
      elapsedMs: 0,
      hookId: outcome('guard').hookId,
      name: 'guard',
      timeoutMs: 1000,
    });
    return { success: true, ...outputOf(response([outcome('guard', { durationMs: 100 })])) };
  });
  return bus;
};

// The environment of the test run may force colours.
const forced = process.env['FORCE_COLOR'];
beforeAll(() => delete process.env['FORCE_COLOR']);
afterAll(() => {
  if (forced !== undefined) process.env['FORCE_COLOR'] = forced;
});

const payload = { eventName: 'BeforeTool', input: { tool_name: 'write_file' } };

test('shows the events of a bus', async () => {
  const bus = answered();
  const stream = new FakeStream({ isTTY: false });
  reporting(bus, stream, '| ');
  await bus.request('HOOK_EXECUTION_REQUEST', payload);
  expect(stream.take().split('\n')).toEqual([
    '| BeforeTool write_file                     100 ms',
    '|   ✓ guard             ████████████████    100 ms  no opinion',
    '|   → none: no hook decided',
    '',
  ]);
  await bus.close();
});

test('unsubscribing ends the report and leaves nothing behind', async () => {
  const bus = answered();
  const stream = new FakeStream();
  const stop = reporting(bus, stream);
  stop();
  stop();
  await bus.request('HOOK_EXECUTION_REQUEST', payload);
  expect(stream.take()).toBe('');
  for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
    expect(bus.listenerCount(channel)).toBe(channel === 'HOOK_EXECUTION_REQUEST' ? 1 : 0);
  }
  await bus.close();
});

test('a stream that throws harms no event', async () => {
  const bus = answered();
  const stream = new FakeStream();
  stream.write = () => {
    throw new Error('gone');
  };
  reporting(bus, stream);
  expect(await bus.request('HOOK_EXECUTION_REQUEST', payload)).toMatchObject({ success: true });
  await bus.close();
});
