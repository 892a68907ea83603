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

/** Every line with a phrase in it, once for each phrase. A line break within a phrase hides it. */
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

/** Pages, sources, examples and scripts; not the guide, which lists the phrases. */
export function writtenFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--', '*.md', '*.ts', '*.mjs', '*.js'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && file !== 'docs/contributing/writing.md' && !file.startsWith('test/docs/phrases'))
    .filter((file) => !/(?:^|\/)test\//.test(file));
}
