/** Who may speak for the hooks of a level that says nothing itself, the nearest first. A project is nobody's, and never a user's (decision 25). */
export const levelsAbove: Readonly<Record<string, readonly string[]>> = {
  project: ['user', 'system'],
  user: ['system'],
  extension: ['user', 'system', 'settings'],
};

/** `extension:x` is an extension, `settings:2` are settings. */
export function levelOf(source: string): string {
  return source.split(':')[0] as string;
}

/** Handed to `createHooks` or named on the command line. */
export function isGiven(source: string): boolean {
  return levelOf(source) === 'settings';
}
