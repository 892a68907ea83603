import { reasonOfAll } from '../../src/shared/matching.js';
import { dataOf, read } from './settings/invented-groups.js';

const withMatcher = (matcher: unknown, key = 'ring') => read({ hooks: { [key]: [{ matcher, hooks: [{ command: 'x' }] }] } });

test.each([undefined, null, 'all'])('the matcher %j fits everything', (matcher) => {
  const { hooks, diagnostics } = withMatcher(matcher);
  expect(dataOf(hooks[0]).matcher).toBeUndefined();
  expect(diagnostics).toEqual([]);
});

test('any other text is what the format makes of it', () => {
  const { hooks } = withMatcher('m');
  expect(hooks[0]?.matcher).toBe('m');
  expect(dataOf(hooks[0]).matcher).toBe('m');
});

test.each<[unknown, string]>([
  [7, 'ding'],
  [[], 'ding'],
  [['a', 'b'], 'a+b'],
  [['a', 7], 'ding'],
])('the matcher %j is not a text, and the remedy is %j', (matcher, remedy) => {
  const { hooks, diagnostics } = withMatcher(matcher);
  expect(diagnostics).toMatchObject([
    { code: 'invalid_matcher', path: 'hooks.ring[0].matcher', remedy: `Write a string such as "${remedy}".` },
  ]);
  expect(hooks[0]?.skip).toMatchObject({ skipReason: 'invalid' });
});

test('a text that compiles as nothing says why', () => {
  const { hooks, diagnostics } = withMatcher('bad');
  expect(diagnostics).toMatchObject([
    { code: 'invalid_matcher', message: expect.stringMatching(/"bad" .* It is bad\.$/), remedy: 'Be good.' },
  ]);
  expect(hooks[0]?.skip).toMatchObject({ skipReason: 'invalid' });
});

test('where there is nothing to look at the hook runs, and the event is named as the format names it', () => {
  const { hooks, diagnostics } = withMatcher('m', 'start');
  expect(diagnostics).toMatchObject([
    { code: 'matcher_ignored', severity: 'warning', message: expect.stringMatching(/^start has no value/) },
  ]);
  expect(hooks[0]).not.toHaveProperty('skip');
  expect(dataOf(hooks[0]).matcher).toBeUndefined();
});

test.each([
  [undefined, true, 'it has no matcher and runs on every Stop'],
  ['*', true, 'its matcher "*" matches every Stop'],
  ['deploy', false, 'Stop has nothing to match, so its matcher "deploy" is ignored'],
])('why a hook with the matcher %j runs on every event, where the event has a value to match: %j', (matcher, hasSubject, reason) => {
  expect(reasonOfAll(matcher === undefined ? {} : { matcher }, 'Stop', hasSubject)).toBe(reason);
});
