/**
 * Whose a file is whose place tells: `settingsFile` is relative to a project (`.llxprt/settings.json`), which is the one that holds it. A folder
 * of the same name that is no project, the home directory, is its own project.
 */
export function claimedByPlace(file: string, settingsFile: string): { readonly projectDir: string } | undefined {
  const path = withSlashes(file);
  if (path === settingsFile) return { projectDir: '.' };
  return path.endsWith(`/${settingsFile}`) ? { projectDir: file.slice(0, -settingsFile.length - 1) || '/' } : undefined;
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
