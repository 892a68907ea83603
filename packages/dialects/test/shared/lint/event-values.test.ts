import { noMachine } from '../../../../../test/support/levels.js';
import { claudeCode, geminiCli, llxprt } from '../../../src/index.js';

const dialects = { llxprt: llxprt(), 'claude-code': claudeCode(), 'gemini-cli': geminiCli() };
type Name = keyof typeof dialects;

/** Returns what a format reports about a matcher of an event with a closed list of values. */
function remarks(name: Name, event: string, matcher: string) {
  const value = { hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] } };
  return dialects[name]
    .parse({ source: 'project', value, locate: () => undefined }, noMachine)
    .diagnostics.map(({ code, severity, message, remedy }) => ({ code, severity, text: `${message} ${remedy}` }));
}

test.each<[Name, string, string, string]>([
  ['llxprt', 'SessionStart', 'compact', 'Write "matcher": "compress".'],
  ['llxprt', 'SessionStart', 'startup|compact', 'Write "matcher": "startup|compress".'],
  ['llxprt', 'SessionStart', '^(startup|compact)$', 'Write "matcher": "^(startup|compress)$".'],
  ['llxprt', 'SessionStart', 'new', 'Write "matcher": "startup".'],
  ['llxprt', 'SessionStart', 'Startup', 'Write "matcher": "startup".'],
  ['llxprt', 'SessionStart', 'startup, resume', 'Write "matcher": "startup|resume".'],
  ['llxprt', 'SessionStart', 'teatime', 'Write one of these values, or remove the matcher.'],
  ['llxprt', 'SessionStart', '^start$', 'Write "matcher": "^startup$".'],
  ['llxprt', 'SessionStart', 'begin*', 'Write one of these values, or remove the matcher.'],
  ['llxprt', 'SessionEnd', 'quit', 'Write one of these values, or remove the matcher.'],
  ['llxprt', 'PreCompress', 'automatic', 'Write "matcher": "auto".'],
  ['gemini-cli', 'SessionStart', 'compact', 'Write "matcher": "compress".'],
  ['gemini-cli', 'SessionStart', 'start', 'Write "matcher": "startup".'],
  ['gemini-cli', 'SessionStart', 'startup|resume', 'Write a group for each: "matcher": "startup", "matcher": "resume".'],
  ['gemini-cli', 'SessionStart', 'teatime', 'Write one of these values, or remove the matcher.'],
  ['claude-code', 'SessionStart', 'compress', 'Write "matcher": "compact".'],
  ['claude-code', 'SessionStart', 'startup, compress', 'Write "matcher": "startup|compact".'],
  ['claude-code', 'SessionStart', '^(startup|compress)$', 'Write "matcher": "^(startup|compact)$".'],
  ['claude-code', 'PreCompact', 'automatic', 'Write "matcher": "auto".'],
  ['claude-code', 'Setup', 'initial', 'Write one of these values, or remove the matcher.'],
])('%s: on %s, %s has a value that the event cannot have; the remedy is: %s', (name, event, matcher, remedy) => {
  const found = remarks(name, event, matcher);
  expect(found).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
  expect(found[0]?.text).toContain(remedy);
});

test('the message has the values, and what happens now', () => {
  const values = 'source of SessionStart is one of startup, resume, clear, compress, fork';
  expect(remarks('llxprt', 'SessionStart', 'compact')[0]?.text).toBe(
    `The matcher "compact" never matches: ${values}. The hooks of this group never run. Write "matcher": "compress".`,
  );
  expect(remarks('llxprt', 'SessionStart', 'startup|compact')[0]?.text).toBe(
    `"compact" in the matcher "startup|compact" never matches: ${values}. Write "matcher": "startup|compress".`,
  );
});

test.each<[Name, string, string]>([
  ['llxprt', 'SessionStart', 'startup'],
  ['llxprt', 'SessionStart', 'start|resume'],
  ['llxprt', 'SessionStart', '^(startup|resume)$'],
  ['llxprt', 'SessionStart', 'comp*'],
  ['llxprt', 'SessionStart', '[a-z]+'],
  ['llxprt', 'Notification', 'anything at all'],
  ['gemini-cli', 'SessionStart', 'compress'],
  ['claude-code', 'SessionStart', 'startup|resume'],
  ['claude-code', 'SessionStart', 'start.*'],
  ['claude-code', 'Notification', 'anything'],
])('%s: on %s, there is nothing to report about %s', (name, event, matcher) => expect(remarks(name, event, matcher)).toEqual([]));
