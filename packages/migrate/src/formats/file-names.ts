import { regexOfGlob } from '../portable/glob-text.js';
import type { GroupMatchers } from './command-groups.js';

/** What stands before the name of a file in its path. */
const folders = '(.*/|.*\\\\)?';

/** Names of files, or whole paths, for a language that is tried on the path. */
export function writeFileNames(globs: readonly string[]): GroupMatchers {
  return { matchers: [`^${folders}(${globs.map(regexOfGlob).join('|')})$`], losses: [] };
}

/** The same backwards: `*` and a separator before a name are what stands before it in any path. */
export function readFileNames(globs: readonly string[]): readonly string[] {
  return [...new Set(globs.map((glob) => /^\*[/\\]([^/\\*]+)$/.exec(glob)?.[1] ?? glob))];
}
