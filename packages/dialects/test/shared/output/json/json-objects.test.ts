import fc from 'fast-check';
import { answerKeywords } from '../../../../src/shared/output/answer-keywords.js';
import { findJsonObjects } from '../../../../src/shared/output/json/json-objects.js';

const words = answerKeywords({
  decisions: [['decision'], ['hookSpecificOutput', 'permissionDecision']],
  values: ['deny', 'block', 'ask', 'allow', 'approve'],
  ownFields: ['hookSpecificOutput'],
});
const objectsIn = (text: string) => findJsonObjects(text, words).objects;

const deny = { decision: 'deny', reason: 'no' };
const oneLine = JSON.stringify(deny);
const manyLines = JSON.stringify(deny, null, 2);

const texts: Record<string, [string, object[]]> = {
  'an object behind a log line': [`checking\n${oneLine}`, [deny]],
  'an object before a log line': [`${oneLine}\ndone`, [deny]],
  'an object over several lines': [`checking\n${manyLines}\ndone`, [deny]],
  'text behind the object on its line': [`checking\n${oneLine} done`, [deny]],
  'an object that is indented': [`checking\n \t${oneLine}`, [deny]],
  'an object that does not start a line is text': [`answer: ${oneLine}`, []],
  'two objects, in order': ['{"a":1}\nx\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  'of two objects on one line the first': ['x\n{"a":1}{"a":2}', [{ a: 1 }]],
  'of nested objects the outer one': ['x\n{\n"a":\n{"b":1}\n}', [{ a: { b: 1 } }]],
  'braces inside a text do not count': ['x\n{"a":"}{"}', [{ a: '}{' }]],
  'an escaped quote does not end a text': ['x\n{"a":"\\"}"}', [{ a: '"}' }]],
  'an object that is never closed hides no later one': [`{"a":\n${oneLine}`, [deny]],
  'balanced braces that are not JSON are text': ['x\n{a}\n{"a":1}', [{ a: 1 }]],
  'a list is not an object': ['x\n[{"a":1}]', []],
  'Windows line ends': [`checking\r\n${oneLine}\r\ndone`, [deny]],
  'a lone carriage return starts a line, too': [`50%\r${oneLine}\rdone`, [deny]],
  'an object that is nested very deeply': [`x\n{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, [{ a: expect.anything() }]],
  'an object in one that breaks off after it': [`{"a":[\n${oneLine}\n,oops`, [deny]],
  'an object that only looks closed': ['x\n{"a":01}\n{"a":"\\x"}\n{"a":1,}\n{,}\n{"a" 1}\n{"a":[1 2]}\n{"a":tru}\n{"a":1.}', []],
  nothing: ['', []],
};

test.each(Object.entries(texts))('%s', (_, [text, expected]) => {
  expect(objectsIn(text)).toEqual(expected);
});

/** These texts take quadratic time, or overflow the stack, if a parser follows every opening brace to the end. */
const lines = 200_000;
const adversarial: Record<string, string> = {
  'lines of {': '{\n'.repeat(lines),
  'lines of {"a":': '{"a":\n'.repeat(lines),
  'lines of {"': '{"\n'.repeat(lines),
  'lines of [{': '[{\n'.repeat(lines),
  'lines of {}': '{}\n'.repeat(lines),
  'one line of {': '{'.repeat(lines),
  'lines of {" and a backslash': '{"\\\n'.repeat(lines),
  'lines of } and {': '}\n{\n'.repeat(lines),
};

test.each(Object.entries(adversarial))('%s are read to their end', (_, text) => {
  expect(objectsIn(text).every((object) => Object.keys(object).length === 0)).toBe(true);
});

test.each(Object.entries(adversarial))('a deny behind %s is found, on one line or on many', (_, text) => {
  expect(objectsIn(`${text}\n${oneLine}`).at(-1)).toEqual(deny);
  expect(objectsIn(`${text}\n${manyLines}\n`).at(-1)).toEqual(deny);
});

test.each(Object.entries(adversarial))('a deny before %s is found, on one line or on many', (_, text) => {
  expect(objectsIn(`${oneLine}\n${text}`)[0]).toEqual(deny);
  expect(objectsIn(`x\n${manyLines}\n${text}`)[0]).toEqual(deny);
});

test('of very many objects the last 2,000 are read, and before them the last of each decision and the first stop', () => {
  const many = '{}\n'.repeat(20_000);
  expect(objectsIn(`x\n${many}${oneLine}`)).toHaveLength(2000);
  expect(objectsIn(`x\n${oneLine}\n${many}`)).toHaveLength(2001);
  const objecting = [
    { continue: false, a: 1 },
    { decision: 'ask' },
    { decision: 'deny', a: 1 },
    { decision: 'block' },
    { continue: false },
  ];
  const text = objecting.map((object) => JSON.stringify(object)).join('\n');
  expect(objectsIn(`x\n${text}\n${many}`).slice(0, -2000)).toEqual([objecting[0], objecting[1], objecting[3]]);
});

test('balanced braces that are not JSON, nested around a deny, do not hide it', () => {
  const nested = `${'{"a":1,\n'.repeat(250)}${manyLines}${'\n}'.repeat(250)}`;
  expect(objectsIn(`x\n${nested}`)).toEqual([deny]);
});

const piece = fc.oneof(
  fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '\n', '\r\n', ' ', '{"a":1}', '{"decision":"deny"}', 'null', '"{'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

test('it never throws, and gives nothing but objects', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      for (const object of objectsIn(text)) expect(Object.prototype.toString.call(object)).toBe('[object Object]');
    }),
    { numRuns: 2000 },
  );
});

test('an object on its own line is found between any lines that hold no braces', () => {
  const noise = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[{}[\]"]/g, '')));
  fc.assert(
    fc.property(noise, noise, fc.boolean(), (before, after, pretty) => {
      const text = [...before, pretty ? manyLines : oneLine, ...after].join('\n');
      expect(objectsIn(text)).toEqual([deny]);
    }),
  );
});

/** A slow reference implementation: it tries every end for every start. */
function objectsByTrial(text: string): unknown[] {
  const objects: unknown[] = [];
  let covered = 0;
  for (const { index, 0: lead } of text.matchAll(/(?<![^\r\n])[ \t]*(?=\{)/g)) {
    const start = index + lead.length;
    for (let end = text.length; start >= covered && end > start; end -= 1) {
      if (text[end - 1] !== '}') continue;
      try {
        objects.push(JSON.parse(text.slice(start, end)));
        covered = end;
      } catch {}
    }
  }
  return objects;
}

const token = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('{', '}', '[', ']', ':', ',', '\n', '\r', ' ', '\n{', '\n{"a":', '}\n', '"a":', '"a"', '[{', ',"b":{}'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"',
      '\\',
      '\\"',
      '"\\u00e9"',
      '"\\u00g9"',
      '"\u007F"',
      '"\t"',
      '0',
      '-',
      '-1.5e+3',
      '01',
      '1.',
      'true',
      'null',
      'nul',
      '\u00A0',
    ),
  },
);

test('it finds what trying every end of every start finds', () => {
  fc.assert(
    fc.property(fc.array(token, { maxLength: 25 }), (tokens) => {
      const text = tokens.join('');
      expect(objectsIn(text)).toEqual(objectsByTrial(text));
    }),
    { numRuns: 5000 },
  );
});

test('it finds any object, however it is spaced; cut or mistyped anywhere, what is still whole', () => {
  const spaced = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.constantFrom('', '  ', '\t'));
  fc.assert(
    fc.property(spaced, fc.nat(), fc.oneof(token, fc.constant('')), fc.boolean(), ([object, space], place, inserted, cut) => {
      const text = JSON.stringify(object, null, space);
      expect(objectsIn(`x\n${text}`)).toEqual([JSON.parse(text)]);
      const at = place % text.length;
      const broken = `x\n${text.slice(0, at)}${inserted}${cut ? '' : text.slice(at + 1)}`;
      expect(objectsIn(broken)).toEqual(objectsByTrial(broken));
    }),
    { numRuns: 1000 },
  );
});
