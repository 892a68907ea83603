import { isUnusableSection } from '../../../src/shared/settings/read-groups.js';
import { codesOf } from '../../printed.js';
import { dataOf, invented, read } from './invented-groups.js';

const good = { command: 'x' };

test('two keys of one event are two places, each under the name that the format has for it', () => {
  const { hooks, diagnostics } = read({ hooks: { ring: [{ hooks: [good] }], buzz: [{ hooks: [good] }] } });
  expect(hooks.map(({ eventName, dialectEvent, line }) => [eventName, dialectEvent, line])).toEqual([
    ['Notification', 'ring', 6],
    ['Notification', 'buzz', 6],
  ]);
  expect(diagnostics).toEqual([]);
});

test('paths, messages and remedies have the spelling of the format', () => {
  const { hooks, diagnostics } = read({ hooks: { ring: [7, { hooks: 7 }, good], buzz: good, start: 7 } });
  expect(diagnostics.map(({ code, path, eventName, remedy }) => [code, path, eventName, remedy])).toEqual([
    ['invalid_group', 'hooks.ring[0]', 'Notification', 'Write { "hooks": [ … ] }.'],
    ['invalid_group', 'hooks.ring[1].hooks', 'Notification', 'Write "hooks": [ { "run": "…" } ].'],
    ['misplaced_hooks', 'hooks.ring[2]', 'Notification', 'Write { "hooks": [ { "run": "x" } ] }.'],
    ['misplaced_hooks', 'hooks.buzz', 'Notification', 'Write [ { "hooks": [ { "run": "x" } ] } ].'],
    ['invalid_group', 'hooks.start', 'SessionStart', 'Write [ { "hooks": [ … ] } ].'],
  ]);
  // Each invalid entry leaves a skipped hook, so that its event reports that a hook was meant to run.
  expect(hooks.map(({ skip, dialectEvent }) => [dialectEvent, skip?.skipReason])).toEqual([
    ['ring', 'invalid'],
    ['ring', 'invalid'],
    ['ring', 'invalid'],
    ['buzz', 'invalid'],
    ['start', 'invalid'],
  ]);
});

test('a command where a group should be is put into one by the remedy', () => {
  expect(read({ hooks: { ring: ['x.sh'] } }).diagnostics).toMatchObject([{ remedy: 'Write { "hooks": [ { "run": "x.sh" } ] }.' }]);
  const bare = { ...good, matcher: 'm' };
  expect(read({ hooks: { ring: [bare] } }).diagnostics).toMatchObject([
    { remedy: 'Write { "matcher": "m", "hooks": [ { "run": "x" } ] }.' },
  ]);
});

test('the remedy for a hook where a group should be has all that the hook says', () => {
  const remedyOf = (hook: object) => read({ hooks: { ring: [hook] } }).diagnostics[0]?.remedy;
  expect(remedyOf({ matcher: 'm', type: 'command', ...good, name: 'n', timeout: 5, env: { A: 'b' }, more: null })).toBe(
    'Write { "matcher": "m", "hooks": [ { "run": "x", "name": "n", "timeout": 5, "env": {"A":"b"}, "more": null } ] }.',
  );
  expect(remedyOf({ type: 'http', ...good, name: 'n' })).toBe('Write { "hooks": [ { "type": "http", "command": "x", "name": "n" } ] }.');
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 'x'.repeat(1000)]));
  expect(remedyOf({ ...good, ...many })?.length).toBeLessThan(1200);
});

test('fields of other formats are said, and those of the other level are sent there', () => {
  const hook = { ...good, if: 'Bash(rm *)', args: [], async: true, cwd: '/', enabled: false, sequential: true };
  const { diagnostics } = read({ hooks: { ring: [{ timeout: 7, enabled: false, hooks: [hook] }] } });
  expect(diagnostics.map(({ code, severity, path, remedy }) => [code, severity, path?.replace('hooks.ring[0]', '…'), remedy])).toEqual([
    ['invalid_field', 'warning', '….timeout', 'Write the field into the hooks of the group.'],
    ['invalid_field', 'warning', '….enabled', 'Remove the hooks that should not run.'],
    ['invalid_field', 'warning', '….hooks[0].if', 'Narrow the matcher, or decide inside the hook.'],
    ['invalid_field', 'warning', '….hooks[0].args', 'Write them into "command".'],
    ['invalid_field', 'warning', '….hooks[0].async', 'Remove it.'],
    ['invalid_field', 'warning', '….hooks[0].cwd', 'Write "cd … &&" into "command".'],
    ['invalid_field', 'warning', '….hooks[0].enabled', 'Remove the hooks that should not run.'],
    ['invalid_field', 'warning', '….hooks[0].sequential', 'Write the field into the group, next to "hooks".'],
  ]);
});

test('a key that is not an event is reported, unless it is reported elsewhere', () => {
  const { hooks, diagnostics } = read({ hooks: { bell: [], volume: 7, hooks: {} } });
  expect(hooks).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: 'unknown_event', path: 'hooks.bell', remedy: 'No bell.' }]);
  expect(read({ hooks: [] }).diagnostics).toMatchObject([{ code: 'invalid_document', remedy: 'Write { "ring": [ … ] }.' }]);
  expect(read({})).toEqual({ hooks: [], diagnostics: [] });
});

test('hooks in other places are reported with the key to move them to', () => {
  const { hooks, diagnostics } = read({ RING: [{ hooks: [good] }], bells: { hooks: { RING: [good] } }, ring: [good] });
  expect(diagnostics.map(({ code, path, remedy }) => [code, path, remedy])).toEqual([
    ['misplaced_hooks', 'RING', 'Move the event: { "hooks": { "ring": [ … ] } }.'],
    ['misplaced_hooks', 'bells.hooks.RING', 'Move the event: { "hooks": { "ring": [ … ] } }.'],
  ]);
  expect(hooks.map(({ id }) => id)).toEqual([
    'invented/project/Notification/misplaced',
    'invented/project/Notification/misplaced.bells.hooks',
  ]);
});

test('what a group says holds for each of its hooks', () => {
  const { hooks } = read({ hooks: { ring: [{ matcher: 'm', sequential: true, hooks: [good, { command: 'y', timeout: 5000 }] }] } });
  expect(hooks.map((hook) => [hook.matcher, hook.timeoutMs, dataOf(hook)])).toEqual([
    ['m', 7000, { matcher: 'm', sequential: true, env: {} }],
    ['m', 5000, { matcher: 'm', sequential: true, env: {} }],
  ]);
});

test('a hook that cannot run stays, with the reason', () => {
  const { hooks, diagnostics } = read({ hooks: { ring: [{ hooks: [7, { type: 'odd', command: 'x' }, { type: 'even' }, good] }] } });
  expect(codesOf(diagnostics)).toEqual(['invalid_hook', 'unknown_type', 'missing_command']);
  expect(diagnostics[0]?.remedy).toBe('Write { "run": "…" }.');
  expect(hooks.map(({ skip }) => skip?.warning?.code)).toEqual(['invalid_hook', 'unknown_type', 'missing_command', undefined]);
});

test.each<[unknown, boolean]>([
  [undefined, false],
  [{}, false],
  [{ ring: [7] }, false],
  [{ bell: 7 }, false],
  [{ ring: 7 }, true],
  [[], true],
  [null, true],
])('hooks that are %j: unusable as a whole is %s', (hooks, expected) => {
  expect(isUnusableSection(hooks, invented)).toBe(expected);
});
