import type { Decoded, DialectContext, HookDefinition, HookEventName, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { llxprt } from '../../src/index.js';
import { eventOf } from '../event-of.js';
import { exitOf, type Printed } from '../printed.js';

export const dialect = llxprt();

export const machine: DialectContext = {
  projectDir: '/srv/app',
  home: '/home/ann',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

/** Settings, as if read from a file. The line of a path is the length of the path, so a diagnostic with a wrong place fails a test. */
export function documentOf(value: unknown, source = 'project', file: string | undefined = `/srv/${source}.json`): SettingsDocument {
  return { source, value, ...(file === undefined ? {} : { file }), locate: (path) => ({ line: path.length + 1, column: 1 }) };
}

export function parsed(value: unknown, source?: string, more: Partial<DialectContext> = {}): ParsedSettings {
  const document = documentOf(value, source);
  return {
    source: document.source,
    ...(document.file === undefined ? {} : { file: document.file }),
    ...dialect.parse(document, { ...machine, ...more }),
  };
}

/** Parses hooks in one group of BeforeTool. */
export function hooksOf(hooks: readonly unknown[], group: Record<string, unknown> = {}): readonly HookDefinition[] {
  return parsed({ hooks: { BeforeTool: [{ ...group, hooks }] } }).hooks;
}

export function hookOf(fields: Record<string, unknown> = {}, eventName: HookEventName = 'BeforeTool'): HookDefinition {
  const hook = parsed({ hooks: { [eventName]: [{ hooks: [{ command: './guard.sh', ...fields }] }] } }).hooks[0];
  if (hook === undefined) throw new Error('the hook was not parsed');
  return hook;
}

/** Decodes an exit of a hook named "guard". */
export function decoded(printed: Printed, eventName: HookEventName = 'BeforeTool'): Decoded {
  return dialect.decode(exitOf(printed), eventOf(eventName), hookOf({ name: 'guard' }, eventName));
}
