/** A change of one file, as the host's tools describe it. */
export type FileChange =
  | { readonly kind: 'write'; readonly file: string; readonly content: string }
  | { readonly kind: 'edit'; readonly file: string; readonly oldText: string; readonly newText: string };

const begin = '*** Begin Patch';
const end = '*** End Patch';

/** Writes a change as a patch of Codex's tool `apply_patch`. */
export function writePatch(change: FileChange): string {
  const lines =
    change.kind === 'write'
      ? [`*** Add File: ${change.file}`, ...linesOf(change.content).map((line) => `+${line}`)]
      : [
          `*** Update File: ${change.file}`,
          '@@',
          ...linesOf(change.oldText).map((line) => `-${line}`),
          ...linesOf(change.newText).map((line) => `+${line}`),
        ];
  return [begin, ...lines, end].join('\n');
}

/**
 * Reads a patch that changes one file in one place. Returns undefined for any other patch: the host's tool could not carry it out as a
 * whole. The lines of a patch do not show whether a text ends with a line break, so every text but an empty one ends with one.
 */
export function readPatch(patch: string): FileChange | undefined {
  const lines = patch.trim().split(/\r?\n/);
  if (lines[0] !== begin || lines.at(-1) !== end) return undefined;
  const [, header = '', ...body] = lines.slice(0, -1);
  const [, verb, file] = /^\*\*\* (Add|Update) File: (.+)$/.exec(header) ?? [];
  if (file === undefined) return undefined;
  if (verb === 'Add') {
    return body.every((line) => line.startsWith('+')) ? { kind: 'write', file, content: textOf(body) } : undefined;
  }
  const hunk = body[0]?.startsWith('@@') ? body.slice(1) : body;
  if (hunk.length === 0 || !hunk.every((line) => /^[ +-]/.test(line))) return undefined;
  const side = (marks: RegExp) => textOf(hunk.filter((line) => marks.test(line)));
  return { kind: 'edit', file, oldText: side(/^[ -]/), newText: side(/^[ +]/) };
}

/** Returns a text without the line break at its end if the original text has none. */
export function withEndOf(text: string, original: unknown): string {
  return typeof original === 'string' && !original.endsWith('\n') ? text.replace(/\n$/, '') : text;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}
