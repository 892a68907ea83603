import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Findings, Language, Reference } from '../command/findings.js';
import { type HookCommand, readCommand, readShellScript } from '../command/read-command.js';
import { readJavaScript } from '../languages/javascript.js';
import { readPython } from '../languages/python.js';
import { Collector, type ReachedFile } from './collector.js';
import { findJavaScriptImport } from './javascript-modules.js';
import { findKernelFile, type Place } from './locate.js';
import type { ReachProject } from './project.js';
import { findPythonImport, findShadowingModules } from './python-modules.js';

/** The maximum number of directories in which relative paths are looked up. */
const maxDirectories = 8;

/** The number of characters of a first line that every system reads. Linux reads 256 bytes, older versions and other systems half of it. */
const longestFirstLine = 120;

/** The text that refers to something: the command, or a script. */
interface Origin {
  /** How many scripts are between the command and this text. */
  readonly depth: number;
  /** What the reasons of this text begin with: the path of the script. */
  readonly label: string;
  /** `$0` in this text, if it is a shell script. */
  readonly zero?: string | undefined;
  /** Whether bash reads this text. */
  readonly isBash?: boolean;
}

/** Collects what a command reaches, from the command on through the scripts that it starts. */
export function walk(command: HookCommand, cwd: string, variables: Readonly<Record<string, string>>, project: ReachProject): Collector {
  // A shell sets PWD itself.
  const known = { ...variables, PWD: resolve(cwd) };
  let directories: readonly string[] = [];
  for (;;) {
    const walker = new Walker(project, resolve(cwd), known, directories);
    if (/pwd/i.test(command.kind === 'shell' ? command.text : command.args.join(' '))) walker.to.dependsOnDirectory = true;
    walker.addFindings(readCommand(command, known), { depth: 0, label: '' });
    if (walker.directories.length <= Math.max(1, directories.length)) return walker.to;
    // A text that is read later may change the directory in which an earlier one runs: a function may be called after it. So everything is
    // looked up again in all directories. Their number is limited.
    directories = walker.directories;
  }
}

class Walker {
  readonly to: Collector;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #key: string;
  readonly #directories: string[];
  readonly #done = new Set<string>();
  #searched: readonly string[] | undefined;
  /** The folders in which the imports of a Python module are searched. */
  readonly #roots = new Map<string, readonly string[]>();
  /** By process and variable: the texts that set it, and whether its value was followed. */
  readonly #texts = new Map<string, { readonly texts: Set<string>; isConstant: boolean }>();

  /** `directories`: those in which relative paths are looked up besides the working directory. */
  constructor(project: ReachProject, cwd: string, variables: Readonly<Record<string, string>>, directories: readonly string[]) {
    this.to = new Collector(project);
    this.#variables = variables;
    this.#key = JSON.stringify(variables);
    const place = this.to.locate(cwd);
    if (place !== undefined) this.to.addLinks(place);
    this.#directories = [...new Set([place?.path ?? cwd, ...directories])];
  }

  /** The directories in which relative paths were looked up. */
  get directories(): readonly string[] {
    return this.#directories;
  }

  addFindings({ references, open, assigned, constants, written }: Findings, from: Origin): void {
    for (const reason of open) this.to.openFor(from.label + reason);
    this.#noteVariables(assigned, constants, from);
    const isDirectory = ({ use }: Reference) => use === 'directory';
    const isState = (reference: Reference) => (reference.use === 'token' || reference.use === 'operand') && written.has(reference.path);
    for (const reference of references.filter(isDirectory)) this.#add(reference, from);
    for (const reference of references) if (!isDirectory(reference) && !isState(reference)) this.#add(reference, from);
  }

