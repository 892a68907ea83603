import type { DialectContext } from '@tenterhook/protocol';
import type { CommandGroup } from '../shared/groups/command-group.js';
import { commandHooks } from '../shared/groups/command-hook.js';
import type { EventContext, GroupFormat } from '../shared/groups/group-format.js';
import { reportSplitPaths } from '../shared/groups/split-paths.js';
import { formatValue } from '../shared/settings/format-value.js';
import { remedyForEvent, sameEvent } from '../shared/settings/known-event.js';
import { isSwitchUnderHooks } from '../shared/settings/misplaced-switches.js';
import type { DocumentPath } from '../shared/settings/reporter.js';
import { geminiEventNames, isGeminiEvent } from './input/event-table.js';
import { type Matcher, matcherLanguage } from './matching.js';
import type { GeminiHost } from './options.js';
import { spelledOut } from './settings/extension-paths.js';
import { defaultTimeoutMs, groupFields, hookFields } from './settings/schema.js';

/** How Gemini CLI writes its hooks, in a project of this place. */
export function groupFormat(
  { projectDir, platform }: Pick<DialectContext, 'projectDir' | 'platform'>,
  host: GeminiHost,
): GroupFormat<CommandGroup<Matcher>> {
  return {
    ...commandHooks<Matcher>({
      language: matcherLanguage(host),
      groupFields: Object.keys(groupFields),
      hookFields: Object.keys(hookFields),
      defaultTimeoutMs,
      showHook: (command) => `{ "type": "command", "command": ${command} }`,
      typeProblem,
      remarkOnCommand(command, env, path, context, hookId) {
        // Gemini CLI puts the path into the command as text with quotes of its own: there the form without quotes is the one that works.
        if (platform !== 'win32') reportSplitPaths(command, { ...placesOf(projectDir), ...env }, { ...context, path, hookId });
      },
      // Neither timeout nor environment, as in Gemini CLI. As a pair, never as one joined text (field failure 59).
      identityOf: ({ name, command, env }) => [name ?? null, spelledOut(command, env)],
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

/** Gemini CLI drops a hook without a type in silence. Its author meant it to run, and the only thing that it can be is a command. */
function typeProblem(type: unknown, path: DocumentPath, { reporter, eventName }: EventContext, hookId: string) {
  if (type === 'command') return undefined;
  const remedy = 'Write "type": "command", in small letters.';
  if (type === undefined) {
    const message = 'The hook has no "type". It runs here; Gemini CLI itself leaves it out.';
    reporter.report('unknown_type', 'warning', path, message, { remedy, eventName, hookId });
    return undefined;
  }
  const message = `The type ${formatValue(type)} is not one that runs here; the hook does not run.`;
  return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId });
}

/** Variables that hold a directory which is known now. */
function placesOf(projectDir: string): Record<string, string> {
  return { GEMINI_PROJECT_DIR: projectDir, GEMINI_CWD: projectDir, CLAUDE_PROJECT_DIR: projectDir };
}
