import { type Compiled, compilePathGlob, pathVariants } from '@tenterhook/patterns';
import { isAbsolute, join } from '../../settings/file-paths.js';

/** Where the paths of a rule count from. */
export interface RuleRoots {
  /** Absolute; `''` where there is none. */
  readonly home: string;
  readonly projectDir: string;
}

type PathTest = (file: string, cwd: string) => boolean;

export type CompiledPathRule = { readonly ok: true; readonly test: PathTest } | Extract<Compiled, { ok: false }>;

/**
 * A rule about files such as `Edit(src/**)`, as ignore files have it: `//` is the root of the disk, `~/` the home directory, `/` the project;
 * anything else counts from the working directory, where a name without a slash may lie at any depth. A folder stands for all that is in it.
 */
export function compilePathRule(specifier: string, { home, projectDir }: RuleRoots): CompiledPathRule {
  const pattern = specifier.replace(/\/+$/, '');
  if (/^(?:\.\/)?\.\.(?:\/|$)/.test(pattern)) {
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
  };
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
