/** A Markdown document as its tables, lists and fenced blocks, each with the section it stands in; `info` is what stands behind a fence. */
export function markdownParts(text) {
  const parts = [];
  let [section, lead, fence] = ['', '', undefined];
  let previous;
  for (const line of text.split(/\r?\n/)) {
    const last = parts.at(-1);
    if (line.startsWith('```')) {
      if (fence === undefined) {
        fence = [];
        parts.push({ kind: 'block', section, lead, info: line.slice(3).trim(), lines: fence });
      } else fence = undefined;
    } else if (fence !== undefined) fence.push(line);
    else if (/^#+ /.test(line)) {
      section = line.replace(/^#+ /, '').trim();
      lead = '';
    } else if (line.startsWith('|')) {
      if (previous === 'table') last.lines.push(line);
      else parts.push({ kind: 'table', section, lead, lines: [line] });
    } else if (/^- /.test(line)) {
      if (previous === 'list') last.lines.push(line);
      else parts.push({ kind: 'list', section, lead, lines: [line] });
    } else if (line.trim() !== '') {
      // A paragraph that introduces what follows, such as a bold line above a list.
      lead = line.trim();
      parts.push({ kind: 'text', section, lead, lines: [line] });
    }
    previous = fence !== undefined ? 'block' : line.startsWith('|') ? 'table' : /^- /.test(line) ? 'list' : undefined;
  }
  return parts;
}

/** The header and the rows of a table, as cells. */
export function tableCells({ lines }) {
  const [header, , ...rows] = lines.map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  );
  return { header, rows };
}
