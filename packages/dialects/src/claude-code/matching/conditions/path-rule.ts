import { type Compiled, compilePathGlob, foldCase, pathVariants } from '@tenterhook/patterns';
import { isPlainObject } from '@tenterhook/runtime/json';
import { absolutePath, expandHome, isAbsolute, join } from '../../../shared/paths.js';

/** The directories to which the paths of a rule are relative, and how paths are compared. */
export interface RuleRoots {
  /** An absolute path, or `''` if there is no home directory. */
  readonly home: string;
  readonly projectDir: string;
  /**
   * Whether upper and lower case match in paths and in names of commands. The name of a command is the name of a file, so both
   * follow the same rule.
   */
  readonly ignoreCase: boolean;
}

export interface PathRule {
  readonly test: (file: string, cwd: string) => boolean;
  /** Returns a path of a tool call with `~` replaced by the home directory. */
  readonly expand: (path: string) => string;
  /** Tests whether the rule could match a file in this folder or in a folder below it. The folder is an absolute path. */
  readonly mayLieBelow: (folder: string) => boolean;
}

export type CompiledPathRule = ({ readonly ok: true } & PathRule) | Extract<Compiled, { ok: false }>;

/**
 * Compiles a rule about files such as `Edit(src/**)`. Patterns have the syntax of .gitignore. A pattern for a folder covers all
 * files in the folder. The first characters of the pattern say where it applies:
 * - `//`: the root of the disk.
 * - `~/`: the home directory.
 * - `/`: the project.
 * - Anything else: the working directory. A name without a slash matches there at any depth.
 */
export function compilePathRule(specifier: string, { home, projectDir, ignoreCase }: RuleRoots): CompiledPathRule {
  const pattern = specifier.replace(/\/+$/, '');
  if (pattern === '' || pattern === '.' || (home === '' && pattern.startsWith('~/'))) {
    const message = pattern.startsWith('~')
      ? '"~" cannot be resolved: there is no home directory'
      : `${JSON.stringify(specifier)} does not name a file`;
    return { ok: false, error: { message, remedy: 'Write the path from the project ("/…") or from the root of the disk ("//…").' } };
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) {
    const message = `${JSON.stringify(specifier)} contains "..". The working directory is known only when the event happens, so the path cannot be resolved`;
    return {
      ok: false,
      error: { message, remedy: 'Write the path from the project ("/…"), the home directory ("~/…") or the root of the disk ("//…").' },
    };
  }
  const rooted = resolveRoot(pattern, home, projectDir);
  const isAnywhere = rooted === undefined && !pattern.includes('/');
  // Both pattern and path begin with `./`, so the pattern matches only in the working directory.
  const anchored = rooted ?? (isAnywhere ? `**/${pattern}` : `./${pattern.replace(/^\.\//, '')}`);
  const globs = [anchored, `${anchored}/**`].map((glob) => compilePathGlob(glob, { ignoreCase }));
  const broken = globs.find((glob) => !glob.ok);
  if (broken !== undefined && !broken.ok) return broken;
  const tests = globs.flatMap((glob) => (glob.ok ? [glob.test] : []));
  const toTexts = (path: string): string[] => {
    if (isAnywhere || isAbsolute(path)) return isAnywhere || rooted !== undefined ? [path] : [];
    return rooted === undefined ? [`./${path}`] : [];
  };
  return {
    ok: true,
    test: (file, cwd) =>
      pathVariants(expandHome(file, home), cwd, { ignoreCase })
        .flatMap(toTexts)
        .some((path) => tests.some((test) => test(path))),
    expand: (path) => expandHome(path, home),
    mayLieBelow: (folder) => rooted === undefined || meets(folder, rooted, ignoreCase ? foldCase : (path) => path),
  };
}

/**
 * Tests whether a tool call may touch a file that the rule covers. A path that is missing or not a string counts as a match,
 * because the call may be harmful.
 */
export function reaches(input: Readonly<Record<string, unknown>>, cwd: string, rule: PathRule): boolean {
  const { file_path: file, notebook_path: notebook, path, pattern, paths, include, edits } = input;
  const ofEdits = Array.isArray(edits) ? edits.filter(isPlainObject).flatMap((edit) => edit['file_path'] ?? []) : [];
  const files = [file, notebook, ...ofEdits].filter((value) => value !== undefined);
  const found =
    typeof pattern === 'string' && typeof path === 'string' ? [isAbsolute(rule.expand(pattern)) ? pattern : join(path, pattern)] : [];
  const lists = [...[paths, include].flatMap((value) => value ?? []), ...found];
  // A search tool reads every file in its folder and in the folders below. The default folder is the working directory.
  const folder = path ?? (typeof pattern === 'string' ? cwd : undefined);
  if (files.length === 0 && lists.length === 0 && folder === undefined) return true;
  return (
    files.some((value) => typeof value !== 'string' || rule.test(value, cwd)) ||
    [...lists, ...(folder === undefined ? [] : [folder])].some((value) => typeof value !== 'string' || mayContain(value, cwd, rule))
  );
}

/**
 * Tests whether a glob in a tool's arguments may match a file of the rule. For safety, the glob is treated as if it matched every
 * file below its folder.
 */
function mayContain(written: string, cwd: string, rule: PathRule): boolean {
  const value = rule.expand(written);
  const glob = value.search(/[*?[{(!+@\\]/);
  const folder = glob === -1 ? value : value.slice(0, value.lastIndexOf('/', glob) + 1);
  if (glob === -1 && rule.test(value, cwd)) return true;
  const place = folder === '' ? '.' : folder;
  return rule.mayLieBelow(isAbsolute(place) ? place : join(cwd, place));
}

/** Tests whether one of two folders contains the other. One is `folder`. The other is the part of `pattern` before the first `*`. */
function meets(folder: string, pattern: string, fold: (path: string) => string): boolean {
  const glob = pattern.search(/[*?[{\\]/);
  const fixed = glob === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', glob) + 1);
  const [one, other] = [fixed, folder].map((path) => `${fold(absolutePath(path, '/')).replace(/\/$/, '')}/`) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}

function resolveRoot(pattern: string, home: string, projectDir: string): string | undefined {
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (pattern.startsWith('~/')) return home === '' ? undefined : join(escapeGlob(home), pattern.slice(2));
  return pattern.startsWith('/') ? join(escapeGlob(projectDir), pattern.slice(1)) : undefined;
}

/** Escapes the characters of a folder's name that have a meaning in a glob. */
function escapeGlob(folder: string): string {
  return folder.replace(/[\\*?[\]{},!]/g, '\\$&');
}
