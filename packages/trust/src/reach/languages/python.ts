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

const statement =
  /(?:^|[;:])[ \t\f]*(?:from[ \t\f]*(\.[. \t]*)?((?:[\p{ID_Start}_][\p{ID_Continue}.]*)?)[ \t\f]*\bimport\b[ \t\f]*(\([^)]*\)|[^\n;#]*)|import[ \t\f]+([^\n;#]+))/gmu;

const isName = /^(?:[\p{ID_Start}_][\p{ID_Continue}.]*|\*)$/u;

/** Parts of a program that load or start code which is known only when the program runs. */
const loading: readonly [RegExp, string][] = [
  [/\bsubprocess\b|\b_posixsubprocess\b|\bpty\b|\bmultiprocessing\b|\bcreate_subprocess_/, 'starts other programs'],
  [/\.\s*(?:system|popen|exec[lv]\w*|spawn[lv]\w*|posix_spawnp?|startfile)\b/, 'starts other programs'],
  [/\bfrom\s+os\s+import\b[^\n]*(?:\*|\bsystem\b|\bpopen\b|\bexec[lv]|\bspawn|\bposix_spawn|\\|\()/, 'starts other programs'],
  [/\bimportlib\b|\b__import__\b|\brunpy\b|\bpkgutil\b|\bzipimport\b|\bimp\b|\b__builtins__\b|\bbuiltins\b/, 'loads modules by name'],
  [/(?<![\w.])(?:exec|eval|compile|execfile)\b(?!\s*=)|\bcodeop?\b\s*\./, 'runs text as code'],
  [/\bgetattr\s*\(\s*(?:os|sys|posix|nt)\b|\bwebbrowser\b|\bsubprocess_(?:shell|exec)\b/, 'starts other programs'],
  [/\bsys\s*\.\s*(?:path|meta_path|path_hooks|modules)\b|\bfrom\s+sys\s+import\b|\bsite\b\s*\./, 'changes where modules are found'],
  [/\.\s*(?:meta_path|path_hooks)\b|\.\s*path\s*\.\s*(?:insert|append|extend)\b|\bimport\s+sys\s+as\b/, 'changes where modules are found'],
  [/\blogging\s*\.\s*config\b|\bfrom\s+logging\s+import\b[^\n]*\bconfig\b|\bfileConfig\b/, 'loads code that a configuration names'],
  [/\bctypes\b|\bcffi\b|\bpickle\b|\bmarshal\b|\bshelve\b|\bdill\b|\bcloudpickle\b/, 'loads code or libraries from data'],
];

/** Modules of Python's library that run files or text. */
const runningModules = new Set(
  'unittest pydoc timeit bdb pdb cProfile profile trace modulefinder zipapp venv ensurepip idlelib lib2to3 tkinter code codeop doctest sqlite3'.split(
    ' ',
  ),
);

/** Finds the imports of a Python program without running it. */
export function readPython(text: string): PythonCode {
  // Python normalizes identifiers to NFKC, and searches files with the normalized names.
  const code = text.replace(/\\\r?\n/g, ' ').normalize('NFKC');
  const imports: PythonImport[] = [];
  let isUnknown = false;
  for (const [, dots = '', module = '', names = '', plain] of code.matchAll(statement)) {
    const listed = namesIn(plain ?? names);
    isUnknown ||= listed.some((name) => !isName.test(name));
    const known = listed.filter((name) => isName.test(name) && name !== '*');
    if (plain === undefined) imports.push({ level: dots.replace(/[^.]/g, '').length, module, names: known });
    else for (const name of known) imports.push({ level: 0, module: name, names: [] });
  }
  const open = new Set(isUnknown ? ['It imports a module whose name cannot be read.'] : []);
  for (const reason of loading.flatMap(([pattern, what]) => (pattern.test(code) ? [`It ${what}.`] : []))) open.add(reason);
  for (const { module } of imports)
    if (runningModules.has(module.split('.')[0] as string)) open.add(`It uses ${module}, which runs other code.`);
  // With another encoding, the same bytes would be another program.
  if (/^(?:[^\n]*\n)?[^\n]*#[^\n]*coding[:=][ \t]*(?!(?:utf-?8|ascii|latin-1)\b)/i.test(text)) open.add('Its encoding is not UTF-8.');
  return { imports, open: [...open] };
}

function namesIn(list: string): string[] {
  return list
    .replace(/[()]/g, ' ')
    .replace(/#[^\n]*/g, ' ')
    .split(',')
    .map((name) => name.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '');
}
