import fc from 'fast-check';
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

test('a name is found after as many edits as a third of its letters', () => {
  const known = 'permissionDecision';
  const edit = fc.record({
    kind: fc.constantFrom('remove', 'insert', 'replace', 'swap'),
    at: fc.nat(11),
    letter: fc.constantFrom('x', 's', 'é', '0'),
  });
  const apply = (name: string, { kind, at, letter }: { kind: string; at: number; letter: string }) => {
    const [before, one, other, after] = [name.slice(0, at), name.charAt(at), name.charAt(at + 1), name.slice(at + 2)];
    if (kind === 'remove') return before + other + after;
    if (kind === 'insert') return before + letter + one + other + after;
    return before + (kind === 'swap' ? other + one : letter + other) + after;
  };
  // A swap next to another edit may count as two edits: the comparison does not edit letters that it has swapped.
  const countOf = ({ kind }: { kind: string }) => (kind === 'swap' ? 2 : 1);
  const edits = fc
    .array(edit, { maxLength: known.length / 3 })
    .filter((all) => all.reduce((sum, one) => sum + countOf(one), 0) <= known.length / 3);
  fc.assert(fc.property(edits, (all) => expect(nearestName(all.reduce(apply, known), ['hookSpecificOutput', known])).toBe(known)));
});
