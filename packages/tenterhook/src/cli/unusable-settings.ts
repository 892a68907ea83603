import { type Diagnostic, formatDiagnostic, type ResponseError } from '@tenterhook/protocol';
import type { Hooks } from '../create-hooks.js';
import type { SettingsFlags } from './load-hooks.js';

/** The error of files and extensions that were named and give no hooks at all. Among what is discovered, the others count on. */
export function unusableSettings(hooks: Hooks, flags: SettingsFlags): ResponseError | undefined {
  const unusable = hooks.diagnostics.filter((diagnostic) => isUnusableFile(diagnostic) && wasNamed(diagnostic, flags));
  if (unusable.length === 0) return undefined;
  return {
    code: 'invalid_settings',
    message: unusable.map(formatDiagnostic).join('\n'),
    details: { diagnostics: unusable, issues: unusable.map(({ path = '', message }) => ({ path, message })) },
  };
}

/** The sources of files that are discovered are levels, a word each; those of extensions have a name behind that. */
function wasNamed({ source = '' }: Diagnostic, { settings }: SettingsFlags): boolean {
  return settings !== undefined || source.includes(':');
}

/** A hook that is wrong leaves its siblings running, a file that cannot be read has none. */
function isUnusableFile({ code, severity }: Diagnostic): boolean {
  return severity === 'error' && ['unreadable_file', 'invalid_json', 'invalid_document'].includes(code);
}
