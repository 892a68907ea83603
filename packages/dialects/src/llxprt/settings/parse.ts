import { type DialectContext, type HookEventName, isHookEventName, type ParsedDocument, type SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isSwitchUnderHooks } from '../../shared/lint/misplaced-switches.js';
import { type CommandGroup, commandHooks } from '../../shared/settings/command-hooks.js';
import { fillInPaths, spellOut } from '../../shared/settings/extension-paths.js';
import type { GroupFormat } from '../../shared/settings/group-format.js';
import { remedyForType } from '../../shared/settings/hook-fields.js';
import { remedyForEvent, sameEvent } from '../../shared/settings/known-event.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { productEvents, projectVariables } from '../input.js';
import { reportSwitches } from '../lint.js';
import { type Matcher, matcherLanguage } from '../matching.js';
import { defaultTimeoutMs, groupFields, hookFields } from './schema.js';
import { hasUnusableSwitch, readSwitches } from './switches.js';

/**
 * The events that identify settings as LLxprt's. The format has Claude Code's events too, but settings with only those events were
 * probably written for Claude Code.
 */
const ownEvents: ReadonlySet<string> = new Set<HookEventName>([...productEvents, 'HostStart', 'HostEnd']);

/** Returns the format of LLxprt's hook groups, for the project of this context. */
function groupFormat({ projectDir, platform, toolNames }: DialectContext): GroupFormat<CommandGroup<Matcher>> {
  return {
    ...commandHooks<Matcher>({
      language: matcherLanguage(toolNames),
      variables: projectVariables(projectDir),
      platform,
      groupFields: Object.keys(groupFields),
      hookFields: Object.keys(hookFields),
      defaultTimeoutMs,
      showHook: (command) => `{ "command": ${command} }`,
      typeProblem(type, path, { reporter, eventName }, hookId) {
        if (type === undefined || type === 'command') return undefined;
        const message = `The type ${formatValue(type)} is not supported; the hook does not run.`;
        return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy: remedyForType(type), eventName, hookId });
      },
      // Hooks with the same name, command and environment are duplicates (decision 22). The three are a list, because as one text
      // different hooks could be equal (field failure 59).
      identityOf: ({ name, command, env }) => [name ?? null, spellOut(command, env), Object.entries(env).sort()],
    }),
    eventOf: (key): HookEventName | undefined => (isHookEventName(key) ? key : undefined),
    meantEvent(name) {
      const eventName = sameEvent(name)?.eventName;
      return eventName === undefined ? undefined : { eventName, dialectEvent: eventName };
    },
    remedyForEvent: (key) => remedyForEvent(key),
    isOtherKey: isSwitchUnderHooks,
    misplacedPlaces: [
      [],
      ['Hooks'],
      ['hook'],
      ['hooks', 'hooks'],
      ['hooksConfig'],
      ['hooksConfig', 'hooks'],
      ['tools'],
      ['tools', 'hooks'],
    ],
    exampleEvent: 'BeforeTool',
  };
}

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept.
 */
export function parse(document: SettingsDocument, context: DialectContext, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    reporter.report('invalid_document', 'error', [], `The settings must be an object, and are ${formatValue(settings)}.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const switches = readSwitches(settings, document, reporter);
  reportSwitches(settings, reporter);
  const format = groupFormat(context);
  const hooks = readEvents(fillInPaths(settings, document, context, reporter), { document, reporter, dialect }, format);
  const isUnusable = hasUnusableSwitch(settings) || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, switches, isUnusable };
}

export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  return isPlainObject(hooks) ? Object.keys(hooks).filter((name) => ownEvents.has(name)) : [];
}
