import { isSwitchUnderHooks, reportMisplacedList, reportMisplacedSwitches } from '../../../src/shared/lint/misplaced-switches.js';
import { inventedReporter } from '../settings/invented-document.js';

function said(settings: Record<string, unknown>) {
  const reporter = inventedReporter();
  reportMisplacedSwitches(settings, ['bells', 'on'], [['on'], ['hooks', 'enabled']], reporter);
  reportMisplacedList(settings, reporter);
  return reporter.diagnostics.map(({ code, severity, path, remedy }) => [code, severity, path, remedy]);
}

test('a switch where none is read is reported with the place that counts', () => {
  expect(said({ on: true, hooks: { enabled: false } })).toEqual([
    ['misplaced_switch', 'warning', 'on', 'Write { "bells": { "on": true } }.'],
    ['misplaced_switch', 'warning', 'hooks.enabled', 'Write { "bells": { "on": false } }.'],
  ]);
});

test('where it says the same as the one that counts, or is not a switch, there is nothing to report', () => {
  expect(said({ on: true, bells: { on: true } })).toEqual([]);
  expect(said({ on: 'yes', hooks: { enabled: {} } })).toEqual([]);
});

test('what counts where nothing is set need not be said', () => {
  const reporter = inventedReporter();
  const settings = { on: true, hooks: { enabled: false } };
  reportMisplacedSwitches(settings, ['bells', 'on'], [['on'], ['hooks', 'enabled']], reporter, true);
  expect(reporter.diagnostics.map(({ path }) => path)).toEqual(['hooks.enabled']);
});

test('a list is reported in the same way', () => {
  expect(said({ hooks: { disabled: ['a', 'b'] } })).toEqual([
    ['misplaced_switch', 'warning', 'hooks.disabled', 'Write { "hooksConfig": { "disabled": ["a", "b"] } }.'],
  ]);
  expect(said({ hooks: { disabled: [] } })).toEqual([]);
});

test.each<[string, unknown, boolean]>([
  ['enabled', true, true],
  ['enableHooks', false, true],
  ['disabled', [], true],
  ['enabled', [], false],
  ['disabled', true, false],
  ['other', true, false],
])('%s: %j under hooks is a switch: %s', (key, value, expected) => expect(isSwitchUnderHooks(key, value)).toBe(expected));
