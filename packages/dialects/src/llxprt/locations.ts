import type { DialectContext, SettingsLocation } from '@tenterhook/protocol';
import { join } from '../settings/file-paths.js';

/** Where a folder holds its settings. */
export const settingsFile = '.llxprt/settings.json';

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
export function claims(file: string, systemFile: string): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  if (path === settingsFile) return { projectDir: '.' };
  if (path.endsWith(`/${settingsFile}`)) return { projectDir: file.slice(0, -settingsFile.length - 1) || '/' };
  return path === withSlashes(systemFile) ? {} : undefined;
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
