import type { Decoded, HookDefinition, HookEventName, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { type GeminiCliOptions, geminiCli } from '../../src/gemini-cli/index.js';
import { machine } from '../eca/eca-rig.js';
import { eventOf } from '../event-of.js';
import { exitOf, type Printed } from '../printed.js';

export const dialect = geminiCli();

/** Settings, as if read from a file. The line of a path is the length of the path, so a diagnostic with a wrong place fails a test. */
export function documentOf(value: unknown, source = 'project', file: string | undefined = `/srv/${source}.json`): SettingsDocument {
  return { source, value, ...(file === undefined ? {} : { file }), locate: (path) => ({ line: path.length + 1, column: 1 }) };
}

export function parsed(value: unknown, source?: string, context = machine()): ParsedSettings {
  const document = documentOf(value, source);
  return { source: document.source, ...(document.file === undefined ? {} : { file: document.file }), ...dialect.parse(document, context) };
}

export const good = { type: 'command', command: './guard.sh' };

/** Settings with one hook in one group. */
export function settingsOf(fields: Record<string, unknown> = {}, group: Record<string, unknown> = {}, eventName = 'BeforeTool'): object {
  return { hooks: { [eventName]: [{ ...group, hooks: [{ ...good, ...fields }] }] } };
}

export function hookOf(
  fields: Record<string, unknown> = {},
  eventName: HookEventName = 'BeforeTool',
  group: Record<string, unknown> = {},
): HookDefinition {
  const [hook] = parsed(settingsOf(fields, group, eventName)).hooks;
  if (hook === undefined) throw new Error('the hook was not parsed');
  return hook;
}

/** Decodes an exit of a hook named "guard". */
export function decoded(printed: Printed, eventName: HookEventName = 'BeforeTool'): Decoded {
  return dialect.decode(exitOf(printed), eventOf(eventName), hookOf({ name: 'guard' }, eventName));
}

/** Returns the command, the variables and the stdin of a hook named "guard". */
export function commandOf(eventName: HookEventName, fields: Record<string, unknown> = {}, options: GeminiCliOptions = {}) {
  const hook = hookOf({ env: { OWN: 'o' } }, eventName);
  const invocation = geminiCli(options).invocation(eventOf(eventName, fields), hook, { PARENT: 'p', OWN: 'parent' });
  if (invocation.kind !== 'command') throw new Error('no command');
  return invocation;
}
