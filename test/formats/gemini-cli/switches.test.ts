import { geminiCli } from '@tenterhook/dialects';
import type { ParsedSettings } from '@tenterhook/protocol';
import { combineOne, sourcesOn as on, settingsAt } from '../../support/levels.js';

const dialect = geminiCli();
const combine = (documents: readonly ParsedSettings[]) => combineOne(dialect, documents);

/** A document with one hook, whose command is the name of its source, and with these switches. */
function level(source: string, hooksConfig: Record<string, unknown> = {}, more: Record<string, unknown> = {}): ParsedSettings {
  return settingsAt(dialect, source, { hooksConfig, ...more, hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: source }] }] } });
}

const off = { enabled: false };

const enabling: Record<string, [ParsedSettings[], string[]]> = {
  'no settings say anything: all are on': [
    [level('project'), level('user'), level('extension:x')],
    ['project', 'user', 'extension:x'],
  ],
  'the project switches off its own hooks and those below': [[level('project', off), level('user'), level('extension:x')], ['user']],
  'the user speaks for a silent project, and for extensions': [[level('project'), level('user', off), level('extension:x')], []],
  'a project cannot switch on what the user has switched off': [[level('project', { enabled: true }), level('user', off)], []],
  'the system speaks for all': [[level('project', { enabled: true }), level('user'), level('system', off), level('extension:x')], []],
  'given settings are one level': [[level('settings:1', off), level('settings:2')], []],
  'an extension decides for no other': [
    [level('user'), level('extension:x', off)],
    ['user', 'extension:x'],
  ],
};

test.each(Object.entries(enabling))('%s', (_, [documents, expected]) => {
  expect(on(combine(documents))).toEqual(expected);
});

test('what is off is kept for explain, with the file that decided', () => {
  expect(combine([level('project'), level('user', off)]).off.map(({ hook, reason }) => [hook.source, reason])).toEqual([
    ['project', 'hooksConfig.enabled is false in /srv/user.json:3. Write true there. No setting of a lower level can switch the hooks on.'],
    ['user', 'hooksConfig.enabled is false in /srv/user.json:3. Write true there. No setting of a lower level can switch the hooks on.'],
  ]);
});

test('the list of a user disables hooks of a project', () => {
  const { hooks, diagnostics } = combine([level('project'), level('user', { disabled: ['project'] })]);
  expect(hooks.find(({ source }) => source === 'project')?.skip).toEqual({
    skipReason: 'disabled',
    reason: '"project" is listed in hooksConfig.disabled of /srv/user.json:4.',
  });
  expect(diagnostics).toMatchObject([{ code: 'disabled_hook', file: '/srv/user.json', path: 'hooksConfig.disabled[0]' }]);
});

test.each(['user', 'system'])('the list of a project disables no hook of the %s, and that is reported', (owner) => {
  const { hooks, diagnostics } = combine([level('project', { disabled: [owner] }), level(owner)]);
  expect(hooks.find(({ source }) => source === owner)?.skip).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: 'foreign_disable', severity: 'warning', file: '/srv/project.json', line: 4 }]);
});

test('the list of an extension disables nothing', () => {
  expect(on(combine([level('user'), level('extension:x', { disabled: ['user'] })]))).toEqual(['user', 'extension:x']);
});

test('notifications: false hides the runs of the hooks it speaks for', () => {
  const { hooks } = combine([level('project', { notifications: false }), level('user')]);
  expect(hooks.map(({ hidden }) => hidden)).toEqual([true, undefined]);
});

test('a redacted environment is one for the hooks that its level speaks for', () => {
  const redaction = (fields: Record<string, unknown>) => ({ security: { environmentVariableRedaction: fields } });
  const { hooks } = combine([
    level('project', {}, redaction({ enabled: true, allowed: ['A'] })),
    level('user', {}, redaction({ enabled: true, blocked: ['B'] })),
    level('system', {}, redaction({ allowed: ['C'] })),
    level('extension:x'),
  ]);
  const [ofProject, ofUser] = [{ allowed: ['A'] }, { blocked: ['B'] }];
  const redactions = hooks.map(({ source, dialectData }) => [source, (dialectData as { redactions?: unknown }).redactions]);
  expect(redactions).toEqual([
    ['project', [ofProject, ofUser]],
    ['user', [ofUser]],
    ['system', undefined],
    ['extension:x', [ofProject, ofUser]],
  ]);
});
