import { execFileSync } from 'node:child_process';

/** The phrases in the first column of the table in docs/contributing/writing.md. */
export function phrasesToAvoid(guide: string): string[] {
  const rows = guide.slice(guide.indexOf('## Phrases to avoid')).matchAll(/^\| (`.*?) \|/gm);
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase));
}

export interface FoundPhrase {
  readonly line: number;
  readonly phrase: string;
}

/** Returns every line that contains a phrase, once for each phrase. A phrase with a line break in it is not found. */
export function findPhrases(text: string, phrases: readonly string[]): FoundPhrase[] {
  const expressions = phrases.map((phrase) => ({
    phrase,
    expression: new RegExp(`(?<![\\w-])${phrase.replace(/\*$/, '\\w*')}(?![\\w-])`, 'i'),
  }));
  return text
    .split('\n')
    .flatMap((line, index) =>
      expressions.filter(({ expression }) => expression.test(line)).map(({ phrase }) => ({ line: index + 1, phrase })),
    );
}

/** Returns pages, sources, tests, examples and scripts. The guide, which lists the phrases, and the test of the list are left out. */
export function writtenFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--', '*.md', '*.ts', '*.mjs', '*.js', '*.py', '*.json', '*.txt'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => !['', 'docs/contributing/writing.md', 'test/docs/writing.test.ts'].includes(file));
}
