import type { ListedHook } from '@tenterhook/engine';
import type { Diagnostic, HookServiceDescription } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { SettingsFile } from '../settings/read/read-settings-file.js';

/** What a service has loaded. */
export interface LoadedService {
  readonly hooks: readonly ListedHook[];
  readonly files: readonly SettingsFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns what a service answers to the query `describe`, and what the note `about` of a recording contains. The commands of hooks are left
 * out, because they can contain secrets.
 */
export function describeService({ hooks, files, diagnostics }: LoadedService): HookServiceDescription {
  return {
    events: [...new Set(hooks.filter(({ state }) => state === 'active').map(({ hook }) => hook.eventName))],
    hooks: hooks.map((listed) => {
      const { id: hookId, name, eventName, dialect, source, matcher, file, line } = listed.hook;
      const off = listed.state === 'off' ? listed.reason : undefined;
      return { hookId, eventName, dialect, source, ...omitUndefined({ name, off, matcher, file, line }) };
    }),
    files: files.map(({ file, source, dialect, state }) => ({ file, source, state, ...omitUndefined({ dialect }) })),
    diagnostics: [...diagnostics],
  };
}
