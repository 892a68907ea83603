/**
 * Replaces the generated sections of a page, which are between `<!-- generated: name -->` and `<!-- end -->`. It is an error if a
 * section is missing on the page, or if no script generates it: a table must not go missing or become outdated.
 */
export function withSections(file, page, sections) {
  const missing = new Set(Object.keys(sections));
  const text = page.replace(/(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    if (!Object.hasOwn(sections, name)) throw new Error(`${file}: no script generates the section "${name}".`);
    missing.delete(name);
    return `${begin}\n${sections[name].trim()}\n\n${end}`;
  });
  if (missing.size === 0) return text;
  throw new Error(`${file}: the section ${[...missing].map((name) => `"<!-- generated: ${name} -->"`).join(', ')} is missing.`);
}

export function table(columns, rows) {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const code = (text) => `\`${text}\``;

/** Marks a single name such as `tool_input` as code. Sentences are not changed. */
function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
