import type { SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';

/** Those of the files that may be taken for the settings at a location, and are not read. */
export function lookalikesAmong(
  files: readonly string[],
  { source, file: insteadOf }: SettingsLocation,
  isOne: (file: string) => boolean,
): SettingsLookalike[] {
  return files.filter(isOne).map((file) => ({ file, source, insteadOf }));
}
