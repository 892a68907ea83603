/**
 * Changes the pages that TypeDoc writes: removes what is repeated or changes with every name, such as numbered anchors, types that the
 * signature has already, and places of overridden members.
 */

/**
 * `pages`: name, description and text of each. `sections`: what replaces the text about a name. `nameUnions`: replaces unions in a text by
 * their names. Returns the pages with `headings`, the names on each page with their anchors.
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
    // Defaults are written as text: many are sentences, and the tests of the pages would run a block of code.
    .replace(/^#+ Default\n\n```ts\n([\s\S]*?)\n```\n/gm, '**Default** $1\n')
    // Removes the place where a member is overridden or inherited, and what a signature returns if there is no text about it.
    .replace(/^#+ (?:Overrides|Inherited from|Implementation of|Extended by|Implements)\n\n(?:- .*\n|[^#\n].*\n)+\n/gm, '')
    .replace(/^(#+ Returns)\n\n(?!#).*\n(?=\n(?:#|$)|$)/gm, '')
    .replace(/^(#+) Constructor\n\n/gm, '')
    .replace(/^#### (?:Properties|Methods|Constructors|Accessors)\n\n/gm, '');
  return `# API reference: ${name}\n\n${about} [All pages](README.md)\n\n${withSections(nameUnions(body).trim(), sections)}\n`.replace(
    /\n{3,}/g,
    '\n\n',
  );
}

/** Replaces sections. A section begins with its heading, and ends before the next heading of the same or a higher level. */
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

/** Returns the anchor of each name, as repository hosts make it: the second heading with the same text gets a number. */
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

/**
 * Changes links so that they lead to names. A link to a member becomes text, because the number in its anchor changes with every member
 * before it.
 */
function relink({ name, text }, anchors) {
  return text.replace(/(?<!\\)\[((?:`[^`\n]*`|[^\][\n])*)\]\((?:(\w+)\.md)?#([^)]*)\)/g, (_link, label, page = name, slug) => {
    const anchor = anchors.get(page)?.get(slug.replace(/-\d+$/, ''));
    if (anchor === undefined) return label;
    return `[${label}](${page === name ? '' : `${page}.md`}#${anchor})`;
  });
}
