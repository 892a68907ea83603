import type { DialectContext, SettingsLocation } from '@tenterhook/protocol';

/** Project, user, system (decision 24); extensions have no file. Paths are joined as text, because a dialect touches no node: module. */
export function locations(context: DialectContext, systemFile: string): SettingsLocation[] {
  return [
    { source: 'project', file: join(context.projectDir, '.llxprt/settings.json') },
    { source: 'user', file: join(context.home, '.llxprt/settings.json') },
    { source: 'system', file: systemFile },
  ];
}

/** A file is LLxprt's when it lies where LLxprt would look; it belongs to the project whose `.llxprt` folder holds it. */
export function claims(file: string): { projectDir?: string } | undefined {
  const path = file.replaceAll('\\', '/');
  const tail = '.llxprt/settings.json';
  if (path === tail) return { projectDir: '.' };
  if (path.endsWith(`/${tail}`)) return { projectDir: file.slice(0, -tail.length - 1) || '/' };
  return path.endsWith('/llxprt-code/settings.json') ? {} : undefined;
}

export function join(folder: string, file: string): string {
  return folder.endsWith('/') ? `${folder}${file}` : `${folder}/${file}`;
}
