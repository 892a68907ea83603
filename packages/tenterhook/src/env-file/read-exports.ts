/** The variables that hooks have exported. */
export interface EnvFileContent {
  readonly variables: Readonly<Record<string, string>>;
  /** A sentence for each line that cannot be read. The other lines are read. */
  readonly problems: readonly string[];
}

/**
 * Patterns for the parts of a shell value, quoted or unquoted. The shell joins adjacent parts: `a"b"'c'`. Matching takes linear time,
 * because each first character fits only one pattern.
 */
const pieces: readonly (readonly [pattern: RegExp, text: (match: RegExpExecArray) => string])[] = [
  [/[^\s'"\\$`;&|<>()]+/y, ([text]) => text],
  [/'([^']*)'/y, ([, text = '']) => text],
  [/"((?:[^"\\$`]|\\.)*)"/y, ([, text = '']) => text.replace(/\\([\\"$`])/g, '$1')],
  [/\\(.)/y, ([, text = '']) => text],
];

/**
 * Reads the variables of `export NAME=value` lines, and of lines that `export -p` prints. Hooks may write any command into the file.
 * Nothing is expanded or executed, so a line can only set a variable.
 *
 * `util.parseEnv` was rejected. It keeps `$VAR` and backquotes as text, and reports no problems. It reads neither backslashes nor values
 * with several quoted parts (`'it'\''s'`), and `export -p` prints both.
 */
export function readExports(text: string): EnvFileContent {
  const variables = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const read = readLine(line.trim());
    if (typeof read === 'string') problems.push(`Line ${index + 1}: ${read}`);
    else for (const [name, value] of read) variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), problems };
}

/** Reads the assignments of a line. If one of them is invalid, returns a string that describes the problem. */
function readLine(line: string): (readonly [name: string, value: string])[] | string {
  if (line === '' || line.startsWith('#')) return [];
  if (line.includes('\0')) return 'the line contains a NUL character, which is not possible in an environment variable.';
  const head = /^(?:export|declare -x)(?=\s|$)\s*/.exec(line);
  if (head === null) return 'the line does not begin with export; write export NAME=value.';
  const assignments: (readonly [string, string])[] = [];
  let at = head[0].length;
  do {
    const name = matchAt(/([A-Za-z_][A-Za-z0-9_]*)=/y, line, at)?.[1];
    if (name === undefined) return 'the line has no assignment; write export NAME=value.';
    const value = readValue(line, at + name.length + 1);
    if (typeof value === 'string') return value;
    assignments.push([name, value.text]);
    at = value.end + (matchAt(/\s*/y, line, value.end)?.[0].length ?? 0);
  } while (at < line.length && line[at] !== '#');
  return assignments;
}

function readValue(line: string, start: number): { readonly text: string; readonly end: number } | string {
  const texts: string[] = [];
  let at = start;
  while (at < line.length && !/\s/.test(line[at] as string)) {
    const before = at;
    for (const [pattern, textOf] of pieces) {
      const match = matchAt(pattern, line, at);
      if (match === null) continue;
      texts.push(textOf(match));
      at += match[0].length;
      break;
    }
    if (at === before) return problemAt(line, at);
  }
  return { text: texts.join(''), end: at };
}

function problemAt(line: string, at: number): string {
  const [sign, rest] = [line[at] as string, line.slice(at + 1)];
  if (sign === '$' || sign === '`') return `variables and commands are not expanded; write the value, or '${sign}' in single quotes.`;
  if (sign === "'") return 'a quote is opened in the line but not closed.';
  if (sign === '"') {
    const isExpansion = /^(?:[^"\\$`]|\\.)*[$`]/.test(rest);
    return isExpansion
      ? 'variables and commands are not expanded; write the value, or \\$.'
      : 'a quote is opened in the line but not closed.';
  }
  return sign === '\\' ? 'nothing follows its last backslash.' : `${sign} is not quoted; put the value in quotes.`;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}
