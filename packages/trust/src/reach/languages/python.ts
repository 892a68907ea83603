/** An import of Python. */
export interface PythonImport {
  /** The number of dots before the name: 0 for an absolute import. */
  readonly level: number;
  readonly module: string;
  /** The names after `from … import`. They may be names of modules. */
  readonly names: readonly string[];
}

/** The imports of a program, and why the program may run code that is not part of the pin. */
export interface PythonCode {
  readonly imports: readonly PythonImport[];
  readonly open: readonly string[];
}

/** The beginning of a statement that imports, up to the names after `import`. Blanks are single, and there are none around dots. */
const statement = /(?:^|[;:]) ?(?:from([. ]*)((?:[\p{ID_Start}_][\p{ID_Continue}.]*)?) ?\bimport\b ?|import )/gmu;

const isName = /^(?:[\p{ID_Start}_][\p{ID_Continue}.]*|\*)$/u;

/** Parts of a program that load or start code which is known only when the program runs. */
const loading: readonly [RegExp, string][] = [
  [/\bsubprocess\b|\b_posixsubprocess\b|\bpty\b|\bmultiprocessing\b|\bcreate_subprocess_/, 'starts other programs'],
  [/\.\s*(?:system|popen|exec[lv]\w*|spawn[lv]\w*|posix_spawnp?|startfile)\b/, 'starts other programs'],
  [/\bimportlib\b|\b__import__\b|\brunpy\b|\bpkgutil\b|\bzipimport\b|\bimp\b|\b__builtins__\b|\bbuiltins\b/, 'loads modules by name'],
  [/(?<![\w.])(?:exec|eval|compile|execfile)\b(?!\s*=)|\bcodeop?\b\s*\./, 'runs text as code'],
  [/\bgetattr\s*\(\s*(?:os|sys|posix|nt)\b|\bwebbrowser\b|\bsubprocess_(?:shell|exec)\b/, 'starts other programs'],
  [/\bsys\s*\.\s*(?:path|meta_path|path_hooks|modules)\b|\bfrom\s+sys\s+import\b|\bsite\b\s*\./, 'changes where modules are found'],
  [/\.\s*(?:meta_path|path_hooks)\b|\.\s*path\s*\.\s*(?:insert|append|extend)\b|\bimport\s+sys\s+as\b/, 'changes where modules are found'],
  [/\blogging\s*\.\s*config\b|\bfileConfig\b/, 'loads code that a configuration names'],
  [/\bctypes\b|\bcffi\b|\bpickle\b|\bmarshal\b|\bshelve\b|\bdill\b|\bcloudpickle\b/, 'loads code or libraries from data'],
];

/** As `loading`, for what follows `from … import` in a line. One pattern for both would search the rest of the line again and again. */
const loadingNames: readonly [statement: RegExp, names: RegExp, what: string][] = [
  [/\bfrom\s+os\s+import\b([^\n]*)/g, /\*|\bsystem\b|\bpopen\b|\bexec[lv]|\bspawn|\bposix_spawn|\\|\(/, 'starts other programs'],
  [/\bfrom\s+logging\s+import\b([^\n]*)/g, /\bconfig\b/, 'loads code that a configuration names'],
];

/** Modules of Python's library that run files or text. */
const runningModules = new Set(
  'unittest pydoc timeit bdb pdb cProfile profile trace modulefinder zipapp venv ensurepip idlelib lib2to3 tkinter code codeop doctest sqlite3'.split(
    ' ',
  ),
);

/** Finds the imports of a Python program without running it. */
export function readPython(text: string): PythonCode {
  const code = normalized(text);
  const { imports, isUnknown } = importsIn(code);
  const open = new Set(isUnknown ? ['It imports a module whose name cannot be read.'] : []);
  for (const [pattern, what] of loading) if (pattern.test(code)) open.add(`It ${what}.`);
  for (const [from, names, what] of loadingNames)
    if ([...code.matchAll(from)].some(([, rest = '']) => names.test(rest))) open.add(`It ${what}.`);
  for (const { module } of imports)
    if (runningModules.has(module.split('.')[0] as string)) open.add(`It uses ${module}, which runs other code.`);
  if (!isUtf8(text)) open.add('Its encoding is not UTF-8.');
  return { imports, open: [...open] };
}

/**
 * Returns the text as Python reads it: a carriage return ends a line, a backslash joins two lines, and identifiers are in NFKC, also when
 * files are searched. Blanks have no meaning around the dots of a name: `import a . b`.
 */
function normalized(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\\\n', ' ')
    .normalize('NFKC')
    .replace(/[ \t\f]+/g, ' ')
    .replace(/ ?\. ?/g, '.');
}

/**
 * Returns the imports of a program. The text after the beginning of a statement is searched for statements too, because the beginning may
 * be in a string: then the statement that follows the string is the one that Python runs.
 */
function importsIn(code: string): { readonly imports: readonly PythonImport[]; readonly isUnknown: boolean } {
  const imports: PythonImport[] = [];
  const namesAt = createNameReader(code);
  let isUnknown = false;
  for (const { 0: head, 1: dots, 2: module = '', index } of code.matchAll(statement)) {
    const names = namesAt(index + head.length);
    const listed = names === undefined ? [] : namesIn(names);
    isUnknown ||= names === undefined || listed.some((name) => !isName.test(name));
    const known = listed.filter((name) => isName.test(name) && name !== '*');
    if (dots !== undefined) imports.push({ level: dots.replaceAll(' ', '').length, module, names: known });
    else for (const name of known) imports.push({ level: 0, module: name, names: [] });
  }
  return { imports, isUnknown };
}

/**
 * Returns a function for the text of the names after `import`. Undefined: it is unknown where the names end. They end with the line, or
 * with the bracket that closes `(`. Each closing bracket is used once, so that the time does not grow with the square of the brackets.
 */
function createNameReader(code: string): (at: number) => string | undefined {
  // Comments in brackets may contain a bracket. Whether `#` begins a comment depends on strings, which are not read here.
  const masked = code.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
  let last = -1;
  return (at) => {
    if (code[at] !== '(') {
      const line = /[^\n;#:]*/y;
      line.lastIndex = at;
      return line.exec(code)?.[0] ?? '';
    }
    const isInComment = masked[at] !== '(';
    if (at < last) return undefined;
    last = (isInComment ? code : masked).indexOf(')', at);
    if (last === -1) last = code.length;
    const names = (isInComment ? code : masked).slice(at + 1, last);
    return last === code.length || (isInComment && names.includes('#')) ? undefined : names;
  };
}

/**
 * Tests whether the text is what Python reads. In another encoding, the same bytes would be another program. Only the first two lines can
 * declare an encoding.
 */
function isUtf8(text: string): boolean {
  const declared = text.split('\n', 2).flatMap((line) => {
    const comment = line.indexOf('#');
    return comment === -1 ? [] : [...line.slice(comment).matchAll(/coding[:=][ \t]*([-\w.]*)/gi)].map(([, name = '']) => name);
  });
  // Latin-1 differs from UTF-8 only in bytes that are not ASCII.
  const isAscii = !/[^\p{ASCII}]/u.test(text);
  return declared.every((name) => /^(?:utf-?8|ascii)\b/i.test(name) || (isAscii && /^latin-1\b/i.test(name)));
}

function namesIn(list: string): string[] {
  return list
    .replace(/[()]/g, ' ')
    .split(',')
    .map((name) => name.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '');
}
