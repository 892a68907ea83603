import { absolutePath, expandHome } from '../paths.js';

type Fields = Readonly<Record<string, unknown>>;

/** Arguments of a host's tool that list files to read. In Gemini CLI the entries may be patterns. */
const listKeys = ['paths', 'include'];
const fileKey = 'file_path';

/**
 * If a tool reads several files, writes all of them into `file_path`, one per line. Guards look only there, because
 * the agents' own tools read one file. The list of the host is kept too.
 */
export function withFileLines(input: Fields, cwd: string, home = ''): Fields {
  const files = getListedFiles(input);
  return files.length === 0 ? input : { ...input, [fileKey]: toFileLines(files, cwd, home) };
}

/** Converts a `file_path` that a hook wrote back into the host's list of files. */
export function withoutFileLines(returned: Fields, input: Fields, cwd: string, home = ''): Fields {
  const files = getListedFiles(input);
  if (files.length === 0) return returned;
  const { [fileKey]: written, ...others } = returned;
  const given = Object.hasOwn(input, fileKey) ? { [fileKey]: input[fileKey] } : {};
  if (typeof written !== 'string' || written === toFileLines(files, cwd, home)) return { ...others, ...given };
  const [key = 'paths'] = listKeys.filter((name) => Object.hasOwn(input, name));
  const kept = Object.entries(others).filter(([name]) => !listKeys.includes(name));
  return { ...Object.fromEntries(kept), [key]: written.split('\n') };
}

/** Returns all files that a tool reads. `file_path` may name a file that is not in the list, and a guard must see every file. */
function getListedFiles(input: Fields): string[] {
  const listed = listKeys.flatMap((key) => getTexts(input[key]));
  return listed.length === 0 ? [] : [...listed, ...getTexts(input[fileKey])];
}

function getTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item !== '');
}

function toFileLines(files: readonly string[], cwd: string, home: string): string {
  return files.map((file) => absolutePath(expandHome(file, home), cwd)).join('\n');
}
