import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { escapeForTerminal } from 'tenterhook';

/** Formats the files that hooks have written. They are printed because the workspace is removed at the end. */
export function renderLeftBehind(workspace: string, files: readonly string[]): string {
  const sections = files.flatMap((name) => {
    const lines = linesOf(join(workspace, name));
    return lines.length === 0 ? [] : [`  ${name}`, ...lines.map((line) => `    ${escapeForTerminal(line, 100)}`)];
  });
  return [styleText('bold', 'What hooks wrote down'), ...sections].join('\n');
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return []; // The file does not exist, because the hook did not run.
  }
}
