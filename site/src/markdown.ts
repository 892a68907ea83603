import MarkdownIt, { type Token } from 'markdown-it';
import { Anchors } from './anchors.js';
import { escapeHtml, highlight } from './highlight.js';

/** A heading of a page, with the text of its section up to the next heading. */
export interface Section {
  readonly anchor: string;
  /** 1 is the title of the page. */
  readonly level: number;
  readonly title: string;
  /** The text as a reader sees it, without code blocks. The search reads it. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Returns the address of a link or an image of the page that is rendered. */
export type LinkResolver = (href: string, kind: 'link' | 'image') => string;

interface Environment {
  readonly resolve: LinkResolver;
}

const markdown = new MarkdownIt({ html: true });
const { rules } = markdown.renderer;

// The policy of the site forbids styles in attributes, and the alignment of a cell is one.
rules['th_open'] = rules['td_open'] = (tokens, index) => {
  const token = tokens[index] as Token;
  const alignment = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1];
  return alignment === undefined ? `<${token.tag}>` : `<${token.tag} class="align-${alignment}">`;
};
// A corner without a text is not a header of its row and column, and a row of such cells is only a form that Markdown demands.
markdown.core.ruler.push('empty headers', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') hideEmptyHead(tokens, index);
    if (!token.type.startsWith('th_')) continue;
    const text = tokens[token.type === 'th_open' ? index + 1 : index - 1];
    if (text?.content === '') token.tag = 'td';
  }
});
// What scrolls sideways must be reachable with the keyboard.
rules['table_open'] = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';
rules['fence'] = rules['code_block'] = (tokens, index) => {
  const { info, content } = tokens[index] as Token;
  const [language = ''] = info.split(' ', 1);
  return codeBlock(content, language, /\bfile=(\S+)/.exec(info)?.[1]);
};
rules['heading_open'] = (tokens, index) => {
  const { tag, attrGet } = tokens[index] as Token;
  return `<${tag} id="${escapeHtml(attrGet.call(tokens[index], 'id') ?? '')}">`;
};
rules['heading_close'] = (tokens, index) => {
  const { tag } = tokens[index] as Token;
  const opened = tokens[index - 2] as Token;
  const anchor = escapeHtml(opened.attrGet('id') ?? '');
  if (tag === 'h1') return '</h1>\n';
  return ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></${tag}>\n`;
};
rules['link_open'] = (tokens, index, options, environment: Environment, self) => {
  const token = tokens[index] as Token;
  token.attrSet('href', environment.resolve(token.attrGet('href') ?? '', 'link'));
  return self.renderToken(tokens, index, options);
};
const renderImage = rules['image'] as NonNullable<typeof rules.image>;
rules['image'] = (tokens, index, options, environment: Environment, self) => {
  const token = tokens[index] as Token;
  token.attrSet('src', environment.resolve(token.attrGet('src') ?? '', 'image'));
  return renderImage(tokens, index, options, environment, self);
};
// Comments mark generated parts, and are for authors.
const withoutComments = (html: string): string => html.replace(/<!--[\s\S]*?-->\n?/g, '');
rules['html_block'] = rules['html_inline'] = (tokens, index) => withoutComments((tokens[index] as Token).content);

/** Renders a page of Markdown. */
export function renderMarkdown(text: string, resolve: LinkResolver): RenderedPage {
  const environment: Environment = { resolve };
  const tokens = markdown.parse(text, environment);
  const sections = sectionsOf(tokens);
  return { html: markdown.renderer.render(tokens, markdown.options, environment), sections };
}

/** Returns the links of a page, each with the heading of level two above it. */
export function linksOf(text: string): { readonly heading: string; readonly href: string }[] {
  let heading = '';
  const tokens = markdown.parse(text, {});
  return tokens.flatMap((token, index) => {
    if (token.type === 'heading_open' && token.tag === 'h2') heading = textOf(tokens[index + 1] as Token);
    const hrefs = (token.children ?? []).flatMap((child) => (child.type === 'link_open' ? [child.attrGet('href') ?? ''] : []));
    return hrefs.map((href) => ({ heading, href }));
  });
}

export function codeBlock(code: string, language: string, file?: string): string {
  const caption = file === undefined ? '' : `<figcaption>${escapeHtml(file)}</figcaption>`;
  return `<figure class="code">${caption}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>\n`;
}

/** Leaves out the head of a table if no cell of it has a text. */
function hideEmptyHead(tokens: Token[], start: number): void {
  const end = tokens.findIndex((token, index) => index > start && token.type === 'thead_close');
  const head = tokens.slice(start, end + 1);
  if (head.every(({ type, content }) => type !== 'inline' || content === '')) tokens.splice(start, head.length);
}

/** Gives each heading its anchor, and returns the sections of the page. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const anchors = new Anchors();
  const sections: { anchor: string; level: number; title: string; text: string }[] = [];
  const above: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = textOf(tokens[index + 1] as Token);
      const anchor = anchors.next(title);
      token.attrSet('id', anchor);
      // The level is how deep the heading is, because generated pages leave out levels, and readers with a screen reader miss them.
      const written = Number(token.tag.slice(1));
      while ((above.at(-1) ?? 0) >= written) above.pop();
      const level = above.push(written);
      for (const edge of [token, tokens[index + 2] as Token]) edge.tag = `h${level}`;
      sections.push({ anchor, level, title, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${section.text === '' ? '' : ' '}${textOf(token)}`;
    }
  }
  return sections;
}

function textOf({ children }: Token): string {
  const parts = (children ?? []).map((child) => {
    if (child.type === 'softbreak' || child.type === 'hardbreak') return ' ';
    return child.type === 'text' || child.type === 'code_inline' ? child.content : '';
  });
  return parts.join('');
}
