import type { Decoded, DialectContext, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { type EcaType, ecaTypes } from '../../src/eca/input/event-table.js';
import { type EcaOptions, eca } from '../../src/index.js';
import { eventOf } from '../event-of.js';
import { exitOf, type Printed } from '../printed.js';

/** A machine of a few files, each with its text; those in `executable` have the bit. */
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

/** Every path is on the line that is its length, so that a lost place shows. */
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

/** What a hook of the type is given on stdin. */
export function stdinOf(type: EcaType, fields: Record<string, unknown> = {}, options: EcaOptions = {}): Record<string, unknown> {
  const invocation = eca(options).invocation(eventOf(ecaTypes[type].eventName, fields), hookOf(type), { A: '1' });
  if (invocation.kind !== 'command') throw new Error('no command');
  return JSON.parse(invocation.stdin);
}

/** What an exit of a hook named "guard" means. */
export function decoded(printed: Printed, type: EcaType = 'preToolCall', fields: Record<string, unknown> = {}): Decoded {
  return eca().decode(exitOf(printed), eventOf(ecaTypes[type].eventName, fields), hookOf(type));
}
