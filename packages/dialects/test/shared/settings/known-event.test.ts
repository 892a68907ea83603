import { hookEventNames } from '@tenterhook/protocol';
import { sameEvent } from '../../../src/parts.js';
import { remedyForEvent } from '../../../src/shared/settings/known-event.js';

test.each(hookEventNames.map((eventName) => [eventName]))('%s is itself, in any letters', (eventName) => {
  const words = eventName.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const spellings = [eventName, eventName.toUpperCase(), words, words.replaceAll(' ', '_').toLowerCase(), words.replaceAll(' ', '-')];
  for (const spelling of spellings) expect(sameEvent(spelling)).toEqual({ eventName, isForeign: false });
});

test.each([
  ['PreToolUse', 'BeforeTool'],
  ['preToolCall', 'BeforeTool'],
  ['beforeShellExecution', 'BeforeTool'],
  ['PostToolUse', 'AfterTool'],
  ['afterFileEdit', 'AfterTool'],
  ['UserPromptSubmit', 'BeforeAgent'],
  ['preRequest', 'BeforeAgent'],
  ['Stop', 'AfterAgent'],
  ['post_request', 'AfterAgent'],
  ['generateStart', 'BeforeModel'],
  ['afterAgentResponse', 'AfterModel'],
  ['chatStart', 'SessionStart'],
  ['chatEnd', 'SessionEnd'],
  ['PreCompact', 'PreCompress'],
  ['PostCompact', 'PostCompress'],
  ['PostToolUseFailure', 'AfterTool'],
  ['subagentPostRequest', 'SubagentStop'],
])('%s is what another agent calls %s', (name, eventName) => {
  expect(sameEvent(name)).toEqual({ eventName, isForeign: true });
  expect(remedyForEvent(name)).toBe(`Other agents use that name; in this format it is "${eventName}".`);
});

test.each([
  ['permissionRequest', 'PermissionRequest'],
  ['subagent_start', 'SubagentStart'],
])('%s is another spelling of %s, which several agents have under one name', (name, eventName) => {
  expect(sameEvent(name)).toEqual({ eventName, isForeign: false });
});

test.each(['', '-', 'Tool', 'BeforeTools', 'constructor', '__proto__'])('%j is not an event', (name) => {
  expect(sameEvent(name)).toBeUndefined();
});

test.each([
  ['before_tool', 'Did you mean "BeforeTool"?'],
  ['BeforeTol', 'Did you mean "BeforeTool"?'],
  ['PreTolUse', 'Did you mean "PreToolUse"? In this format that event is "BeforeTool".'],
  ['UserPromtSubmit', 'Did you mean "UserPromptSubmit"? In this format that event is "BeforeAgent".'],
  ['Stopp', 'Did you mean "Stop"? In this format that event is "AfterAgent".'],
  ['whenever', `The events are ${hookEventNames.join(', ')}.`],
])('what to do about %s', (name, remedy) => {
  expect(remedyForEvent(name)).toBe(remedy);
});
