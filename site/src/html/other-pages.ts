import { posix } from 'node:path';
import { escapeHtml } from '../highlight.js';
import { codeBlock } from '../markdown.js';

/** The page of a file that is not Markdown, such as a test to which a page links. */
export function sourceHtml(file: string, text: string): string {
  const [ending] = posix.basename(file).split('.').slice(-1);
  return `<h1>${escapeHtml(file)}</h1>\n${codeBlock(text, ending ?? '')}`;
}

/** The page of a folder: its files, each with its content. */
export function folderHtml(folder: string, files: readonly { readonly name: string; readonly text: string }[]): string {
  const parts = files.map(({ name, text }) => `<h2>${escapeHtml(name)}</h2>\n${codeBlock(text, name.split('.').at(-1) ?? '')}`);
  return `<h1>${escapeHtml(folder)}/</h1>\n${parts.join('')}`;
}

/** The page that a server shows for an address that does not exist. */
export function notFoundHtml(base: string): string {
  return `<h1>Page not found</h1>
<p>There is no page at this address. Search for it, or begin with <a href="${escapeHtml(base)}docs/index.html">the list of all pages</a>.</p>
`;
}
