import { absolutePath } from '../shared/paths.js';

type Fields = Readonly<Record<string, unknown>>;

/** Where a host's tool that reads several files has them: names, and in Gemini CLI patterns. */
const listKeys = ['paths', 'include'];
const told = 'file_path';

/**
 * Claude Code reads one file at a time, and guards look for it in `file_path`: several stand there a line each, so that a guard that looks for
 * a name finds it. Left out, all of them would pass unseen. The host's list stays beside it.
 */
export function withFileLines(input: Fields, cwd: string): Fields {
  const files = filesIn(input);
  return files.length === 0 ? input : { ...input, [told]: linesOf(files, cwd) };
}

/** What a hook wrote, as the host's list. */
export function withoutFileLines(returned: Fields, input: Fields, cwd: string): Fields {
  const files = filesIn(input);
  if (files.length === 0) return returned;
  const { [told]: written, ...others } = returned;
  const given = Object.hasOwn(input, told) ? { [told]: input[told] } : {};
  if (typeof written !== 'string' || written === linesOf(files, cwd)) return { ...others, ...given };
  const [key = 'paths'] = listKeys.filter((name) => Object.hasOwn(input, name));
  const kept = Object.entries(others).filter(([name]) => !listKeys.includes(name));
  return { ...Object.fromEntries(kept), [key]: written.split('\n') };
}

/** A file beside the list is one of them: the one that a guard is told must not be another than those that are read. */
function filesIn(input: Fields): string[] {
  const listed = listKeys.flatMap((key) => textsIn(input[key]));
  return listed.length === 0 ? [] : [...listed, ...textsIn(input[told])];
}

function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item !== '');
}

function linesOf(files: readonly string[], cwd: string): string {
  return files.map((file) => absolutePath(file, cwd)).join('\n');
}
