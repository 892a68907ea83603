import { type Compiled, compilePathGlob, pathVariants } from '@tenterhook/patterns';
import { absolutePath, isAbsolute, join } from '../../../shared/paths.js';

/** Where the paths of a rule count from. */
export interface RuleRoots {
  /** Absolute; `''` where there is none. */
  readonly home: string;
  readonly projectDir: string;
}

export interface PathRule {
  readonly test: (file: string, cwd: string) => boolean;
  /** Whether a file that fits may lie in a folder, or below it. The folder is an absolute path. */
  readonly mayLieBelow: (folder: string) => boolean;
}

export type CompiledPathRule = ({ readonly ok: true } & PathRule) | Extract<Compiled, { ok: false }>;

/**
 * A rule about files such as `Edit(src/**)`, as ignore files have it: `//` is the root of the disk, `~/` the home directory, `/` the project;
 * anything else counts from the working directory, where a name without a slash may lie at any depth. A folder stands for all that is in it.
 */
export function compilePathRule(specifier: string, { home, projectDir }: RuleRoots): CompiledPathRule {
  const pattern = specifier.replace(/\/+$/, '');
  if (pattern === '' || pattern === '.' || (home === '' && pattern.startsWith('~/'))) {
    const message = pattern.startsWith('~') ? 'There is no home directory that "~" could be' : `${JSON.stringify(specifier)} names no file`;
    return { ok: false, error: { message, remedy: 'Write it from the project ("/…") or the root of the disk ("//…").' } };
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) {
    const message = `${JSON.stringify(specifier)} leads out of the working directory, which is known when the event happens`;
    return {
      ok: false,
      error: { message, remedy: 'Write it from the project ("/…"), the home directory ("~/…") or the root of the disk ("//…").' },
    };
  }
  const rooted = rootOf(pattern, home, projectDir);
  const isAnywhere = rooted === undefined && !pattern.includes('/');
  // A dot before both keeps what counts from the working directory from being looked for below other folders.
  const anchored = rooted ?? (isAnywhere ? `**/${pattern}` : `./${pattern.replace(/^\.\//, '')}`);
  const globs = [anchored, `${anchored}/**`].map((glob) => compilePathGlob(glob));
  const broken = globs.find((glob) => !glob.ok);
  if (broken !== undefined && !broken.ok) return broken;
  const tests = globs.flatMap((glob) => (glob.ok ? [glob.test] : []));
  const textsOf = (path: string): string[] => {
    if (isAnywhere || isAbsolute(path)) return isAnywhere || rooted !== undefined ? [path] : [];
    return rooted === undefined ? [`./${path}`] : [];
  };
  return {
    ok: true,
    test: (file, cwd) =>
      pathVariants(file, cwd)
        .flatMap(textsOf)
        .some((path) => tests.some((test) => test(path))),
    mayLieBelow: (folder) => rooted === undefined || meets(folder, rooted),
  };
}

/** Whether a folder holds the one that a pattern begins with, or lies in it. What counts from the working directory may be anywhere. */
function meets(folder: string, pattern: string): boolean {
  const glob = pattern.search(/[*?[{\\]/);
  const fixed = glob === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', glob) + 1);
  const [one, other] = [fixed, folder].map((path) => `${absolutePath(path, '/').replace(/\/$/, '')}/`) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}

function rootOf(pattern: string, home: string, projectDir: string): string | undefined {
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (pattern.startsWith('~/')) return home === '' ? undefined : join(escaped(home), pattern.slice(2));
  return pattern.startsWith('/') ? join(escaped(projectDir), pattern.slice(1)) : undefined;
}

/** A folder's name may hold what means something in a pattern. */
function escaped(folder: string): string {
  return folder.replace(/[\\*?[\]{},!]/g, '\\$&');
}
