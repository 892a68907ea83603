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

/** Correct phrases that contain one of the list: "there is no file", "is no longer", "is not in the list and not below it". */
const correct = /\bthere(?:\s|\*|\/\/)+(?:is|are|was|were) no\b|\b(?:is|are|was|were) (?:no (?:longer|more|other|such)\b|not )/gi;

/** Returns every line that contains a phrase, once for each phrase. A phrase with a line break in it is not found. */
export function findPhrases(text: string, phrases: readonly string[]): FoundPhrase[] {
  const expressions = phrases.map((phrase) => ({ phrase, expression: toExpression(phrase) }));
  return text
    .replace(correct, (found) => found.replace(/[^\n]/g, '·'))
    .split('\n')
    .flatMap((line, index) =>
      expressions.filter(({ expression }) => expression.test(line)).map(({ phrase }) => ({ line: index + 1, phrase })),
    );
}

function toExpression(phrase: string): RegExp {
  return new RegExp(`(?<![\\w-])${phrase.replace(/\*$/, '\\w*').replace('…', "[^.,;:!?|`']{1,60}?")}(?![\\w-])`, 'i');
}

const patterns = ['*.md', '*.ts', '*.tsx', '*.mjs', '*.js', '*.py', '*.json', '*.txt', '*.sh', '*.yml', '*.yaml', '.ci/*'];

/** Returns pages, sources, tests, examples, scripts and the files of CI. The guide, which lists the phrases, and the test of the list are left out. */
export function writtenFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => !['', 'docs/contributing/writing.md', 'test/docs/writing.test.ts'].includes(file));
}
