import type { DialectContext, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isSwitchUnderHooks } from '../../shared/lint/misplaced-switches.js';
import { withSlashes } from '../../shared/paths.js';
import type { CommandGroup } from '../../shared/settings/command-hooks.js';
import { commandHooks } from '../../shared/settings/command-hooks.js';
import { fillInPaths, geminiManifest, isOfExtension, spellOut } from '../../shared/settings/extension-paths.js';
import type { EventContext, GroupFormat } from '../../shared/settings/group-format.js';
import { remedyForType } from '../../shared/settings/hook-fields.js';
import { remedyForEvent, sameEvent } from '../../shared/settings/known-event.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { type DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { geminiEventNames, isGeminiEvent } from '../input/event-table.js';
import { reportSwitchesElsewhere } from '../lint/misplaced.js';
import { unsetVariables } from '../lint/variables.js';
import { type Matcher, matcherLanguage } from '../matching.js';
import type { GeminiHost } from '../options.js';
import { defaultTimeoutMs, groupFields, hookFields } from './schema.js';
import { hasUnusableSwitch, readGeneralSettings, readSwitches } from './switches.js';

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept.
 */
export function parse(document: SettingsDocument, context: DialectContext, host: GeminiHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    reporter.report('invalid_document', 'error', [], `The settings must be an object, and are ${formatValue(settings)}.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const isExtension = isOfExtension(document);
  if (isExtension && isManifest(document)) {
    const message = 'Gemini CLI does not read hooks from the manifest of an extension; they do not run.';
    const remedy = 'Move them to hooks/hooks.json of the extension.';
    // The manifest of an extension is read only to report hooks in it.
    if (Object.hasOwn(settings, 'hooks')) reporter.report('misplaced_hooks', 'error', ['hooks'], message, { remedy });
    return { hooks: [], diagnostics: reporter.diagnostics };
  }
  const general = isExtension ? {} : { switches: readSwitches(settings, reporter), data: readGeneralSettings(settings, reporter) };
  reportSwitchesElsewhere(settings, document, reporter);
  const format = groupFormat(context, host);
  const hooks = readEvents(fillInPaths(settings, document, context, reporter), { document, reporter, dialect }, format);
  const isUnusable = (!isExtension && hasUnusableSwitch(settings)) || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, ...general, isUnusable };
}

/** Returns the event names. LLxprt Code has the same event names, so for settings with LLxprt Code's switch the list is empty. */
export function eventsIn(value: unknown): string[] {
  if (!isPlainObject(value) || !isPlainObject(value['hooks'])) return [];
  const { tools } = value;
  if (isPlainObject(tools) && typeof tools['enableHooks'] === 'boolean') return [];
  return Object.keys(value['hooks']).filter(isGeminiEvent);
}

/** Returns the format of Gemini CLI's hook groups, for the project of this context. */
function groupFormat(
  { projectDir, platform, toolNames, environment }: Pick<DialectContext, 'projectDir' | 'platform' | 'toolNames' | 'environment'>,
  host: GeminiHost,
): GroupFormat<CommandGroup<Matcher>> {
  return {
    ...commandHooks<Matcher>({
      language: matcherLanguage(host, toolNames),
      groupFields: Object.keys(groupFields),
      hookFields: Object.keys(hookFields),
      defaultTimeoutMs,
      showHook: (command) => `{ "type": "command", "command": ${command} }`,
      typeProblem,
      // Gemini CLI inserts these paths into the command itself, with quotes. In Tenterhook the shell expands the variables, and
      // would split a path at white space. So a variable without quotes is reported.
      variables: { GEMINI_PROJECT_DIR: projectDir, GEMINI_CWD: projectDir, CLAUDE_PROJECT_DIR: projectDir },
      unset: { variables: unsetVariables, environment },
      platform,
      // Hooks with the same name and command are duplicates, as in Gemini CLI, even if timeout or environment differ. Name and
      // command are a list, because two different pairs could give the same text (field failure 59).
      identityOf: ({ name, command, env }) => [name ?? null, spellOut(command, env)],
    }),
    eventOf: (key) => (isGeminiEvent(key) ? key : undefined),
    meantEvent(name) {
      const eventName = sameEvent(name)?.eventName;
      return isGeminiEvent(eventName) ? { eventName, dialectEvent: eventName } : undefined;
    },
    remedyForEvent: (key) => remedyForEvent(key, geminiEventNames),
    isOtherKey: (key, value) => isSwitchUnderHooks(key, value) || (key === 'notifications' && typeof value === 'boolean'),
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
 * Reports an invalid type. Gemini CLI silently drops a hook without a type. Tenterhook runs it, as its author expects, because
 * "command" is the only type.
 */
function typeProblem(type: unknown, path: DocumentPath, { reporter, eventName }: EventContext, hookId: string) {
  if (type === 'command') return undefined;
  if (type === undefined) {
    const message = 'The hook has no "type". It runs in Tenterhook, but not in Gemini CLI itself.';
    reporter.report('unknown_type', 'warning', path, message, { remedy: 'Write "type": "command".', eventName, hookId });
    return undefined;
  }
  const message = `The type ${formatValue(type)} is not supported; the hook does not run.`;
  return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy: remedyForType(type), eventName, hookId });
}

function isManifest({ file }: SettingsDocument): boolean {
  return file !== undefined && withSlashes(file).endsWith(`/${geminiManifest}`);
}
