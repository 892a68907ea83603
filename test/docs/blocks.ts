import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

/**
 * A fenced block of a page. Its info string has a language and optional fields: `bash file=guard.sh`, `json stdout=BeforeTool`, `json
 * stdout=preToolCall dialect=eca`.
 */
export interface Block {
  readonly page: string;
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** The name of the file with this content, for the shell lines that follow on the page. */
  readonly file?: string;
  /** The event of a hook that may print this block, by the name in the dialect. */
  readonly stdout?: string;
  /** The format of what the hook prints. @default 'llxprt' */
  readonly dialect?: string;
  /** The text block right after it, which contains its output. */
  readonly prints?: string;
}

const otherFolders = ['node_modules', 'dist', '.turbo', '.git', 'workspace'];

export const pages = pagesIn('.').sort();

/** Every block of every page. */
export const blocks = pages.flatMap(blocksOf);

export const inLanguages = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Lists the pages in a folder. Only some folders are searched: elsewhere, tests create and remove folders at any time. */
function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return otherFolders.includes(entry.name) ? [] : pagesIn(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const fences = [...text.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)];
  return fences.map((fence, index) => {
    const [whole, language, info, body] = fence as unknown as [string, string, string, string];
    const next = fences[index + 1];
    const between = next === undefined ? '' : text.slice(fence.index + whole.length, next.index);
    const prints = next?.[1] === 'text' && next[2] === '' && between.trim() === '' ? { prints: next[3] as string } : {};
    const place = `${page}:${text.slice(0, fence.index).split('\n').length}`;
    return { page, place, language: language || 'none', text: body, ...wordsOf(info), ...prints };
  });
}

/** Returns the files that precede a block on its page. Of two with the same name, the nearer one. */
export function filesAbove(block: Block): ReadonlyMap<string, string> {
  const above = blocks.slice(0, blocks.indexOf(block)).filter(({ page, file }) => page === block.page && file !== undefined);
  return new Map(above.map(({ file, text }) => [file as string, text]));
}

export function commandsOf({ text }: Block): string[] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Compares an output with a page. Times and bars differ from run to run, so any time and any bar match. `…` matches the rest of a line or,
 * alone on a line, any number of lines.
 */
export function isAsShown(shown: string, printed: string): boolean {
  const lines = withoutTimes(shown)
    .split('\n')
    .map((line) => (line === '…' ? '[^]*' : line.split('…').map(escapeRegExp).join('.*')));
  return new RegExp(`^${lines.join('\n').replaceAll('\n[^]*', '(?:\n[^]*)?')}$`).test(withoutTimes(printed));
}

export function withoutTimes(output: string): string {
  return output
    .trimEnd()
    .replace(/[▐▌█]+/g, '')
    .replace(/(?<=\S) {2,}/g, '  ')
    .replace(/\b\d+(?:\.\d+)? m?s\b/g, '0 ms');
}

function wordsOf(info: string): Record<string, string> {
  return Object.fromEntries([...info.matchAll(/(\w+)=(\S+)/g)].map((word) => [word[1] as string, word[2] as string]));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
