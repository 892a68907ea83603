import { absolutePath } from '../../shared/paths.js';
import { readFilesOfPatch } from '../../shared/relay/patch-files.js';
import { writePatch } from '../tools/patch.js';
import { patchTool } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the text of a patch in the arguments of `apply_patch`, or undefined for any other call. */
export function patchIn({ tool_name: name, tool_input: given }: Fields): string | undefined {
  const { command, input } = (given ?? {}) as Fields;
  const patch = command ?? input;
  return name === patchTool && typeof patch === 'string' ? patch : undefined;
}

/** Returns the patch for one added file whose arguments hooks rewrote. Undefined if the patch does anything else. */
export function rewrittenPatch(patch: string, rewritten: Fields, cwd: string): string | undefined {
  const { files: [only, ...others] = [], hasEnvironment } = readFilesOfPatch(patch) ?? {};
  const { file_path: file, content, ...more } = rewritten;
  if (only?.verb !== 'Add' || others.length > 0 || hasEnvironment === true) return undefined;
  if (typeof file !== 'string' || typeof content !== 'string' || Object.keys(more).length > 0 || /[\r\n]/.test(file)) return undefined;
  return writePatch({ kind: 'write', file: file === absolutePath(only.file, cwd) ? only.file : file, content });
}
