import type { HookEvent } from '@tenterhook/protocol';
import { toHandlerEvent } from '../../src/canonical/handler-event.js';

const counts = { tokens: 0, toolCalls: 0, durationMs: 0 };

function successOf(error: unknown): unknown {
  const input = { session_id: 's1', tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'text', error } };
  const event = { eventName: 'AfterTool', projectDir: '/srv/app', input } as unknown as HookEvent;
  return (toHandlerEvent('post_tool_use', event, counts).payload as { result: { success: boolean } }).result.success;
}

test.each([undefined, null, false, ''])('a tool whose response has the error %p has succeeded', (error) => {
  expect(successOf(error)).toBe(true);
});

test.each(['no', { message: 'no' }, true, 0])('a tool whose response has the error %p has failed', (error) => {
  expect(successOf(error)).toBe(false);
});
