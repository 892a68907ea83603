import { join, resolve } from 'node:path';
import type { Language } from '../command/findings.js';
import type { Collector } from '../files/collector.js';
import type { Place } from '../files/locate.js';
import { readJavaScript } from '../languages/javascript.js';
import { readPython } from '../languages/python.js';
import { findJavaScriptImport } from './javascript-modules.js';
import { findPythonImport, findShadowingModules } from './python-modules.js';

/** What the walker does with its findings. `From` describes the text in which a reference was found. */
interface ModuleUse<From> {
  readonly addScript: (place: Place, language: Language, from: From) => void;
  readonly openFor: (from: From, reason: string) => void;
}

/** Collects the modules of programs in Python and JavaScript. */
export class ModuleWalker<From> {
  readonly #to: Collector;
  readonly #use: ModuleUse<From>;
  /** The folders in which the imports of a Python module are searched. */
  readonly #roots = new Map<string, readonly string[]>();

  constructor(to: Collector, use: ModuleUse<From>) {
    this.#to = to;
    this.#use = use;
  }

  /** Adds a Python module that is run with `-m`. It is searched in `directories`. */
  addModule(name: string, directories: readonly string[], from: From): void {
    const module = (path: string) => this.#addModuleFile(path, 'python', from, directories);
    for (const root of directories) {
      const folder = join(root, name.split('.')[0] as string);
      if (this.#to.project.isFolder(folder)) this.#to.addFolder(folder);
    }
    const isElsewhere = findPythonImport({ level: 0, module: name, names: ['__main__'] }, directories, undefined, this.#to, module);
    for (const root of directories) findShadowingModules(root, isElsewhere, this.#to, module);
    if (/^(?:pip|pytest|unittest|doctest|venv|ensurepip|pdb|cProfile|profile|trace|timeit|runpy|idlelib|code|site)\b/.test(name)) {
      this.#use.openFor(from, `The Python module ${JSON.stringify(name)} may run code that is not listed.`);
    }
  }

  /** Adds what a Python program refers to. `roots`: the folders that Python searches first. `file`: undefined for code in a word. */
  addPython(text: string, roots: readonly string[], file: string | undefined, from: From): void {
    const { imports, open } = readPython(text);
    for (const reason of open) this.#use.openFor(from, reason);
    // Python searches modules in the folder of the script that was started, not in the folder of the importing module.
    const searched = (file === undefined ? undefined : this.#roots.get(file)) ?? roots;
    const module = (path: string) => this.#addModuleFile(path, 'python', from, searched);
    const elsewhere = imports.filter((one) => findPythonImport(one, searched, file, this.#to, module));
    // A program without imports is searched too, because Python itself imports modules, for example to print an error.
    for (const root of searched)
      if (!this.#to.isCovered(join(root, 'x'))) findShadowingModules(root, elsewhere.length > 0, this.#to, module);
  }

  #addModuleFile(path: string, language: Language, from: From, roots?: readonly string[]): void {
    const place = this.#to.locate(path);
    if (place?.stats?.isFile() !== true) return;
    if (roots !== undefined && !this.#roots.has(place.path)) this.#roots.set(place.path, roots);
    if (/\.(?:so|pyd|pyc|pyo|node|wasm)$/.test(path)) {
      this.#to.addFile(place, false);
      this.#to.openFor(
        `${JSON.stringify(this.#to.project.relative(path) ?? path)}: The file is compiled. It is unknown which files it loads.`,
      );
    } else if (path.endsWith('.json')) this.#to.addFile(place, false);
    else this.#use.addScript(place, language, from);
  }

  /** Adds what a program in JavaScript refers to. `bases`: the folders of its relative imports. */
  addJavaScript(text: string, bases: readonly string[], from: From): void {
    const { paths, open } = readJavaScript(text);
    for (const reason of open) this.#use.openFor(from, reason);
    for (const base of bases) for (const path of paths) this.addSpecifier(resolve(base, path), from);
  }

  /** Adds the file that a specifier names. Returns whether there is such a file. */
  addSpecifier(path: string, from: From): boolean {
    let isFound = false;
    findJavaScriptImport(path, this.#to, (file) => {
      isFound = true;
      this.#addModuleFile(file, 'javascript', from);
    });
    return isFound;
  }
}
