import { isPlainObject } from '@tenterhook/runtime/json';
import { absolutePath } from '../paths.js';

type Fields = Readonly<Record<string, unknown>>;

interface FilePart {
  readonly verb: 'Add' | 'Update' | 'Delete';
  readonly file: string;
  readonly movedTo?: string;
  readonly lines: readonly string[];
}

/**
 * Takes a call of the tool `apply_patch` apart: each file of the patch is a call of the tool that would change it. A deleted file is a write
 * of nothing with `deleted`, and a moved file is both deleted and changed. A patch that cannot be read stays one call.
 */
export function partsOfPatch(call: Fields, patch: string | undefined): readonly Fields[] {
  const cwd = typeof call['cwd'] === 'string' ? call['cwd'] : '';
  const { files = [] } = (patch === undefined ? undefined : readFilesOfPatch(patch)) ?? {};
  return files.length === 0 ? [call] : files.flatMap((part) => callsOf(part, cwd)).map((one) => ({ ...call, ...one }));
}

/** The tools that apply a patch, however an agent spells them, and the canonical one that edits. */
const patchTools = /^(?:replace|apply[_-]?patch)$/i;

/**
 * Returns the patches in a call of a tool that edits. The agent reads one of them, and its key is not known: the model can add others. Some
 * models write the patch alone, without a key. The texts of an edit of one file may be patches, and are not applied.
 */
export function patchesIn({ tool_name: name, tool_input: given }: Fields): readonly string[] {
  if (typeof name !== 'string' || !patchTools.test(name)) return [];
  const isOfOneFile = isPlainObject(given) && given['file_path'] !== undefined;
  const texts = Object.entries(isPlainObject(given) ? given : { patch: given });
  return texts.flatMap(([key, text]) => {
    const isOldOrNew = isOfOneFile && (key === 'old_string' || key === 'new_string');
    return !isOldOrNew && typeof text === 'string' && readFilesOfPatch(text) !== undefined ? [text] : [];
  });
}

/** Takes all patches of a call apart. With a file beside the patch, the agent may edit this file or apply the patch. Guards judge both. */
export function partsOfPatches(call: Fields): readonly Fields[] {
  const patches = patchesIn(call);
  const isOfOneFile = isPlainObject(call['tool_input']) && call['tool_input']['file_path'] !== undefined;
  const parts = patches.flatMap((patch) => partsOfPatch(call, patch));
  return isOfOneFile || patches.length === 0 ? [call, ...parts] : parts;
}

function callsOf({ verb, file, movedTo, lines }: FilePart, cwd: string): Fields[] {
  const path = absolutePath(file, cwd);
  const deleted = { tool_name: 'write_file', tool_input: { file_path: path, content: '', deleted: true } };
  if (verb === 'Delete') return [deleted];
  if (verb === 'Add') return [{ tool_name: 'write_file', tool_input: { file_path: path, content: side(lines, '+') } }];
  const target = movedTo === undefined ? path : absolutePath(movedTo, cwd);
  const changed = { file_path: target, old_string: side(lines, '-', ' '), new_string: side(lines, '+', ' ') };
  return [...(movedTo === undefined ? [] : [deleted]), { tool_name: 'replace', tool_input: changed }];
}

/** Returns the lines with one of these marks, without the mark. An empty line is one of context. */
function side(lines: readonly string[], ...marks: readonly string[]): string {
  return lines
    .map((line) => (line === '' ? ' ' : line))
    .filter((line) => marks.includes(line[0] as string))
    .map((line) => line.slice(1))
    .join('\n');
}

/** What a patch does. */
export interface ReadPatch {
  readonly files: readonly FilePart[];
  /** True if the patch names the machine that its files are on. */
  readonly hasEnvironment: boolean;
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/s;
const move = /^\*\*\* Move to: (.+)$/s;

/**
 * Returns the files of a patch, or undefined if a line of it cannot be read. Reads everything that Codex reads: a guard of files would not
 * see the files of a patch that only Codex can read. So white space around a marker does not count, and belongs to no name of a file.
 */
export function readFilesOfPatch(patch: string): ReadPatch | undefined {
  const body = bodyOf(trimmed(patch).split(/\r?\n/));
  if (body === undefined) return undefined;
  const files: { verb: FilePart['verb']; file: string; movedTo?: string; lines: string[] }[] = [];
  let hasEnvironment = false;
  for (const line of body) {
    const current = files.at(-1);
    // A line with a mark belongs to the file, also if the text of a marker follows.
    if (current !== undefined && marks[current.verb].test(line)) {
      current.lines.push(line);
      continue;
    }
    const marker = trimmed(line);
    const [, verb, file] = header.exec(marker) ?? [];
    const [, movedTo] = current?.verb === 'Update' ? (move.exec(line) ?? []) : [];
    if (verb !== undefined && file !== undefined) files.push({ verb: verb as FilePart['verb'], file, lines: [] });
    else if (current !== undefined && movedTo !== undefined) current.movedTo = movedTo;
    else if (current === undefined && marker.startsWith('*** Environment ID:')) hasEnvironment = true;
    else if (current?.verb !== 'Update' || !(marker === '' || marker === '*** End of File' || line.startsWith('@@'))) return undefined;
  }
  return { files, hasEnvironment };
}

/** The beginnings of the lines that belong to a file. */
const marks: Readonly<Record<FilePart['verb'], RegExp>> = { Add: /^\+/, Update: /^(?:[ +-]|$)/, Delete: /(?!)/ };

/** Returns the lines between the first and the last marker. A model may write the patch as a here-document of a shell. */
function bodyOf(lines: readonly string[]): readonly string[] | undefined {
  const isHereDocument = /^<<(['"]?)EOF\1$/.test(lines[0] ?? '') && lines.at(-1)?.endsWith('EOF') === true;
  const [first, ...others] = isHereDocument ? lines.slice(1, -1) : lines;
  const last = others.pop();
  return trimmed(first ?? '') === '*** Begin Patch' && trimmed(last ?? '') === '*** End Patch' ? others : undefined;
}

const space = /^\p{White_Space}$/u;

/**
 * Removes the white space that Codex removes. `trim` of JavaScript keeps some of it. A regular expression for the whole text would need
 * too much time for a long run of spaces.
 */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && space.test(text[from] as string)) from += 1;
  while (to > from && space.test(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}
