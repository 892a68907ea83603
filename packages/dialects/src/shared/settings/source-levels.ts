import type { ParsedSettings } from '@tenterhook/protocol';

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

/** The word of the first of these sources, or levels, that has one; where it stands, as a message names it. */
export function wordOf<Value>(
  speakers: readonly string[],
  all: readonly ParsedSettings[],
  says: (document: ParsedSettings) => Value | undefined,
): { readonly value: Value; readonly where: string } | undefined {
  for (const source of speakers) {
    for (const document of all) {
      if (document.source !== source && levelOf(document.source) !== source) continue;
      const value = says(document);
      if (value !== undefined) return { value, where: whereOf(document) };
    }
  }
  return undefined;
}

export function whereOf({ file, source }: ParsedSettings): string {
  return file ?? `the settings "${source}"`;
}
