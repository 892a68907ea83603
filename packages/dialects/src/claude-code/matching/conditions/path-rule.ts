import { type Compiled, compilePathGlob, foldCase, pathVariants } from '@tenterhook/patterns';
import { isPlainObject } from '@tenterhook/runtime/json';
import { absolutePath, isAbsolute, join } from '../../../shared/paths.js';

/** The directories against which the paths of a rule are resolved, and how paths are compared. */
export interface RuleRoots {
  /** An absolute path; `''` if there is no home directory. */
  readonly home: string;
  readonly projectDir: string;
  /** Whether paths and names of commands are compared without regard to case. The name of a command is the name of a file. */
  readonly ignoreCase: boolean;
}

export interface PathRule {
  readonly test: (file: string, cwd: string) => boolean;
  /** Tests whether some file in this folder, at any depth, could match. The folder is an absolute path. */
  readonly mayLieBelow: (folder: string) => boolean;
}

export type CompiledPathRule = ({ readonly ok: true } & PathRule) | Extract<Compiled, { ok: false }>;

/**
 * Compiles a rule about files such as `Edit(src/**)`. Patterns have the syntax of .gitignore. `//` is the root of the disk, `~/` the home
 * directory, and `/` the project. Any other pattern is relative to the working directory; there, a name without a slash matches at any
 * depth. A pattern that matches a folder covers all files in it.
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
    const message = `${JSON.stringify(specifier)} leads out of the working directory, which is not known before the event`;
    return {
      ok: false,
      error: { message, remedy: 'Write the path from the project ("/…"), the home directory ("~/…") or the root of the disk ("//…").' },
    };
  }
  const rooted = resolveRoot(pattern, home, projectDir);
  const isAnywhere = rooted === undefined && !pattern.includes('/');
  // Both pattern and path begin with `./`, so that a pattern that is relative to the working directory does not match in other folders.
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
      pathVariants(file, cwd, { ignoreCase })
        .flatMap(toTexts)
        .some((path) => tests.some((test) => test(path))),
    mayLieBelow: (folder) => rooted === undefined || meets(folder, rooted, ignoreCase ? foldCase : (path) => path),
  };
}

/**
 * Tests whether a tool call may touch a file that the rule covers. A missing value, or one that is not a string, matches, because
 * such a call may be harmful.
 */
export function reaches(input: Readonly<Record<string, unknown>>, cwd: string, rule: PathRule): boolean {
  const { file_path: file, notebook_path: notebook, path, pattern, paths, include, edits } = input;
  const ofEdits = Array.isArray(edits) ? edits.filter(isPlainObject).flatMap((edit) => edit['file_path'] ?? []) : [];
  const files = [file, notebook, ...ofEdits].filter((value) => value !== undefined);
  const found = typeof pattern === 'string' && typeof path === 'string' ? [isAbsolute(pattern) ? pattern : join(path, pattern)] : [];
  const lists = [...[paths, include].flatMap((value) => value ?? []), ...found];
  // A search tool reads every file below its folder. If no folder is given, that is the working directory.
  const folder = path ?? (typeof pattern === 'string' ? cwd : undefined);
  if (files.length === 0 && lists.length === 0 && folder === undefined) return true;
  return (
    files.some((value) => typeof value !== 'string' || rule.test(value, cwd)) ||
    [...lists, ...(folder === undefined ? [] : [folder])].some((value) => typeof value !== 'string' || mayContain(value, cwd, rule))
  );
}

/**
 * Tests whether a glob in a tool's arguments may match a file of the rule. It is assumed that it matches any file below the folder that it
 * begins with.
 */
function mayContain(value: string, cwd: string, rule: PathRule): boolean {
  const glob = value.search(/[*?[{(!+@\\]/);
  const folder = glob === -1 ? value : value.slice(0, value.lastIndexOf('/', glob) + 1);
  if (glob === -1 && rule.test(value, cwd)) return true;
  const place = folder === '' ? '.' : folder;
  return rule.mayLieBelow(isAbsolute(place) ? place : join(cwd, place));
}

/** Tests whether a folder contains the folder that a pattern begins with, or is contained in it. */
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
