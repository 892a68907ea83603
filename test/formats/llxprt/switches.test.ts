import { llxprt } from '@tenterhook/dialects';
import type { ParsedSettings } from '@tenterhook/protocol';
import { combineOne, sourcesOn as on, settingsAt } from '../../support/levels.js';

const dialect = llxprt();
const combine = (documents: readonly ParsedSettings[]) => combineOne(dialect, documents);

/** A document with one hook, whose command is the name of its source, and with these switches. */
function level(source: string, says: { enable?: boolean; disabled?: string[]; name?: string } = {}): ParsedSettings {
  const tools = says.enable === undefined ? {} : { tools: { enableHooks: says.enable } };
  const hooksConfig = says.disabled === undefined ? {} : { hooksConfig: { disabled: says.disabled } };
  const hook = { command: source, ...(says.name === undefined ? {} : { name: says.name }) };
  return settingsAt(dialect, source, { ...tools, ...hooksConfig, hooks: { BeforeTool: [{ hooks: [hook] }] } });
}

const enabling: Record<string, [ParsedSettings[], string[]]> = {
  'no settings say anything: found settings are off': [[level('project'), level('user'), level('system')], []],
  'the project speaks for itself alone': [[level('project', { enable: true }), level('user'), level('system')], ['project']],
  'the user speaks for a silent project': [
    [level('project'), level('user', { enable: true }), level('system')],
    ['project', 'user'],
  ],
  'the system speaks for all who are silent': [
    [level('project'), level('user'), level('system', { enable: true })],
    ['project', 'user', 'system'],
  ],
  'a project cannot switch a guard of the user off': [[level('project', { enable: false }), level('user', { enable: true })], ['user']],
  'a project cannot switch on what the user has switched off': [[level('project', { enable: true }), level('user', { enable: false })], []],
  'the user switches off hooks of the user, and none of the system': [
    [level('user', { enable: false }), level('system', { enable: true })],
    ['system'],
  ],
  'the system switches off all': [
    [level('project', { enable: true }), level('user', { enable: true }), level('system', { enable: false })],
    [],
  ],
  'given settings are on unless they say otherwise': [[level('settings')], ['settings']],
  'given settings that say false are off': [[level('settings', { enable: false })], []],
  'given settings are one level': [[level('settings:1', { enable: false }), level('settings:2')], []],
  'an extension is on unless settings switch it off': [[level('extension:x')], ['extension:x']],
  'an extension is off where the user switches it off': [[level('user', { enable: false }), level('extension:x')], []],
  'an extension is below the project': [[level('project', { enable: false }), level('extension:x')], []],
  'an extension has no switch': [[level('extension:x', { enable: false })], ['extension:x']],
};

test.each(Object.entries(enabling))('%s (decision 25)', (_, [documents, expected]) => {
  expect(on(combine(documents))).toEqual(expected);
});

test('what is off is kept for explain, with the file that decided', () => {
  const { off } = combine([level('project'), level('user', { enable: false }), level('system')]);
  expect(off.map((entry) => [entry.hook.source, entry.reason])).toEqual([
    ['project', 'tools.enableHooks is false in /srv/user.json:3. Write true there. No setting of a lower level can switch the hooks on.'],
    ['user', 'tools.enableHooks is false in /srv/user.json:3. Write true there. No setting of a lower level can switch the hooks on.'],
    ['system', expect.stringContaining('neither /srv/system.json nor a level above it')],
  ]);
});

/** Which source disables a hook of which source, and whether that has an effect. */
const disabling: Record<string, [speaker: string, owner: string, disabled: boolean]> = {
  'a level its own hook': ['project', 'project', true],
  'the user a hook of the project': ['user', 'project', true],
  'the system a hook of the user': ['system', 'user', true],
  'the system a hook of an extension': ['system', 'extension:x', true],
  'the project a hook of an extension': ['project', 'extension:x', true],
  'given settings those of another': ['settings:1', 'settings:2', true],
  'the project a hook of the user': ['project', 'user', false],
  'the user a hook of the system': ['user', 'system', false],
  'the project a hook of the system': ['project', 'system', false],
};

test.each(Object.entries(disabling))('disabled lists, %s: %j', (_, [speaker, owner, disabled]) => {
  const documents =
    speaker === owner
      ? [level(owner, { enable: true, disabled: [owner] })]
      : [level(speaker, { enable: true, disabled: [owner] }), level(owner, { enable: true })];
  const combined = combine(documents);
  const hook = combined.hooks.find((entry) => entry.source === owner);
  expect(hook?.skip).toEqual(disabled ? { skipReason: 'disabled', reason: expect.stringContaining(`/srv/${speaker}.json:4`) } : undefined);
  expect(combined.diagnostics.map((entry) => entry.code)).toEqual([disabled ? 'disabled_hook' : 'foreign_disable']);
});

test('a hook is disabled by its name or by its command, as a whole', () => {
  const disabledBy = (entry: string) =>
    combine([level('user', { enable: true, name: 'spell-check', disabled: [entry] })]).hooks[0]?.skip?.skipReason;
  expect(['spell-check', 'user', 'spell', 'Spell-Check'].map(disabledBy)).toEqual(['disabled', 'disabled', undefined, undefined]);
});

test('the diagnostic of a list that reaches too high says where the hook can be disabled', () => {
  const { diagnostics } = combine([level('project', { enable: true, disabled: ['user'] }), level('user', { enable: true })]);
  expect(diagnostics).toEqual([
    {
      code: 'foreign_disable',
      severity: 'warning',
      message:
        'hooksConfig.disabled of /srv/project.json:4 names "user", a hook of the level "user". The level "project" cannot disable this hook, so the hook runs.',
      remedy: 'Disable the hook where it is configured, in /srv/user.json.',
      file: '/srv/project.json',
      line: 4,
      column: 1,
      path: 'hooksConfig.disabled[0]',
      source: 'project',
      dialect: 'llxprt',
      eventName: 'BeforeTool',
      hookId: 'llxprt/user/BeforeTool/0.0',
    },
  ]);
});

test('an invalid hook stays invalid, even if it is disabled', () => {
  const document = settingsAt(dialect, 'settings', {
    hooksConfig: { disabled: ['x'] },
    hooks: { BeforeTool: [{ hooks: [{ command: 'x', type: 'plugin' }] }] },
  });
  expect(combine([document]).hooks[0]?.skip?.skipReason).toBe('invalid');
});

test('an entry that is nearly the name of a hook is reported; one that is the name of none, or its command, is not', () => {
  const list = level('user', { enable: true, name: 'guard', disabled: ['gard', 'user', 'elsewhere'] });
  expect(combine([list]).diagnostics.filter(({ code }) => code === 'unknown_hook')).toEqual([
    {
      code: 'unknown_hook',
      severity: 'warning',
      message: 'The entry "gard" disables nothing: no hook has that name or command.',
      remedy: 'Did you mean "guard"?',
      file: '/srv/user.json',
      line: 4,
      column: 1,
      path: 'hooksConfig.disabled[0]',
      source: 'user',
      dialect: 'llxprt',
    },
  ]);
});
