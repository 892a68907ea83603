import { isPlainObject } from '@tenterhook/runtime/json';
import { isAbsolute, join } from '../../shared/paths.js';
import type { PathRule } from '../matching/conditions/path-rule.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a call touches what a rule is about. What is not there, or no text, cannot be told to be harmless. */
export function reaches(input: Fields, cwd: string, rule: PathRule): boolean {
  const { file_path: file, notebook_path: notebook, path, pattern, paths, include, edits } = input;
  const ofEdits = Array.isArray(edits) ? edits.filter(isPlainObject).flatMap((edit) => edit['file_path'] ?? []) : [];
  const files = [file, notebook, ...ofEdits].filter((value) => value !== undefined);
  const found = typeof pattern === 'string' && typeof path === 'string' ? [isAbsolute(pattern) ? pattern : join(path, pattern)] : [];
  const lists = [...[paths, include].flatMap((value) => value ?? []), ...found];
  // A search reads all that lies below its folder, which is the working directory where it names none.
  const folder = path ?? (typeof pattern === 'string' ? cwd : undefined);
  if (files.length === 0 && lists.length === 0 && folder === undefined) return true;
  return (
    files.some((value) => typeof value !== 'string' || rule.test(value, cwd)) ||
    [...lists, ...(folder === undefined ? [] : [folder])].some((value) => typeof value !== 'string' || mayHold(value, cwd, rule))
  );
}

/** A pattern may stand for any file below the folder that it begins with. */
function mayHold(value: string, cwd: string, rule: PathRule): boolean {
  const glob = value.search(/[*?[{(!+@\\]/);
  const folder = glob === -1 ? value : value.slice(0, value.lastIndexOf('/', glob) + 1);
  if (glob === -1 && rule.test(value, cwd)) return true;
  const place = folder === '' ? '.' : folder;
  return rule.mayLieBelow(isAbsolute(place) ? place : join(cwd, place));
}
