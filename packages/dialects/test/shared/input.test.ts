import { stdinText } from '../../src/shared/input.js';
import { eventOf } from '../event-of.js';

test('an input is written once for all hooks, and another one anew', () => {
  let written = 0;
  const textOf = stdinText(({ input }) => {
    written += 1;
    return { name: input['tool_name'] };
  });
  const event = eventOf('BeforeTool', { tool_name: 'a' });
  expect([textOf(event), textOf({ ...event }), textOf(eventOf('BeforeTool', { tool_name: 'b' }))]).toEqual([
    '{"name":"a"}',
    '{"name":"a"}',
    '{"name":"b"}',
  ]);
  expect(written).toBe(2);
});

test('a prompt carries the context of the hooks before it, behind a blank line', () => {
  const textOf = stdinText(({ input }) => ({ prompt: input['prompt'], kept: true }));
  const event = eventOf('BeforeAgent', { prompt: 'p' });
  expect(textOf({ ...event, contextSoFar: 'c' })).toBe('{"prompt":"p\\n\\nc","kept":true}');
  expect(textOf(event)).toBe('{"prompt":"p","kept":true}');
  expect(textOf({ ...eventOf('BeforeTool', { prompt: 'p' }), contextSoFar: 'c' })).toBe('{"prompt":"p","kept":true}');
});
