import type { HookDefinition, SettingsDocument } from '@tenterhook/protocol';
import { Reporter } from '../../../src/parts.js';
import { type CommandGroup, type CommandHookData, commandDataOf, commandHooks } from '../../../src/shared/settings/command-hooks.js';
import type { GroupFormat } from '../../../src/shared/settings/group-format.js';
import { readEvents } from '../../../src/shared/settings/read-groups.js';
import { document } from './invented-document.js';

/** A matcher is its own text, and is compared with the subject as it is. */
type Matcher = string | undefined;

/** A format of no real agent, whose keys differ from the names of our events. Two keys, "ring" and "buzz", are the same event. */
export const invented: GroupFormat<CommandGroup<Matcher>> = {
  ...commandHooks<Matcher>({
    language: {
      all: undefined,
      texts: ['all'],
      subjectOf: ({ dialectEvent }) => (dialectEvent === 'start' ? undefined : 'sound'),
      compile: (text) =>
        text === 'bad' ? { ok: false, error: { message: 'It is bad', remedy: 'Be good.' } } : { ok: true, matcher: text },
      exactly: (names) => (names.length === 0 ? 'ding' : names.join('+')),
    },
    variables: {},
    platform: 'linux',
    groupFields: ['matcher', 'sequential', 'hooks'],
    hookFields: ['type', 'command', 'name', 'timeout'],
    defaultTimeoutMs: 7000,
    showHook: (command) => `{ "run": ${command} }`,
    typeProblem: (type, path, { reporter, eventName }, hookId) =>
      type === 'odd' ? reporter.report('unknown_type', 'error', path, 'It is odd.', { eventName, hookId }) : undefined,
    identityOf: ({ name, command }) => [name, command],
  }),
  eventOf: (key) => (key === 'start' ? 'SessionStart' : ['ring', 'buzz'].includes(key) ? 'Notification' : undefined),
  meantEvent: (name) => (name === 'RING' ? { eventName: 'Notification', dialectEvent: 'ring' } : undefined),
  remedyForEvent: (key) => `No ${key}.`,
  isOtherKey: (key) => key === 'volume',
  misplacedPlaces: [[], ['bells', 'hooks']],
  exampleEvent: 'ring',
};

export function read(settings: Readonly<Record<string, unknown>>, place: Partial<SettingsDocument> = {}) {
  const whole = { ...document, ...place };
  const reporter = new Reporter(whole, 'invented');
  const hooks = readEvents(settings, { document: whole, reporter, dialect: 'invented' }, invented);
  return { hooks, diagnostics: reporter.diagnostics };
}

export function dataOf(hook: HookDefinition | undefined): CommandHookData<Matcher> {
  if (hook === undefined) throw new Error('there is no such hook');
  return commandDataOf<Matcher>(hook);
}
