/** Members of TypeScript declarations, and fields of the JSON-like sketches, as rows: where one stands, and its whole text, comment included. */

/** Every interface, enum, class and union of a document, one row a member; `path` begins with the name of the declaration. */
export function declarationRows(text) {
  const rows = [];
  for (const match of text.matchAll(/^(interface|enum|class|type) (\w+)([^{=\n]*)(\{|=)/gm)) {
    const [head, kind, name, clause, opener] = match;
    const start = match.index + head.length;
    if (opener === '=') {
      const end = text.indexOf(';', start);
      for (const alternative of text.slice(start, end).split('|')) {
        rows.push({ path: [name, alternative.trim().replaceAll("'", '')], text: `type ${name} | ${alternative}` });
      }
      continue;
    }
    const parent = /(?:extends|implements) (\w+)/.exec(clause);
    if (parent !== null) rows.push({ path: [name, `is-a-${parent[1]}`], text: `${kind} ${name} ${clause}` });
    rows.push(...memberRows(bodyFrom(text, start), [name], kind === 'enum' ? ',' : ';'));
  }
  return rows;
}

/** The fields of a sketch such as `{ "model": "…", "config": { … } }`. */
export function sketchRows(text) {
  return memberRows(bodyFrom(text, text.indexOf('{') + 1), [], ',');
}

/** A member is a row, and so is each member of an object type inside it; what a method takes and returns belongs to its row. */
function memberRows(body, path, separator) {
  return split(body, separator).flatMap((member) => {
    const bare = withoutComments(member).trim();
    const name = /^\[?"?(\w+)/.exec(bare)?.[1];
    if (name === undefined) return [];
    const own = { path: [...path, name], text: member };
    if (/^\w+\(/.test(bare)) return [own];
    const inner = bare.indexOf('{');
    return inner === -1 ? [own] : [own, ...memberRows(bodyFrom(bare, inner + 1), own.path, separator)];
  });
}

/** Text cut at the separators that stand outside of brackets, comments and quoted texts; a comment behind a separator on the same line belongs before it. */
function split(text, separator) {
  const parts = [];
  let [start, depth, index] = [0, 0, 0];
  while (index < text.length) {
    const skipped = skippedAt(text, index);
    if (skipped > 0) {
      index += skipped;
      continue;
    }
    const char = text[index];
    if ('{[('.includes(char)) depth += 1;
    if ('}])'.includes(char)) depth -= 1;
    index += 1;
    if (char !== separator || depth > 0) continue;
    index += /^[^\S\n]*\/\/.*/.exec(text.slice(index))?.[0].length ?? 0;
    parts.push(text.slice(start, index));
    start = index;
  }
  return [...parts, text.slice(start)];
}

/** What stands between an opening brace, just passed, and the one that closes it. */
function bodyFrom(text, start) {
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    const skipped = skippedAt(text, index);
    if (skipped > 0) index += skipped - 1;
    else if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return text.slice(start, index);
  }
  return text.slice(start);
}

/** How long the comment, or the quoted text, is that begins here; brackets and separators in it are none. */
function skippedAt(text, index) {
  if (text[index] === '"') return (/^"[^"\n]*"/.exec(text.slice(index))?.[0] ?? '"').length;
  if (text.startsWith('/*', index)) return text.indexOf('*/', index) + 2 - index;
  return text.startsWith('//', index) ? /^.*/.exec(text.slice(index))[0].length : 0;
}

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
