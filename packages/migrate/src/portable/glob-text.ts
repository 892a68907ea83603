import { compileWildcard } from '@tenterhook/patterns';

export function hasStar(glob: string): boolean {
  return glob.includes('*');
}

/** A text in which `*` stands for any text, as a regular expression that has to match the whole of a name. */
export function regexOfGlob(glob: string): string {
  return glob
    .split('*')
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
}

/** Those of the names that the text fits. No name has a `?` in it, so that none is taken for a wildcard. */
export function fitting(glob: string, names: readonly string[]): readonly string[] {
  return names.filter(compileWildcard(glob));
}

/** `*x*`: what is searched for. */
export function coreOf(glob: string): string {
  return glob.replace(/^\*|\*$/g, '');
}
