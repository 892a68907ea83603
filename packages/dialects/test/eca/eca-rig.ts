import type { Decoded, DialectContext, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { type EcaType, ecaTypes } from '../../src/eca/input/event-table.js';
import { type EcaOptions, eca } from '../../src/index.js';
import { eventOf } from '../event-of.js';
import { exitOf, type Printed } from '../printed.js';

/** Returns a dialect context with a few files. `files` has their texts by path. The files in `executable` have the executable bit. */
export function machine(
  files: Readonly<Record<string, string>> = {},
  more: Partial<DialectContext> & { readonly executable?: readonly string[] } = {},
): DialectContext {
  const { executable = ['/bin/bash', '/bin/sh'], ...places } = more;
  return {
    projectDir: '/srv/app',
    home: '/home/me',
    environment: { PATH: '/bin' },
    platform: 'linux',
    files: {
      isFile: (path) => Object.hasOwn(files, path),
      isExecutable: (path) => executable.includes(path),
      head: (path, bytes) => files[path]?.slice(0, bytes),
    },
    ...places,
  };
}

/** The line of a path is the length of the path, so a diagnostic with a wrong place fails a test. */
export function documentOf(value: unknown, source = 'project', file: string | undefined = '/srv/app/.eca/config.json'): SettingsDocument {
  return { source, value, ...(file === undefined ? {} : { file }), locate: (path) => ({ line: path.length + 1, column: 1 }) };
}

export function parsed(hooks: unknown, context = machine(), document = documentOf({ hooks })): ParsedDocument {
  return eca().parse(document, context);
}

export const action = { type: 'shell', shell: 'true' };

export function hookOf(type: EcaType, fields: Record<string, unknown> = {}, context = machine()): HookDefinition {
  const [hook] = parsed({ guard: { type, actions: [action], ...fields } }, context).hooks;
  if (hook === undefined) throw new Error('the hook was not parsed');
  return hook;
}

/** Returns the stdin of a hook of this type. */
export function stdinOf(type: EcaType, fields: Record<string, unknown> = {}, options: EcaOptions = {}): Record<string, unknown> {
  const invocation = eca(options).invocation(eventOf(ecaTypes[type].eventName, fields), hookOf(type), { A: '1' });
  if (invocation.kind !== 'command') throw new Error('no command');
  return JSON.parse(invocation.stdin);
}

/** Decodes an exit of a hook named "guard". */
export function decoded(printed: Printed, type: EcaType = 'preToolCall', fields: Record<string, unknown> = {}): Decoded {
  return eca().decode(exitOf(printed), eventOf(ecaTypes[type].eventName, fields), hookOf(type));
}
