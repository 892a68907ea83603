import { eventCatalogue, hookEventNames } from '@tenterhook/protocol';
import { mutationsOf } from '../../src/dialects/mutations.js';
import { fileDocument, sampleEvent, sampleFields } from '../../src/dialects/samples.js';
import { eventsToMatch } from '../../src/dialects/selecting-cases.js';
import { clockReads, notPlainJson } from '../../src/dialects/violations.js';

test.each(hookEventNames)('the sample events of %s are events of the catalogue', (eventName) => {
  const { input } = eventCatalogue[eventName];
  const events = [sampleEvent(eventName), sampleEvent(eventName, sampleFields(eventName, '$(x)\ud800')), ...eventsToMatch(eventName)];
  for (const event of events) expect(input.safeParse(event.input).error).toBeUndefined();
});

test('a document finds every entry on its line, and what is not there at what is', () => {
  const value = { a: 1, b: [{}, { c: [], d: { e: 'x' } }], f: 2 };
  const document = fileDocument(value, 'project', '/srv/x.json');
  const lines = document.text.split('\n');
  const paths: [(string | number)[], string][] = [
    [[], '{'],
    [['a'], '  "a": 1,'],
    [['b', 0], '    {},'],
    [['b', 1, 'd', 'e'], '        "e": "x"'],
    [['b', 1, 'nothing', 'here'], '    {'],
    [['f'], '  "f": 2'],
  ];
  for (const [path, line] of paths) expect(lines[(document.locate(path)?.line as number) - 1]).toBe(line);
  expect(document.locate(['b', 1, 'd', 'e'])?.column).toBe(9);
  expect([...document.located].sort((a, b) => a - b)).toEqual([1, 2, 4, 5, 8, 12]);
});

test('every place of settings is changed, one at a time, and the settings themselves stay', () => {
  const settings = { hooks: [{ run: 'x' }, { run: 'y' }] };
  const text = JSON.stringify(settings);
  const mutations = mutationsOf(settings);
  expect(JSON.stringify(settings)).toBe(text);
  expect(mutations.find(({ what }) => what === 'hooks[1].run is null')?.settings).toEqual({ hooks: [{ run: 'x' }, { run: null }] });
  expect(mutations.find(({ what }) => what === 'hooks[0] is left out')?.settings).toEqual({ hooks: [{ run: 'y' }] });
  const withKeys = mutations.find(({ what }) => what === 'hooks[0] has keys of every object')?.settings;
  expect(JSON.stringify(withKeys)).toContain('{"run":"x","__proto__":{"polluted":true},');
  expect(new Set(mutations.map(({ path }) => path.join('.')))).toEqual(
    new Set(['', 'hooks', 'hooks.0', 'hooks.0.run', 'hooks.1', 'hooks.1.run']),
  );
});

test.each<[string, unknown, string | undefined]>([
  ['JSON', { a: [1, 'x', null, { b: false }] }, undefined],
  ['NaN', { a: [Number.NaN] }, 'a[0] is NaN'],
  ['undefined', { a: undefined }, 'a is undefined'],
  ['undefined in a list', [undefined], '[0] is undefined'],
  ['a function', { a: () => 1 }, 'a is a function'],
  ['a date', { a: new Date(0) }, 'a is an object that JSON does not have'],
  ['an error', { a: new Error('x') }, 'a is an object that JSON does not have'],
  ['a big number', 1n, 'it is a bigint'],
])('%s is distinguished from plain JSON', (_, value, problem) => {
  expect(notPlainJson(value)).toBe(problem);
});

test('clocks and random numbers are watched during a call, and restored after it', () => {
  const before = [globalThis.Date, Math.random, Object.getOwnPropertyNames(performance)];
  const reads: string[] = [];
  const call = () => [
    new Date(0).getTime(),
    Date.UTC(1970),
    new Date() instanceof Date,
    Date.now() > 0,
    Math.random() < 1,
    performance.now() > 0,
  ];
  expect(clockReads(call, reads)).toEqual([0, 0, true, true, true, true]);
  expect(reads).toEqual(['new Date()', 'Date.now()', 'Math.random()', 'performance.now()']);
  expect(() =>
    clockReads(() => {
      throw new Error('x');
    }, reads),
  ).toThrow('x');
  expect([globalThis.Date, Math.random, Object.getOwnPropertyNames(performance)]).toEqual(before);
});
