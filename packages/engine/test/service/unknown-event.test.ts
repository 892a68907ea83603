import { defaultDialects } from '@tenterhook/dialects';
import { unknownEvent } from '../../src/service/unknown-event.js';

const dialects = defaultDialects();

test.each([
  ['BeforeTol', 'Did you mean "BeforeTool"?'],
  ['Stop', 'The event "Stop" of Claude Code is called "AfterAgent" in Tenterhook.'],
  ['stop', 'The event "stop" of Cursor is called "AfterAgent" in Tenterhook.'],
  ['STOP', 'Did you mean "Stop"? It is an event of Claude Code, and called "AfterAgent" in Tenterhook.'],
  ['PreToolUes', 'Did you mean "PreToolUse"? It is an event of Claude Code, and called "BeforeTool" in Tenterhook.'],
  ['guard', 'The events are BeforeTool, AfterTool, '],
])('the suggestion for the event %s', (eventName, hint) => {
  expect(unknownEvent(eventName, dialects).hint).toContain(hint);
});

test('without a similar name, the command that describes the events is named', () => {
  expect(unknownEvent('guard', dialects).hint).toMatch(/"tenterhook events" describes them\.$/);
});
