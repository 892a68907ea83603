import { combineSettings } from '@tenterhook/engine/internal';
import type { CombinedSettings, Dialect, DialectContext, ParsedSettings } from '@tenterhook/protocol';

/** A machine without files. */
export const noMachine: DialectContext = {
  projectDir: '/srv/project',
  home: '/home/u',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

/** The settings of a source, as read from a file of its name. Every path is on the line that is its length, so that a lost place shows. */
export function settingsAt(dialect: Dialect, source: string, value: unknown): ParsedSettings {
  const file = `/srv/${source}.json`;
  const document = { source, file, value, locate: (path: readonly (string | number)[]) => ({ line: path.length + 1, column: 1 }) };
  return { source, file, locate: document.locate, ...dialect.parse(document, noMachine) };
}

/** The hooks of one dialect, as the registry combines them. */
export function combineOne(dialect: Dialect, parsed: readonly ParsedSettings[]): CombinedSettings {
  return combineSettings([{ dialect, parsed }]);
}

/** The sources of the hooks that are on. */
export function sourcesOn({ hooks }: CombinedSettings): string[] {
  return hooks.filter(({ skip }) => skip === undefined).map(({ source }) => source);
}
