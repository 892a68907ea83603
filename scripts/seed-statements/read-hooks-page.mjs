import { sketchRows } from './read-declarations.mjs';
import { markdownParts } from './read-markdown.mjs';
import { cellStatements, named, nameOf } from './table-statements.mjs';

const seed = '004';

/** Where one sentence says two things. */
const cuts = / (?=\(top-level)| (?=or exit with)/;

/**
 * ECA's page. It has a single table, and says the rest in lists and sentences, so these are statements as well; each block of its examples is
 * one, under the name of its file.
 */
export function readHooksPage(text) {
  // The blocks of tabs are indented.
  const parts = markdownParts(text.replace(/^ {4}/gm, ''));
  const sections = [...new Set(parts.map(({ section }) => section))];
  return sections.flatMap((section) => {
    const ofSection = parts.filter((part) => part.section === section);
    const sentences = ofSection
      .filter(({ kind, lines }) => kind === 'text' && !lines[0].startsWith('==='))
      .flatMap(({ lines }) => clausesOf(lines));
    return [...named(`${seed}/${nameOf(section)}`, section, sentences), ...ofSection.flatMap(statementsOf)];
  });
}

function statementsOf(part) {
  switch (part.kind) {
    case 'table':
      return cellStatements(`${seed}/${nameOf(part.section)}`, part);
    case 'list':
      return listStatements(part);
    case 'block':
      return part.section === 'Examples' ? [example(part)] : outputFields(part);
    default:
      return [];
  }
}

function listStatements({ section, lines }) {
  if (section === 'Input / Output') return lines.flatMap((line) => inputFields(section, line));
  // Options are the ones that begin with an identifier.
  const options = lines.map((line) => /^- \*\*`(\w+)`\*\*/.exec(line)?.[1]);
  if (options.every((option) => option !== undefined)) {
    return lines.map((text, index) => ({ id: `${seed}/${nameOf(section)}/${options[index]}`, section, text }));
  }
  return named(`${seed}/${nameOf(section)}`, section, clausesOf(lines));
}

/** `- Chat hooks add: `one`, `two` (a remark)`: what stands behind a name belongs to it. A line of another form is a statement as it stands. */
function inputFields(section, line) {
  const [, who, fields] = /^- (.*?)(?: adds?)?: (.*)$/.exec(line) ?? [];
  const found = [...(fields ?? '').matchAll(/`(\w+)`([^`]*)/g)];
  if (found.length === 0) return [{ id: `${seed}/input/${nameOf(line)}`, section, text: line }];
  return found.map(([, name, remark]) => ({
    id: `${seed}/input/${nameOf(who)}/${name}`,
    section,
    text: `${who}: ${name} ${remark.replace(/(,| or) $/, '')}`,
  }));
}

function outputFields({ section, lines }) {
  // What stands inside the value of a field is an example.
  const fields = sketchRows(lines.join('\n')).filter(({ path }) => path.length === 1);
  return fields.map(({ path: [name], text }) => ({ id: `${seed}/output/${name}`, section, text }));
}

/** A block with the file that it is, which stands behind its fence as `title="…"`. */
function example({ section, lead, info, lines }) {
  const file = /title="(.*?)"/.exec(info)?.[1] ?? '';
  const title = /^=== "(.*)"$/.exec(lead)?.[1] ?? lead;
  return { id: `${seed}/examples/${nameOf(title)}/${file.split('/').at(-1)}`, section, text: [file, ...lines].join('\n') };
}

function clausesOf(lines) {
  return lines
    .flatMap((line) => line.split(/(?<=[.;]) /))
    .flatMap((clause) => clause.split(cuts))
    .filter((clause) => clause !== 'Common fields:');
}