  #add(reference: Reference, from: Origin): void {
    const { use } = reference;
    if (use === 'token' || use === 'operand') this.#addText(reference.path, use === 'operand');
    else if (use === 'script') this.#addStarted(reference, from);
    else if (use === 'program') this.#addProgram(reference.name, from);
    else if (use === 'directory') this.#addDirectory(reference.path);
    else if (use === 'inline') this.#addInline(reference.text, reference.language, from);
    else if (use === 'module') this.#addModule(reference.name, from);
    else this.#addManifests(reference.names, reference.others);
  }

  /** The absolute paths that a path may mean. */
  #candidates(path: string): string[] {
    if (path.includes('\0')) return [];
    return isAbsolute(path) ? [path] : this.#directories.map((directory) => directory + sep + path);
  }

  #addText(path: string, noteAbsent: boolean): void {
    for (const candidate of this.#candidates(path)) {
      if (!noteAbsent && this.#isMissing(path, candidate)) continue;
      const place = this.to.locate(candidate);
      if (place === undefined) return;
      if (!isAbsolute(path) && (noteAbsent || place.stats?.isFile())) this.to.dependsOnDirectory = true;
      const kernelFile = findKernelFile(place);
      if (kernelFile !== undefined) {
        if (!kernelFile.startsWith('/dev/')) this.to.openFor(`The file ${JSON.stringify(kernelFile)} is made by the system.`);
      } else if (place.stats === undefined) {
        if (noteAbsent || place.links.length > 0) this.to.addMissing(place);
      } else if (!place.stats.isDirectory()) this.to.addFile(place, true);
    }
  }

  /** Tests, without looking it up, that a relative path leads to nothing: the folder has no such name. */
  #isMissing(path: string, candidate: string): boolean {
    const name = /^[^/\\]+/.exec(path)?.[0];
    if (name === undefined || name === '.' || name === '..' || process.platform === 'darwin' || process.platform === 'win32') return false;
    return this.to.project.namesIn(candidate.slice(0, -path.length - 1))?.has(name) === false;
  }

  #addStarted({ path, language, isSourced }: Extract<Reference, { use: 'script' }>, from: Origin): void {
    if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
    let isFound = false;
    for (const candidate of this.#candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined) return;
      isFound ||= place.stats !== undefined || place.isLoop;
      const kernelFile = findKernelFile(place);
      if (kernelFile !== undefined)
        this.to.openFor(`${from.label}${JSON.stringify(candidate)} is run, and ${JSON.stringify(kernelFile)} is made by the system.`);
      else if (place.stats === undefined) {
        this.to.addMissing(place);
        if (language === 'javascript') isFound = this.#addSpecifier(candidate, from) || isFound;
      } else if (!place.stats.isDirectory()) this.#addScript(place, language, from, isSourced ? 'sourced' : 'started');
      else if (language !== 'shell' && language !== 'bash' && this.to.project.relative(place.path) !== undefined) {
        this.to.addLinks(place);
        this.to.addFolder(place.path);
        this.to.openFor(`${from.label}The folder ${this.#shown(place.path)} is run. It is unknown which of its files is run first.`);
      }
    }
    // Perhaps the hook writes it from something that is not read as a script.
    if (!isFound) this.to.openFor(`${from.label}${JSON.stringify(path)} is run, and does not exist.`);
  }

  /** A program without a path. Only folders of PATH that lie in the project can hold one of the project. */
  #addProgram(name: string, from: Origin): void {
    for (const folder of this.#searchedFolders()) {
      const place = this.to.locate(folder + sep + name);
      if (place?.stats === undefined) {
        if (place !== undefined) this.to.addMissing(place);
      } else if (place.stats.isFile()) {
        this.to.openFor(`${from.label}The program ${JSON.stringify(name)} is found in the project, by PATH.`);
        this.#addScript(place, undefined, from, 'started');
      }
    }
    if (process.platform === 'win32') this.#addText(name, false);
  }

  /** The folders of PATH in the project. An empty one is the working directory. */
  #searchedFolders(): readonly string[] {
    const folders = (this.#variables['PATH'] ?? '/').split(delimiter);
    if (folders.some((folder) => !isAbsolute(folder))) this.to.dependsOnDirectory = true;
    this.#searched ??= folders
      .map((folder) => (isAbsolute(folder) ? folder : (this.#directories[0] as string) + sep + folder))
      .filter((folder) => this.to.project.relative(this.to.locate(folder)?.path ?? '') !== undefined);
    return this.#searched;
  }

  #addDirectory(path: string): void {
    for (const candidate of this.#candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined || this.#directories.includes(place.path)) continue;
      // A directory that does not exist yet may be made by the hook.
      if (place.stats === undefined ? !path.includes('/') : !place.stats.isDirectory()) continue;
      if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
      this.to.addLinks(place);
      if (this.#directories.length >= maxDirectories) this.to.openFor('The hook changes its directory more often than is followed.');
      else this.#directories.push(place.path);
    }
  }

  /** Adds a script, its folder if it is not a module, and what its text refers to. */
  #addScript(place: Place, language: Language | undefined, from: Origin, how: 'started' | 'sourced' | 'imported'): void {
    const file = this.to.addFile(place, how !== 'imported');
    const relative = this.to.project.relative(place.path);
    if (file === undefined || relative === undefined) return;
    const zero = how === 'sourced' ? from.zero : file.path;
    const key = JSON.stringify([language, file.path, zero, how === 'sourced' && from.isBash]);
    if (this.#done.has(key)) return;
    this.#done.add(key);
    if (/(?:^|\/)node_modules\//.test(relative)) {
      this.to.openFor(`${JSON.stringify(relative)} is a package of node_modules, which is not listed.`);
      return;
    }
    if (from.depth >= this.to.project.limits.depth) {
      this.to.openFor(`The hook reaches files over more than ${this.to.project.limits.depth} others.`);
      return;
    }
    if (how !== 'imported') {
      // A script that is called by a link may look for files beside the link.
      for (const path of [file.path, ...place.links.map((link) => link.path)]) this.to.addFolder(dirname(path));
    }
    const text = this.#textOf(file, relative);
    if (text !== undefined)
      this.#addReferences(
        text,
        file.path,
        language,
        { depth: from.depth + 1, label: `${relative}: `, zero, isBash: how === 'sourced' && from.isBash === true },
        place,
      );
  }

  #textOf(file: ReachedFile, relative: string): string | undefined {
    const bytes = this.to.project.bytesOf(file.path, file.hashed);
    if (bytes === undefined) this.to.openFor(`${relative}: The file is too large to look for what it loads.`);
    else if (!bytes.includes(0)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    else this.to.openFor(`${relative}: The file is not text. It is unknown which files it loads.`);
    return undefined;
  }

  /** Adds what the text of a script refers to. Without a language the first line decides which program reads it. */
  #addReferences(text: string, path: string, language: Language | undefined, from: Origin, place: Place): void {
    if (language === 'python') this.#addPython(text, [dirname(path)], path, from);
    else if (language === 'javascript') this.#addJavaScript(text, [dirname(path)], from);
    else if (language === 'other') this.to.openFor(`${from.label}It is unknown which files the script loads.`);
    else {
      const line = language === undefined ? /^#![ \t]*([^\n]*)/.exec(text)?.[1]?.replace(/[ \t]+$/, '') : undefined;
      // Only blanks and tabs separate the words for the system, which reads no more than the beginning of a long line.
      const [, file, rest = ''] = /^([^ \t]+)[ \t]*(.*)$/s.exec(line ?? '') ?? [];
      if (line !== undefined && (line.length > longestFirstLine || /[^\P{C}\t]|[^\P{Z} ]/u.test(line)))
        this.to.openFor(`${from.label}It is unknown which program reads a script with this first line.`);
      if (file === undefined) {
        this.#addShellScript(text, path, language === 'bash' ? { ...from, isBash: true } : from, place);
        return;
      }
      const command: HookCommand = { kind: 'program', file, args: [...(rest === '' ? [] : [rest]), path] };
      this.addFindings(readCommand(command, this.#variables), from);
    }
  }

  #addShellScript(text: string, path: string, from: Origin, { links }: Place): void {
    const { PWD, ...others } = this.#variables;
    const variables = this.#directories.length > 1 ? others : this.#variables;
    if (/pwd/i.test(text)) this.to.dependsOnDirectory = true;
    // A script that is called by a link sees the path of the link.
    for (const source of new Set([path, ...links.map((link) => link.path)])) {
      const zero = from.zero === path ? source : from.zero;
      const key = JSON.stringify([path, source, zero, from.isBash, this.#key]);
      const read = () => readShellScript(text, { variables, paths: { zero, source }, isBash: from.isBash === true });
      const findings = variables === this.#variables ? this.to.project.remember(key, read) : read();
      const changes = findings.references.some((one) => one.use === 'directory' && one.path !== dirname(source));
      if (changes && this.to.dependsOnDirectory && /\$\{?(?:0|BASH_SOURCE)\b/.test(text.replace(/\bcd\s[^\n;&|]*/g, ''))) {
        this.to.openFor(`${from.label}The script changes its directory and uses $0, which may be relative.`);
      }
      this.addFindings(findings, { ...from, zero });
    }
  }

  /** A script that is sourced can set a variable whose value was followed in another text of the same process. */
  #noteVariables(assigned: ReadonlySet<string>, constants: ReadonlySet<string>, { label, zero = '' }: Origin): void {
    for (const name of assigned) {
      const known = this.#texts.get(`${zero}\0${name}`) ?? { texts: new Set(), isConstant: false };
      known.texts.add(label);
      known.isConstant ||= constants.has(name);
      this.#texts.set(`${zero}\0${name}`, known);
      if (known.isConstant && known.texts.size > 1) this.to.openFor(`The variable ${name} is set in two texts.`);
    }
  }

  #addInline(text: string, language: Language, from: Origin): void {
    this.to.dependsOnDirectory = true;
    if (language === 'python') this.#addPython(text, this.#directories, undefined, from);
    else if (language === 'javascript') this.#addJavaScript(text, this.#directories, from);
    else this.to.openFor(`${from.label}It is unknown which files the code ${JSON.stringify(text.slice(0, 40))} loads.`);
  }

  #addModule(name: string, from: Origin): void {
    this.to.dependsOnDirectory = true;
    const module = (path: string) => this.#addModuleFile(path, 'python', from, this.#directories);
    for (const root of this.#directories) {
      const folder = join(root, name.split('.')[0] as string);
      if (this.to.project.isFolder(folder)) this.to.addFolder(folder);
    }
    findPythonImport({ level: 0, module: name, names: ['__main__'] }, this.#directories, undefined, this.to, module);
    for (const root of this.#directories) findShadowingModules(root, this.to, module);
    if (/^(?:pip|pytest|unittest|doctest|venv|ensurepip|pdb|cProfile|profile|trace|timeit|runpy|idlelib|code|site)\b/.test(name)) {
      this.to.openFor(`${from.label}The Python module ${JSON.stringify(name)} may run code that is not listed.`);
    }
  }

  #addPython(text: string, roots: readonly string[], file: string | undefined, from: Origin): void {
    const { imports, open } = readPython(text);
    for (const reason of open) this.to.openFor(from.label + reason);
    // Modules are searched in the folder of the script that was started, and not in the folder of the module that imports them.
    const searched = (file === undefined ? undefined : this.#roots.get(file)) ?? roots;
    const module = (path: string) => this.#addModuleFile(path, 'python', from, searched);
    for (const one of imports) findPythonImport(one, searched, file, this.to, module);
    if (imports.length === 0) return;
    for (const root of searched) if (!this.to.isCovered(join(root, 'x'))) findShadowingModules(root, this.to, module);
  }

  #addModuleFile(path: string, language: Language, from: Origin, roots?: readonly string[]): void {
    const place = this.to.locate(path);
    if (place?.stats?.isFile() !== true) return;
    if (roots !== undefined && !this.#roots.has(place.path)) this.#roots.set(place.path, roots);
    if (/\.(?:so|pyd|pyc|pyo|node|wasm)$/.test(path)) {
      this.to.addFile(place, false);
      this.to.openFor(`${this.#shown(path)}: The file is compiled. It is unknown which files it loads.`);
    } else if (path.endsWith('.json')) this.to.addFile(place, false);
    else this.#addScript(place, language, from, 'imported');
  }

  #addJavaScript(text: string, bases: readonly string[], from: Origin): void {
    const { paths, open } = readJavaScript(text);
    for (const reason of open) this.to.openFor(from.label + reason);
    for (const base of bases) for (const path of paths) this.#addSpecifier(resolve(base, path), from);
  }

  /** Returns whether there is a file for the specifier. */
  #addSpecifier(path: string, from: Origin): boolean {
    let isFound = false;
    findJavaScriptImport(path, this.to, (file) => {
      isFound = true;
      this.#addModuleFile(file, 'javascript', from);
    });
    return isFound;
  }

  /** A runner reads its manifest in the working directory or the nearest folder above. */
  #addManifests(names: readonly string[], others: readonly string[]): void {
    this.to.dependsOnDirectory = true;
    for (const directory of this.#directories) {
      for (let folder = directory; this.to.project.relative(folder) !== undefined; folder = dirname(folder)) {
        for (const name of names) this.#addText(join(folder, name), folder === directory);
        for (const name of others) this.#addText(join(folder, name), false);
      }
    }
  }

  #shown(path: string): string {
    return JSON.stringify(this.to.project.relative(path) ?? path);
  }
}
