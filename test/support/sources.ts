import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** A source file and its imports. */
export interface SourceFile {
  /** The path relative to the repository, with forward slashes. */
  readonly file: string;
  readonly package: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly string[];
}

/** Every hand-written source file of the packages. */
export function sourceFiles(): SourceFile[] {
  return filesIn('src', ['.ts']);
}

/** The files of pages for a browser. A package bundles its page, so what a page imports is a dependency of the package. */
export function pageFiles(): SourceFile[] {
  return filesIn('page', ['.ts', '.tsx']);
}

function filesIn(folder: string, extensions: readonly string[]): SourceFile[] {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const directory = join(root, 'packages', name, folder);
    if (folder !== 'src' && !existsSync(directory)) return [];
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => extensions.some((extension) => file.endsWith(extension)))
      .map((file) => {
        const path = join(directory, file);
        const text = readFileSync(path, 'utf8');
        return { file: relative(root, path), package: name, text, lines: text.split('\n').length - 1, imports: importsOf(text) };
      });
  });
}

/** The file that a relative import means; undefined for the import of a package. */
export function importedFile(from: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return relative(root, join(root, dirname(from.file), specifier.replace(/\.js$/, '.ts')));
}

function importsOf(text: string): string[] {
  const statements =
    /^\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)|\brequire\('([^']+)'\)/gm;
  return [...text.matchAll(statements)].map((match) => (match[1] ?? match[2] ?? match[3] ?? match[4]) as string);
}
