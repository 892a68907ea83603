const begin = '# tenterhook relay begin: ';
const end = '# tenterhook relay end';

/**
 * Returns a TOML text with a block of the relay at its end, in place of an earlier one with the same name. Without a block, the earlier one
 * is removed, and the text is what it was before.
 */
export function withTomlBlock(text: string, name: string, block: string | undefined): string {
  const rest = withoutBlock(text, name);
  if (block === undefined) return rest;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [`${begin}${JSON.stringify(name)}`, ...block.trimEnd().split('\n'), end].join(lineEnd);
  // A block without a line end says that the text before it had none.
  return rest === '' || rest.endsWith('\n') ? `${rest}${lines}${lineEnd}` : `${rest}${lineEnd}${lines}`;
}

function withoutBlock(text: string, name: string): string {
  const head = `${begin}${JSON.stringify(name)}`;
  const from = text.indexOf(head);
  if (from < 0) return text;
  const to = text.indexOf(end, from);
  const [inside, after] = to < 0 ? [text.slice(from), ''] : [text.slice(from, to), text.slice(to + end.length)];
  const kept = tablesOfOthers(inside, name);
  if (to >= 0 && after === '' && kept === '') return text.slice(0, from).replace(/\r?\n$/, '');
  return `${text.slice(0, from)}${kept}${after.replace(/^\r?\n/, '')}`;
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
