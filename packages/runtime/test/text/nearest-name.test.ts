import { nearestName, suggestName } from '../../src/text/nearest-name.js';

const hookEventNames = [
  'BeforeTool',
  'AfterTool',
  'BeforeModel',
  'AfterModel',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'Notification',
];

const names: Record<string, [string, string | undefined]> = {
  'another case is the same name': ['beforetool', 'BeforeTool'],
  'a letter too few': ['BeforTool', 'BeforeTool'],
  'a letter too many': ['SessionsStart', 'SessionStart'],
  'two letters swapped': ['PreComrpess', 'PreCompress'],
  'the nearer of two': ['AfterToo', 'AfterTool'],
  'four letters of ten are too many': ['BeforeXyzw', undefined],
  'an event of another agent is not near': ['UserPromptSubmit', undefined],
  'nothing is near to nothing': ['', undefined],
};

test.each(Object.entries(names))('%s', (_, [name, expected]) => {
  expect(nearestName(name, hookEventNames)).toBe(expected);
});

test('a short name may be one letter away, no more', () => {
  expect(nearestName('enx', ['env'])).toBe('env');
  expect(nearestName('xyv', ['env'])).toBeUndefined();
  expect(nearestName('en', ['env'])).toBe('env');
  expect(nearestName('x', [])).toBeUndefined();
});

test('two letters that are swapped are one mistake', () => {
  expect(nearestName('evn', ['env'])).toBe('env');
  expect(nearestName('Stpo', ['Stop', 'Setup'])).toBe('Stop');
});

test('a text of a million letters is answered', () => {
  expect(nearestName('x'.repeat(1_000_000), hookEventNames)).toBeUndefined();
});

test.each<[unknown, string]>([
  ['tols', 'Did you mean "tools"?'],
  ['colour', 'It has tools.'],
  [7, 'It has tools.'],
])('for %j a message suggests: %s', (name, sentence) => {
  expect(suggestName(name, ['tools'], 'It has tools.')).toBe(sentence);
});
