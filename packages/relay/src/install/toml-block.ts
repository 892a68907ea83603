const begin = '# tenterhook relay begin';
const end = '# tenterhook relay end';

/** A line that begins or ends a block. */
export const blockMarks: RegExp = /^# tenterhook relay (?:begin|end)/m;

/**
 * Returns a TOML text with a block of the relay at its end, in place of an earlier one with the same name. Without a block, the earlier one
 * is removed, and the text is what it was before. The block of the entries has no name, and nothing else in it belongs to it; the block in
 * which the agent's user accepts the entries of a file has the name of that file.
 */
export function withTomlBlock(text: string, name: string | undefined, block: string | undefined): string {
  const rest = withoutBlock(text, name);
  if (block === undefined) return rest;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [headOf(name), ...block.trimEnd().split('\n'), end].join(lineEnd);
  // A block without a line end says that the text before it had none.
  return rest === '' || rest.endsWith('\n') ? `${rest}${lines}${lineEnd}` : `${rest}${lineEnd}${lines}`;
}

function headOf(name: string | undefined): string {
  return name === undefined ? begin : `${begin}: ${JSON.stringify(name)}`;
}

function withoutBlock(text: string, name: string | undefined): string {
  const head = headOf(name);
  const from = findLine(text, head);
  if (from < 0) return text;
  const to = text.indexOf(end, from);
  const [inside, after] = to < 0 ? [text.slice(from), ''] : [text.slice(from, to), text.slice(to + end.length)];
  const others = name === undefined ? inside.slice(head.length).replace(/^(?:[ \t]*\r?\n)+/, '') : tablesOfOthers(inside, name);
  const kept = others.trim() === '' ? '' : others;
  if (to >= 0 && after === '' && kept === '') return text.slice(0, from).replace(/\r?\n$/, '');
  return `${text.slice(0, from)}${kept}${after.replace(/^\r?\n/, '')}`;
}

function findLine(text: string, line: string): number {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    if ((at === 0 || text[at - 1] === '\n') && /^[ \t]*(?:\r?\n|$)/.test(text.slice(at + line.length, at + line.length + 80))) return at;
  }
  return -1;
}

/**
 * Returns the tables in a block that do not belong to it. A program that adds a table to the end of the file writes it before the last
 * comment, so that it is then in the block. The names of our tables contain the name of the block.
 */
function tablesOfOthers(inside: string, name: string): string {
  const own = `${JSON.stringify(name).slice(0, -1)}:`;
  const [, ...tables] = inside.split(/^(?=[ \t]*\[)/m);
  return tables.filter((table) => !(table.split('\n')[0] as string).includes(own)).join('');
}
