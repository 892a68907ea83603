import { absolutePath } from '../tools/absolute-path.js';

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
  return files.length === 0 || Object.hasOwn(input, told) ? input : { ...input, [told]: linesOf(files, cwd) };
}

/** What a hook wrote, as the host's list. */
export function withoutFileLines(returned: Fields, input: Fields, cwd: string): Fields {
  const files = filesIn(input);
  if (files.length === 0 || Object.hasOwn(input, told)) return returned;
  const { [told]: written, ...others } = returned;
  if (typeof written !== 'string' || written === linesOf(files, cwd)) return others;
  const [key] = listKeys.filter((name) => Array.isArray(input[name])) as [string];
  const kept = Object.entries(others).filter(([name]) => !listKeys.includes(name));
  return { ...Object.fromEntries(kept), [key]: written.split('\n') };
}

function filesIn(input: Fields): string[] {
  return listKeys.flatMap((key) => {
    const list = input[key];
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  });
}

function linesOf(files: readonly string[], cwd: string): string {
  return files.map((file) => absolutePath(file, cwd)).join('\n');
}
