import type { HookAddition } from '../../src/formats/hook-migration.js';
import { SettingsToAdd } from '../../src/target/settings-to-add.js';

const group = (event: string, matcher: string, hook: string): HookAddition => ({
  at: ['hooks', event],
  value: { matcher, hooks: [hook] },
  joins: 'hooks',
});

test('hooks of one matcher that follow each other share a group, and each has its place in the file', () => {
  const settings = new SettingsToAdd({ hooks: { A: [1, 2] } });
  const paths = [group('A', 'x', 'a'), group('B', 'x', 'b'), group('A', 'x', 'c'), group('A', 'y', 'd'), group('A', 'x', 'e')].map(
    (addition) => settings.add(addition),
  );
  expect(paths).toEqual([
    'hooks.A[2].hooks[0]',
    'hooks.B[0].hooks[0]',
    'hooks.A[2].hooks[1]',
    'hooks.A[3].hooks[0]',
    'hooks.A[4].hooks[0]',
  ]);
  expect(settings.value).toEqual({
    hooks: {
      A: [
        { matcher: 'x', hooks: ['a', 'c'] },
        { matcher: 'y', hooks: ['d'] },
        { matcher: 'x', hooks: ['e'] },
      ],
      B: [{ matcher: 'x', hooks: ['b'] }],
    },
  });
});

test('hooks with keys stand under them, whatever the keys are', () => {
  const settings = new SettingsToAdd(undefined);
  expect(settings.isEmpty).toBe(true);
  expect(settings.add({ at: ['hooks'], key: '__proto__', value: { type: 'x' } })).toBe('hooks.__proto__');
  expect(settings.add({ at: ['hooks'], key: 'a b', value: { type: 'y' } })).toBe('hooks["a b"]');
  expect(JSON.stringify(settings.value)).toBe('{"hooks":{"__proto__":{"type":"x"},"a b":{"type":"y"}}}');
});

test('a switch is before the hooks', () => {
  const settings = new SettingsToAdd({});
  settings.add(group('A', 'x', 'a'));
  settings.set(['tools', 'enableHooks'], true);
  expect(JSON.stringify(settings.value)).toBe('{"tools":{"enableHooks":true},"hooks":{"A":[{"matcher":"x","hooks":["a"]}]}}');
});
