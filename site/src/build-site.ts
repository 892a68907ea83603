import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { buildSync } from 'esbuild';
import { addressOf, linkBetween, type PlaceKind } from './address.js';
import { layOut, type SiteFrame } from './html/layout.js';
import { folderHtml, notFoundHtml, sourceHtml } from './html/other-pages.js';
import { type LinkResolver, type RenderedPage, renderMarkdown } from './markdown.js';
import { navigationOf, readingOrder } from './navigation.js';
import { firstPages, namesIn, readText, root, targetOf } from './repository.js';
import { searchIndexOf } from './search/index-sections.js';

export interface SiteOptions {
  /** The folder into which the site is written. It is emptied first. */
  readonly out: string;
  /** The path of the site on its server, such as `/docs/`. Only the page for addresses that do not exist needs it. */
  readonly base: string;
}

export interface BuiltSite {
  readonly pages: number;
  readonly files: number;
  /** Links that lead nowhere: the page, and the link as it is written. The site is complete if there are none. */
  readonly brokenLinks: readonly string[];
}

interface Page extends RenderedPage {
  readonly text: string;
  readonly title: string;
}

/** Builds the site: every page, what pages link to, and the search index. */
export function buildSite({ out, base }: SiteOptions): BuiltSite {
  const brokenLinks: string[] = [];
  const others = new Map<string, PlaceKind>();
  const pages = new Map<string, Page>();
  const waiting = firstPages();
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (pages.has(file)) continue;
    const page = file;
    const text = readText(page);
    const resolve: LinkResolver = (href) => {
      if (/^[a-z]+:/.test(href)) return href;
      const [path = '', anchor = ''] = href.split('#');
      const target = path === '' ? ({ file: page, kind: 'page' } as const) : targetOf(page, path);
      if (target === undefined) {
        brokenLinks.push(`${page}: ${href}`);
        return href;
      }
      if (target.kind === 'page') waiting.push(target.file);
      else others.set(target.file, target.kind);
      return linkBetween(addressOf(page, 'page'), addressOf(target.file, target.kind), anchor);
    };
    const rendered = renderMarkdown(text, resolve);
    pages.set(page, { ...rendered, text, title: rendered.sections.find(({ level }) => level === 1)?.title ?? page });
  }

  const navigation = navigationOf(pages);
  const frame: SiteFrame = {
    navigation,
    order: readingOrder(navigation),
    titleOf: (page) => pages.get(page)?.title ?? page,
    addressOfPage: (page) => addressOf(page, 'page'),
  };
  emptyFolder(out);
  for (const [page, { title, html, sections }] of pages) {
    const address = addressOf(page, 'page');
    write(out, address, layOut(frame, { title, address, page, html, sections }));
  }
  for (const [file, kind] of others) writeOther(out, frame, file, kind);
  write(out, '404.html', layOut(frame, { title: 'Page not found', address: '404.html', html: notFoundHtml(base), sections: [], base }));
  const indexed = [...pages].map(([page, { sections }]) => ({ address: addressOf(page, 'page'), sections }));
  write(out, 'assets/search-index.json', searchIndexOf(indexed));
  writeAssets(out);
  return { pages: pages.size, files: readdirSync(out, { recursive: true }).length, brokenLinks };
}

function writeOther(out: string, frame: SiteFrame, file: string, kind: PlaceKind): void {
  const address = addressOf(file, kind);
  if (kind === 'image') {
    mkdirSync(dirname(join(out, address)), { recursive: true });
    cpSync(join(root, file), join(out, address));
    return;
  }
  const html = kind === 'folder' ? folderHtml(file, filesIn(file)) : sourceHtml(file, readText(file));
  write(out, address, layOut(frame, { title: file, address, html, sections: [] }));
}

function filesIn(folder: string): { readonly name: string; readonly text: string }[] {
  const names = namesIn(folder).filter((name) => !name.endsWith('/'));
  return names.map((name) => ({ name, text: readText(posix.join(folder, name)) }));
}

/** Writes the style, and the script with the library that searches in one file. */
function writeAssets(out: string): void {
  const page = join(root, 'site/page');
  const assets = join(out, 'assets');
  cpSync(join(root, 'packages/inspector/page/icon.svg'), join(assets, 'icon.svg'));
  // The licence of the library in site.js demands that its text comes with it.
  cpSync(join(root, 'node_modules/minisearch/LICENSE.txt'), join(assets, 'THIRD-PARTY.txt'));
  buildSync({
    entryPoints: [join(page, 'site.ts'), join(page, 'site.css')],
    outdir: assets,
    bundle: true,
    minify: true,
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

/** Empties the folder. A folder that holds anything but a site is left as it is, because the option may be mistyped. */
function emptyFolder(out: string): void {
  if (existsSync(out) && !isSite(out)) {
    throw new Error(`The folder ${out} has files and is not a site. Name an empty folder, or a new one.`);
  }
  rmSync(out, { recursive: true, force: true });
}

function isSite(folder: string): boolean {
  return statSync(folder).isDirectory() && (readdirSync(folder).length === 0 || existsSync(join(folder, 'assets/search-index.json')));
}

function write(out: string, address: string, text: string): void {
  const file = join(out, address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
