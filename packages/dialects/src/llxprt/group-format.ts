import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { isSwitchUnderHooks } from '../shared/lint/misplaced-switches.js';
import type { CommandGroup } from '../shared/settings/command-hooks.js';
import { commandHooks } from '../shared/settings/command-hooks.js';
import type { GroupFormat } from '../shared/settings/group-format.js';
import { remedyForEvent, sameEvent } from '../shared/settings/known-event.js';
import { formatValue } from '../shared/text.js';
import type { Matcher } from './matcher.js';
import { matcherLanguage } from './matcher-language.js';
import { defaultTimeoutMs, groupFields, hookFields } from './settings-schema.js';

/** How LLxprt writes its hooks; its events are the canonical ones, under their names. */
export const groupFormat: GroupFormat<CommandGroup<Matcher>> = {
  ...commandHooks<Matcher>({
    language: matcherLanguage,
    groupFields: Object.keys(groupFields),
    hookFields: Object.keys(hookFields),
    defaultTimeoutMs,
    showHook: (command) => `{ "command": ${command} }`,
    typeProblem(type, path, { reporter, eventName }, hookId) {
      if (type === undefined || type === 'command') return undefined;
      const message = `The type ${formatValue(type)} is not one that runs here; the hook does not run.`;
      const remedy = 'Write "type": "command", in small letters, or leave it out.';
      return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId });
    },
    // Name and command as a pair, never as one joined text, and the environment with them (decision 22, field failure 59).
    identityOf: ({ name, command, env }) => [name ?? null, command, Object.entries(env).sort()],
  }),
  eventOf: (key): HookEventName | undefined => (isHookEventName(key) ? key : undefined),
  meantEvent(name) {
    const eventName = sameEvent(name)?.eventName;
    return eventName === undefined ? undefined : { eventName, dialectEvent: eventName };
  },
  remedyForEvent: (key) => remedyForEvent(key),
  isOtherKey: isSwitchUnderHooks,
  misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks'], ['hooksConfig'], ['hooksConfig', 'hooks'], ['tools'], ['tools', 'hooks']],
  exampleEvent: 'BeforeTool',
};
