/** The changelog of all packages, and the entries that changesets add to it. */

const unreleased = '## [Unreleased]';
/** The headings of a version, in their order. */
const headings = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const headingOf = { major: 'Changed', minor: 'Added', patch: 'Fixed' };

/**
 * Returns the changelog with a new version in place of "Unreleased", which stays as an empty section. Entries of changesets are added after
 * those that are there.
 *
 * @param changesets each with its `summary`, in Markdown, and the kind of its highest change. A summary may have headings of a changelog;
 * what is above the first one is under the heading of its kind.
 */
export function withVersion(changelog, version, date, changesets) {
  const [before, after] = splitOnce(changelog, `${unreleased}\n`);
  if (after === undefined) throw new Error(`CHANGELOG.md has no line "${unreleased}". Add it above the newest version.`);
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has version ${version} already.`);
  const end = after.indexOf('\n## [');
  const [body, older] = end < 0 ? [after, ''] : [after.slice(0, end), after.slice(end)];
  const sections = readSections(body, 'Changed');
  for (const { kind, summary } of changesets) {
    for (const [heading, text] of readSections(summary, headingOf[kind]))
      sections.set(heading, joinEntries(sections.get(heading), asEntries(text)));
  }
  const unknown = [...sections.keys()].filter((heading) => !headings.includes(heading));
  if (unknown.length > 0) throw new Error(`The heading "${unknown[0]}" is not one of ${headings.join(', ')}.`);
  if (sections.size === 0) throw new Error('Nothing has changed: there is no changeset, and "Unreleased" in CHANGELOG.md is empty.');
  const written = headings.flatMap((heading) => (sections.has(heading) ? [`### ${heading}\n\n${sections.get(heading)}\n`] : []));
  return `${before}${unreleased}\n\n## [${version}] - ${date}\n\n${written.join('\n')}${older}`;
}

/** Reads a text with headings of level three. */
function readSections(text, first) {
  const sections = new Map();
  let heading = first;
  for (const part of text.split(/^(### .*)$/m)) {
    if (part.startsWith('### ')) heading = part.slice(4).trim();
    else if (part.trim() !== '') sections.set(heading, joinEntries(sections.get(heading), part.trim()));
  }
  return sections;
}

/** A paragraph is an entry. A text that is a list already stays as it is. */
function asEntries(text) {
  if (/^[-*] /.test(text)) return text;
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `- ${paragraph.replaceAll('\n', ' ')}`)
    .join('\n');
}

function joinEntries(earlier, more) {
  return earlier === undefined ? more : `${earlier}\n${more}`;
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
