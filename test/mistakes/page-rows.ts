import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

/** A row of one of the two tables of mistakes on the page. */
export interface PageRow {
  readonly table: 'settings' | 'scripts';
  readonly id: string;
  /** The texts in backticks in its second column. `…` in them is any text. */
  readonly symptoms: readonly string[];
  readonly cause: string;
  readonly fix: string;
}

export const page = 'docs/how-to/why-did-my-hook-not-run.md';

/** The rows of "Mistakes in settings" and "Mistakes in scripts". */
export function readPageRows(): readonly PageRow[] {
  const text = readFileSync(join(root, page), 'utf8');
  return (['settings', 'scripts'] as const).flatMap((table) => {
    const [section = ''] = (text.split(`\n## Mistakes in ${table}\n`)[1] ?? '').split('\n## ');
    return [...section.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map((row) => {
      const [, id, symptom, cause, fix] = row as unknown as [string, string, string, string, string];
      return { table, id, symptoms: codeSpans(symptom), cause, fix };
    });
  });
}

/** Returns the code spans of a cell. A span that contains backticks has two around it. */
function codeSpans(cell: string): string[] {
  return [...cell.matchAll(/``\s?(.+?)\s?``|`([^`]+)`/g)].map((span) => (span[1] ?? span[2]) as string);
}
