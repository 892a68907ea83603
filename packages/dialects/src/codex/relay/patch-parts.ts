import { absolutePath } from '../../shared/paths.js';
import { writePatch } from '../tools/patch.js';
import { patchTool } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

interface FilePart {
  readonly verb: 'Add' | 'Update' | 'Delete';
  readonly file: string;
  readonly movedTo?: string;
  readonly lines: readonly string[];
}

/** Returns the text of a patch in the arguments of `apply_patch`, or undefined for any other call. */
export function patchIn({ tool_name: name, tool_input: given }: Fields): string | undefined {
  const { command, input } = (given ?? {}) as Fields;
  const patch = command ?? input;
  return name === patchTool && typeof patch === 'string' ? patch : undefined;
}

/**
 * Takes a patch apart: each file is a call of the tool that would change it. A deleted file is a write of nothing with `deleted`, and a
 * moved file is both deleted and changed. A patch that cannot be read stays one call of `apply_patch`.
 */
export function partsOfPatch(call: Fields): readonly Fields[] {
  const patch = patchIn(call);
  const files = patch === undefined ? undefined : readFiles(patch);
  if (files === undefined || files.length === 0) return [call];
  const cwd = typeof call['cwd'] === 'string' ? call['cwd'] : '';
  return files.flatMap((part) => callsOf(part, cwd)).map((one) => ({ ...call, ...one }));
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

/** Returns the files of a patch, or undefined if a line of it cannot be read. */
function readFiles(patch: string): readonly FilePart[] | undefined {
  const lines = patch.trim().split(/\r?\n/);
  if (lines[0] !== '*** Begin Patch' || lines.at(-1) !== '*** End Patch') return undefined;
  const files: { verb: FilePart['verb']; file: string; movedTo?: string; lines: string[] }[] = [];
  for (const line of lines.slice(1, -1)) {
    const [, verb, file] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    const current = files.at(-1);
    if (verb !== undefined && file !== undefined) {
      files.push({ verb: verb as FilePart['verb'], file, lines: [] });
      continue;
    }
    if (current === undefined) return undefined;
    const [, movedTo] = /^\*\*\* Move to: (.+)$/.exec(line) ?? [];
    if (movedTo !== undefined && current.verb === 'Update') current.movedTo = movedTo;
    else if (line.startsWith('@@') || line === '*** End of File') continue;
    else if (!(current.verb === 'Add' ? /^\+/ : current.verb === 'Update' ? /^(?:[ +-]|$)/ : /(?!)/).test(line)) return undefined;
    else current.lines.push(line);
  }
  return files;
}

/** Returns the patch for one added file whose arguments hooks rewrote. Undefined if the patch does anything else. */
export function rewrittenPatch(patch: string, rewritten: Fields, cwd: string): string | undefined {
  const [only, ...others] = readFiles(patch) ?? [];
  const { file_path: file, content, ...more } = rewritten;
  if (only?.verb !== 'Add' || others.length > 0 || typeof file !== 'string' || typeof content !== 'string' || Object.keys(more).length > 0)
    return undefined;
  if (/[\r\n]/.test(file)) return undefined;
  return writePatch({ kind: 'write', file: file === absolutePath(only.file, cwd) ? only.file : file, content });
}
