import type { CombinedSettings, ParsedSettings } from '@tenterhook/protocol';
import { combine } from '../../../src/gemini-cli/settings/combine.js';
import { good, parsed } from '../gemini-rig.js';

/** A document with one hook, whose command is the name of its source, and what it says about switches. */
function level(source: string, hooksConfig: Record<string, unknown> = {}, more: Record<string, unknown> = {}): ParsedSettings {
  return parsed({ hooksConfig, ...more, hooks: { BeforeTool: [{ hooks: [{ ...good, command: source }] }] } }, source);
}

const on = (combined: CombinedSettings) => combined.hooks.filter((hook) => hook.skip === undefined).map((hook) => hook.source);
const off = { enabled: false };

const enabling: Record<string, [ParsedSettings[], string[]]> = {
  'no settings say anything: all are on': [
    [level('project'), level('user'), level('extension:x')],
    ['project', 'user', 'extension:x'],
  ],
  'the project speaks for itself alone': [
    [level('project', off), level('user'), level('extension:x')],
    ['user', 'extension:x'],
  ],
  'the user speaks for a silent project, and for extensions': [[level('project'), level('user', off), level('extension:x')], []],
  'the project has a word of its own': [[level('project', { enabled: true }), level('user', off)], ['project']],
  'the system speaks for all': [[level('project', { enabled: true }), level('user'), level('system', off), level('extension:x')], []],
  'of several given settings each speaks for itself': [[level('settings:1', off), level('settings:2')], ['settings:2']],
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
    [
      'project',
      'hooksConfig.enabled is false in /srv/user.json. Write true, or write "hooksConfig": { "enabled": true } in /srv/project.json.',
    ],
    ['user', 'hooksConfig.enabled is false in /srv/user.json. Write true.'],
  ]);
});

test.each([
  ['a project', 'project', 'user'],
  ['a user', 'user', 'project'],
  ['a project', 'project', 'system'],
])('the list of %s disables hooks of all scopes', (_, speaker, owner) => {
  const { hooks, diagnostics } = combine([level(owner), level(speaker, { disabled: [owner] })]);
  expect(hooks.find(({ source }) => source === owner)?.skip).toMatchObject({
    skipReason: 'disabled',
    reason: `"${owner}" is listed in hooksConfig.disabled of /srv/${speaker}.json.`,
  });
  expect(diagnostics).toMatchObject([{ code: 'disabled_hook', file: `/srv/${speaker}.json`, path: 'hooksConfig.disabled[0]' }]);
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
    ['extension:x', [ofUser]],
  ]);
});
