import { linkBetween } from '../address.js';
import { escapeHtml } from '../highlight.js';
import type { Section } from '../markdown.js';
import type { NavigationEntry, NavigationGroup } from '../navigation.js';

/**
 * The policy of every page. It is also in the page itself, because a server of static files often cannot be given headers. Everything comes
 * from the site: no script, style, font or image of another host.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export interface SiteFrame {
  readonly navigation: readonly NavigationGroup[];
  readonly titleOf: (page: string) => string;
  readonly addressOfPage: (page: string) => string;
  /** The pages in the order in which a reader goes through them. */
  readonly order: readonly string[];
}

export interface PageContent {
  readonly title: string;
  /** The address of the page, relative to the root of the site. */
  readonly address: string;
  /** The page in the list of pages; undefined for a page that is not in it. */
  readonly page?: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** The path of the site on its server, for the one page that is shown at any address. @default links are relative */
  readonly base?: string;
}

/** Returns a whole page. */
export function layOut(frame: SiteFrame, content: PageContent): string {
  const { address, base, title } = content;
  const link = (to: string) => escapeHtml(base === undefined ? linkBetween(address, to) : `${base}${to}`);
  const root = base ?? link('index.html').replace(/index\.html$/, '');
  const fullTitle = title === 'Tenterhook' ? title : `${title} · Tenterhook`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(fullTitle)}</title>
<link rel="icon" href="${link('assets/icon.svg')}">
<link rel="stylesheet" href="${link('assets/site.css')}">
<script src="${link('assets/site.js')}"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the text</a>
<header class="top">
<a class="brand" href="${link('index.html')}">Tenterhook</a>
<div class="search" role="search" hidden>
<input id="site-search" type="search" role="combobox" aria-label="Search" aria-expanded="false" aria-controls="site-results" aria-autocomplete="list" aria-keyshortcuts="/" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<div id="site-results" class="results" role="listbox" aria-label="Results" hidden></div>
<p class="search-status" role="status"></p>
</div>
<button class="theme" type="button" hidden></button>
<button class="menu" type="button" aria-expanded="false" aria-controls="site-pages" hidden>Pages</button>
</header>
<div class="columns">
<nav id="site-pages" class="pages" aria-label="Pages">
${frame.navigation.map((group, index) => groupHtml(frame, group, `site-group-${index}`, content.page, link)).join('\n')}
</nav>
<main id="site-content" tabindex="-1">
${contentsHtml(content.sections)}
<article>
${content.html}</article>
${neighboursHtml(frame, content.page, link)}
</main>
</div>
</body>
</html>
`;
}

type Linker = (to: string) => string;

function groupHtml(frame: SiteFrame, group: NavigationGroup, id: string, current: string | undefined, link: Linker): string {
  const entries = group.entries.map((entry) => `<li>${entryHtml(frame, entry, current, link)}</li>`);
  return `<p id="${id}">${escapeHtml(group.title)}</p>\n<ul aria-labelledby="${id}">\n${entries.join('\n')}\n</ul>`;
}

function entryHtml(frame: SiteFrame, entry: NavigationEntry, current: string | undefined, link: Linker): string {
  const pageLink = (page: string, title = frame.titleOf(page)) => {
    const marked = page === current ? ' aria-current="page"' : '';
    return `<a href="${link(frame.addressOfPage(page))}"${marked}>${escapeHtml(title)}</a>`;
  };
  const { page, children } = entry;
  if (children.length === 0) return page === undefined ? escapeHtml(entry.title) : pageLink(page);
  const open = current !== undefined && (page === current || children.includes(current)) ? ' open' : '';
  const below = [...(page === undefined ? [] : [pageLink(page, 'Overview')]), ...children.map((child) => pageLink(child))];
  const items = below.map((linked) => `<li>${linked}</li>`);
  return `<details${open}><summary>${escapeHtml(entry.title)}</summary><ul>${items.join('')}</ul></details>`;
}

/** The headings of a page that has several. */
function contentsHtml(sections: readonly Section[]): string {
  const listed = sections.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 3) return '';
  const items = listed.map(({ anchor, level, title }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  return `<details class="contents"><summary>On this page</summary><nav aria-label="On this page"><ul>${items.join('')}</ul></nav></details>`;
}

function neighboursHtml({ order, titleOf, addressOfPage }: SiteFrame, page: string | undefined, link: Linker): string {
  const position = page === undefined ? -1 : order.indexOf(page);
  if (position < 0) return '';
  const neighbour = (other: string | undefined, label: string) =>
    other === undefined ? '' : `<a href="${link(addressOfPage(other))}"><span>${label}</span> ${escapeHtml(titleOf(other))}</a>`;
  return `<nav class="neighbours" aria-label="Before and after this page">${neighbour(order[position - 1], 'Before:')}${neighbour(order[position + 1], 'Next:')}</nav>`;
}
