/**
 * From the pages that TypeDoc writes, without what repeats itself or changes with every name: numbered anchors, types that the signature has
 * already, places of overridden members.
 */

/**
 * `pages`: name, about and text of each. `sections` gives what replaces the text about a name, and `nameUnions` a text with
 * names in place of unions.
 * Each page gets `headings`, the names on it with their anchors.
 */
export function tidyPages(pages, { nameUnions, sections }) {
  const tidied = pages.map((page) => ({ ...page, text: tidyPage(page, nameUnions, sections) }));
  const anchors = new Map(tidied.map(({ name, text }) => [name, anchorsOf(text)]));
  return tidied.map((page) => ({ ...page, headings: headingsOf(page.text, anchors.get(page.name)), text: relink(page, anchors) }));
}

function headingsOf(text, anchors) {
  const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading.replaceAll('\\', ''));
  return new Map(headings.map((heading) => [heading, anchors.get(slugOf(heading))]));
}

function tidyPage({ name, about, text }, nameUnions, sections) {
  const body = text
    .replace(/^# .*\n/, '')
    .replace(/<a id="[^"]*"><\/a> /g, '')
    .replace(/^\*\*\*\n\n/gm, '')
    // Defaults are sentences as often as code, and a block of code would be run by the tests of the pages.
    .replace(/^#+ Default\n\n```ts\n([\s\S]*?)\n```\n/gm, '**Default** $1\n')
    // Where a member is overridden or inherited, and what a signature returns, if nothing is said about it.
    .replace(/^#+ (?:Overrides|Inherited from|Implementation of|Extended by|Implements)\n\n(?:- .*\n|[^#\n].*\n)+\n/gm, '')
    .replace(/^(#+ Returns)\n\n(?!#).*\n(?=\n(?:#|$)|$)/gm, '')
    .replace(/^(#+) Constructor\n\n/gm, '')
    .replace(/^#### (?:Properties|Methods|Constructors|Accessors)\n\n/gm, '');
  return `# API reference: ${name}\n\n${about} [All pages](README.md)\n\n${withSections(nameUnions(body).trim(), sections)}\n`.replace(
    /\n{3,}/g,
    '\n\n',
  );
}

/** A section begins with its heading, and ends before the next heading of the same or a higher level. */
function withSections(text, sections) {
  return text
    .split(/^(?=###? )/m)
    .map((section) => {
      const name = /^### (\w+)$/m.exec(section)?.[1];
      const replacement = name === undefined ? undefined : sections(name, section);
      return replacement === undefined ? section : `### ${name}\n\n${replacement}\n\n`;
    })
    .join('');
}

/** The anchor of each name, as repository hosts make it: the second heading of the same text gets a number. */
function anchorsOf(text) {
  const seen = new Map();
  const anchors = new Map();
  for (const [, level, heading] of text.matchAll(/^(#+) (.*)$/gm)) {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    if (level === '###' && !anchors.has(slug)) anchors.set(slug, count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Links lead to names; a link to a member becomes text, because the number of its anchor changes with every member before it. */
function relink({ name, text }, anchors) {
  return text.replace(/(?<!\\)\[((?:`[^`\n]*`|[^\][\n])*)\]\((?:(\w+)\.md)?#([^)]*)\)/g, (_link, label, page = name, slug) => {
    const anchor = anchors.get(page)?.get(slug.replace(/-\d+$/, ''));
    if (anchor === undefined) return label;
    return `[${label}](${page === name ? '' : `${page}.md`}#${anchor})`;
  });
}
