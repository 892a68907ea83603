import type { DialectContext, SettingsLocation } from '@tenterhook/protocol';
import { claimedByPlace, join, withSlashes } from '../shared/paths.js';

/** The folder of a project, or of the home directory, that holds its settings. */
export const folder = '.llxprt';
const settingsFile = `${folder}/settings.json`;

/** Project, user, system (decision 24); extensions have no file. */
export function locations(context: DialectContext, systemFile: string): SettingsLocation[] {
  return [
    { source: 'project', file: join(context.projectDir, settingsFile) },
    { source: 'user', file: join(context.home, settingsFile) },
    { source: 'system', file: systemFile },
  ];
}

/**
 * A file is LLxprt's when it lies where LLxprt would look; it belongs to the project whose `.llxprt` folder holds it. The system has one
 * file: another one in a folder of the same name may be anybody's.
 */
export function claims(file: string, systemFile: string): { readonly projectDir?: string } | undefined {
  return claimedByPlace(file, settingsFile) ?? (withSlashes(file) === withSlashes(systemFile) ? {} : undefined);
}
