import { combineSettings } from '@tenterhook/engine/internal';
import type { CombinedSettings, Dialect, DialectContext, ParsedSettings } from '@tenterhook/protocol';

/** A context for a machine without files. */
export const noMachine: DialectContext = {
  projectDir: '/srv/project',
  home: '/home/u',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

/**
 * Parses the settings of a source, as if read from a file with the name of the source. The line of a path is the length of the path, so
 * that a diagnostic without a place is noticed.
 */
export function settingsAt(dialect: Dialect, source: string, value: unknown): ParsedSettings {
  const file = `/srv/${source}.json`;
  const document = { source, file, value, locate: (path: readonly (string | number)[]) => ({ line: path.length + 1, column: 1 }) };
  return { source, file, locate: document.locate, ...dialect.parse(document, noMachine) };
}

/** Combines the hooks of one dialect as the registry does. */
export function combineOne(dialect: Dialect, parsed: readonly ParsedSettings[]): CombinedSettings {
  return combineSettings([{ dialect, parsed }]);
}

/** The sources of the hooks that are switched on. */
export function sourcesOn({ hooks }: CombinedSettings): string[] {
  return hooks.filter(({ skip }) => skip === undefined).map(({ source }) => source);
}
