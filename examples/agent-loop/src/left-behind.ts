import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { escapeForTerminal } from 'tenterhook';

/** Files that hooks of PreCompress, Notification and SessionEnd write: these events have no answer that anybody acts on, only effects. */
const files = ['history.md', 'notifications.log', 'sessions.log'];

/** Shown because the workspace is removed at the end. */
export function renderLeftBehind(workspace: string): string {
  const sections = files.flatMap((name) => {
    const lines = linesOf(join(workspace, '.llxprt', name));
    return lines.length === 0 ? [] : [`  .llxprt/${name}`, ...lines.map((line) => `    ${escapeForTerminal(line, 100)}`)];
  });
  return [styleText('bold', 'What hooks wrote down'), ...sections].join('\n');
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return []; // The hook did not run.
  }
}
