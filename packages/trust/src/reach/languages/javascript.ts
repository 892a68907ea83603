import { builtinModules } from 'node:module';

/** The imports of a program, and why the program may run code that is not part of the pin. */
export interface JavaScriptCode {
  /** Specifiers that are paths: `./x`, `../x`, `/x`. */
  readonly paths: readonly string[];
  readonly open: readonly string[];
}

/**
 * A module in quotes. Group 1: the call, if it is one. Group 4: the end of the first argument of the call. The match ends before the
 * quotes, because an import that begins in a string may seem to contain the import that follows the string.
 */
const literal = /\b(?:from|import|((?:require(?:\s*\.\s*resolve)?|import)\s*\())\s*(?=(['"`])((?:(?!\2)[^\n])*)\2(\s*[),])?)/g;

/** Modules of Node that start programs or load code by a name or a text. */
const loaders = new Set('child_process cluster inspector module repl sqlite test vm wasi worker_threads'.split(' '));

const loading: readonly [RegExp, string][] = [
  [/\b(?:require|import)\s*\(\s*(?!['"`\s)])/, 'loads modules by name'],
  // A comment before the name of a module, or an escape in a word, could hide what is loaded.
  [/\b(?:from|import|require|resolve)\s*(?:\(\s*)?\/[*/]|[\w$]\\u|\\u(?:[\da-fA-F]{4}|\{[^}]{0,8}\})[\w$]/, 'loads modules by name'],
  // A name on two lines is not matched by `literal`.
  [/\b(?:from|import|require|resolve)\s*(?:\(\s*)?(?:(['"])(?:(?!\1)[^\n])*\\\r?\n|`[^`\n]*\n)/, 'loads modules by name'],
  [/\brequire\b(?!\s*(?:\.\s*resolve\s*)?\()/, 'loads modules by name'],
  [
    /\bcreateRequire\b|\bgetBuiltinModule\b|\b_load\b|\bmainModule\b|\bprocess\s*\.\s*(?:binding|dlopen)\b|\bimport\s*\.\s*meta\s*\.\s*resolve/,
    'loads modules by name',
  ],
  [/\beval\b|\bFunction\b|\.\s*constructor\b|\[\s*['"`]constructor|\bWebAssembly\b|\bimportScripts\b/, 'runs text as code'],
];

/** Finds the imports of a JavaScript or TypeScript program without running it. */
export function readJavaScript(text: string): JavaScriptCode {
  const open = new Set(loading.flatMap(([pattern, what]) => (pattern.test(text) ? [`It ${what}.`] : [])));
  const paths = new Set<string>();
  for (const [, call, , specifier = '', end] of text.matchAll(literal)) {
    const name = specifier.replace(/^node:/, '').split('/')[0] as string;
    // More of the name may follow, as in `require('./a' + b)`.
    if (/\\|\$\{/.test(specifier) || (call !== undefined && end === undefined)) open.add('It loads modules by name.');
    else if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') paths.add(specifier);
    else if (loaders.has(name)) open.add(`It uses the module ${name} of Node, which starts programs or loads code.`);
    else if (!builtinModules.includes(name))
      open.add(`It imports ${JSON.stringify(specifier.slice(0, 80))}, which is in node_modules or elsewhere.`);
  }
  return { paths: [...paths], open: [...open] };
}
