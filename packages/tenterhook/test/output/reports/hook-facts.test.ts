import { formatAction, formatHookFacts } from '../../../src/output/reports/hook-facts.js';

const facts = { timeoutMs: 60_000, onError: 'continue', source: 'project', dialect: 'eca' };

test.each([
  [undefined, 'no matcher'],
  ['', 'matcher ""'],
  ['eca__.*', 'matcher "eca__.*"'],
])('a matcher that is written as %j is shown as it is written: %s', (matcher, reported) => {
  expect(formatHookFacts({ ...facts, matcher }, {})).toBe(`${reported} · timeout 60000 ms · project, eca · project`);
});

test('the event in the words of its settings, what decides beside the matcher, and how it is run are shown', () => {
  const more = { eventName: 'AfterTool', dialectEvent: 'PostToolUseFailure', condition: 'Bash(git *)', async: true, once: true } as const;
  expect(formatHookFacts({ ...facts, ...more, matcher: 'Bash' }, {})).toBe(
    'AfterTool (PostToolUseFailure) · matcher "Bash" · if "Bash(git *)" · timeout 60000 ms · async · once · project, eca · project',
  );
  expect(formatHookFacts({ ...facts, eventName: 'Setup', dialectEvent: 'Setup' }, {})).toMatch(/^no matcher · timeout/);
});

test('a timeout is shown in the unit of its settings', () => {
  expect(formatHookFacts({ ...facts, timeoutMs: 1500 }, { timeoutUnitOf: () => 's' })).toContain(' · timeout 1.5 s · ');
  expect(formatHookFacts({ ...facts, timeoutMs: 300_000 }, { timeoutUnitOf: (dialect) => (dialect === 'eca' ? 'ms' : 's') })).toContain(
    ' · timeout 300000 ms · ',
  );
});

test.each([
  [{ command: 'npm test' }, ['$ npm test']],
  [{ url: 'https://example.org/hook' }, ['POST https://example.org/hook']],
  [{ type: 'prompt' }, ['prompt, run by the host']],
  [{}, []],
])('%j is shown as what it is', (action, lines) => {
  expect(formatAction(action)).toEqual(lines);
});
