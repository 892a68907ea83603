const begin = '# tenterhook relay begin: ';
const end = '# tenterhook relay end';

/**
 * Returns a TOML text with a block of the relay at its end, in place of an earlier one with the same name. Without a block, the earlier one
 * is removed.
 */
export function withTomlBlock(text: string, name: string, block: string | undefined): string {
  const head = `${begin}${JSON.stringify(name)}`;
  const from = text.indexOf(head);
  const to = text.indexOf(end, from);
  const rest = from < 0 || to < 0 ? text : `${text.slice(0, from)}${text.slice(to + end.length).replace(/^\r?\n/, '')}`;
  if (block === undefined) return rest;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = rest === '' || rest.endsWith('\n') ? '' : lineEnd;
  return `${rest}${gap}${[head, ...block.trimEnd().split('\n'), end, ''].join(lineEnd)}`;
}
