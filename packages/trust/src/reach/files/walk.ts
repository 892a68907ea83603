import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Findings, Language, Reference } from '../command/findings.js';
import { type HookCommand, readCommand, readShellScript } from '../command/read-command.js';
import { readJavaScript } from '../languages/javascript.js';
import { readPython } from '../languages/python.js';
import { Collector, type ReachedFile } from './collector.js';
import { findJavaScriptImport } from './javascript-modules.js';
import type { Place } from './locate.js';
import type { ReachProject } from './project.js';
import { findPythonImport, findShadowingModules } from './python-modules.js';

/** Where and with what a hook runs, as far as it decides what the hook reaches. */
export interface HookPlace {
  /** The absolute working directory. */
  readonly directory: string;
  /** Variables whose values are known: `HOME`, `PATH`, `CLAUDE_PROJECT_DIR` … */
  readonly variables: Readonly<Record<string, string>>;
}

/** The maximum number of directories in which relative paths are looked up. */
const maxDirectories = 8;
/** Scripts of more bytes are not searched for imports. */
const maxScript = 256 * 1024;

/** Collects what a command reaches, from the command on through the scripts that it starts. */
export function walk(command: HookCommand, { directory, variables }: HookPlace, project: ReachProject): Collector {
  const walker = new Walker(project, resolve(directory), variables);
  walker.start(command);
  return walker.to;
}

class Walker {
  readonly to: Collector;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #directories: string[];
  readonly #done = new Set<string>();
  /** The folders in which the imports of a Python module are searched. */
  readonly #roots = new Map<string, readonly string[]>();

  constructor(project: ReachProject, directory: string, variables: Readonly<Record<string, string>>) {
    this.to = new Collector(project);
    this.#variables = variables;
    const place = this.to.locate(directory);
    if (place !== undefined) this.to.addLinks(place);
    this.#directories = [place?.path ?? directory];
  }

  start(command: HookCommand): void {
    this.#addFindings(readCommand(command, this.#variables), 0, '');
  }

  /** `label` begins the reasons of a script: its path. */
  #addFindings({ references, open }: Findings, depth: number, label: string): void {
    for (const reason of open) this.to.openFor(label + reason);
    const isDirectory = ({ use }: Reference) => use === 'directory';
    for (const reference of references.filter(isDirectory)) this.#add(reference, depth, label);
    for (const reference of references) if (!isDirectory(reference)) this.#add(reference, depth, label);
  }

  #add(reference: Reference, depth: number, label: string): void {
    switch (reference.use) {
      case 'token':
      case 'operand':
        this.#addText(reference.path, reference.use === 'operand');
        return;
      case 'script':
        this.#addStarted(reference.path, reference.language, depth, label);
        return;
      case 'program':
        this.#addProgram(reference.name, depth, label);
        return;
      case 'directory':
        this.#addDirectory(reference.path);
        return;
      case 'inline':
        this.#addInline(reference.text, reference.language, depth, label);
        return;
      case 'module':
        this.#addModule(reference.name, depth, label);
        return;
      case 'manifest':
        this.#addManifests(reference.names, reference.others);
        return;
    }
  }

  /** The absolute paths that a path may mean. */
  #candidates(path: string): string[] {
    if (path.includes('\0')) return [];
    return isAbsolute(path) ? [path] : this.#directories.map((directory) => directory + sep + path);
  }

  #addText(path: string, noteAbsent: boolean): void {
    for (const candidate of this.#candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined) return;
      if (!isAbsolute(path) && (noteAbsent || place.stats?.isFile())) this.to.dependsOnDirectory = true;
      if (isKernelFile(place.path)) {
        if (/^\/(?:proc|sys)\//.test(place.path)) this.to.openFor(`The file ${JSON.stringify(place.path)} is made by the system.`);
      } else if (place.stats === undefined) {
        if (noteAbsent || place.links.length > 0) this.to.addMissing(place);
      } else if (!place.stats.isDirectory()) this.to.addFile(place, true);
    }
  }

  #addStarted(path: string, language: Language | undefined, depth: number, label: string): void {
    if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
    for (const candidate of this.#candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined) return;
      if (isKernelFile(place.path)) this.to.openFor(`${label}${JSON.stringify(place.path)} is run, which is no file.`);
      else if (place.stats === undefined) {
        this.to.addMissing(place);
        if (language === 'javascript') this.#addSpecifier(candidate, depth);
      } else if (place.stats.isDirectory()) {
        this.to.addLinks(place);
        this.to.addFolder(place.path);
        if (this.to.project.relative(place.path) !== undefined && language !== 'shell') {
          this.to.openFor(`${label}The folder ${this.#shown(place.path)} is run, and which of its files begins is not looked up.`);
        }
      } else this.#addScript(place, language, depth, true);
    }
  }

  /** A program without a path. Only folders of PATH that lie in the project can hold one of the project. */
  #addProgram(name: string, depth: number, label: string): void {
    for (const folder of (this.#variables['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':')) {
      const base = isAbsolute(folder) ? folder : join(this.#directories[0] as string, folder);
      const place = isAbsolute(folder) ? this.to.locate(join(base, name)) : undefined;
      if (!isAbsolute(folder) && this.#variables['PATH'] === undefined) continue;
      const found = place ?? this.to.locate(join(base, name));
      if (found === undefined || (this.to.project.relative(found.path) === undefined && found.links.length === 0)) continue;
      if (this.to.project.relative(base) === undefined && this.to.project.relative(found.path) === undefined) continue;
      if (!isAbsolute(folder)) this.to.dependsOnDirectory = true;
      if (found.stats === undefined) this.to.addMissing(found);
      else if (found.stats.isFile()) {
        this.to.openFor(`${label}The program ${JSON.stringify(name)} is found in the project, by PATH.`);
        this.#addScript(found, undefined, depth, true);
      }
    }
    if (process.platform === 'win32') this.#addText(name, false);
  }

  #addDirectory(path: string): void {
    for (const candidate of this.#candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined || this.#directories.includes(place.path)) continue;
      if (place.stats?.isDirectory() !== true && place.stats !== undefined) continue;
      // A directory that does not exist yet may be made by the hook.
      if (place.stats === undefined && !/[/]/.test(path)) continue;
      if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
      this.to.addLinks(place);
      if (this.#directories.length >= maxDirectories) {
        this.to.openFor('The hook changes its directory more often than is followed.');
        return;
      }
      this.#directories.push(place.path);
    }
  }

  /** Adds a script, its folder, and what its text refers to. */
  #addScript(place: Place, language: Language | undefined, depth: number, isStarted: boolean): void {
    const file = this.to.addFile(place, isStarted);
    const relative = this.to.project.relative(place.path);
    if (relative === undefined) return;
    if (file === undefined) return;
    const key = `${language ?? ''} ${file.path}`;
    if (this.#done.has(key)) return;
    this.#done.add(key);
    if (/(?:^|\/)node_modules\//.test(relative)) {
      this.to.openFor(`${JSON.stringify(relative)} is a package of node_modules, which is not listed.`);
      return;
    }
    if (depth >= this.to.project.limits.depth) {
      this.to.openFor(`The hook reaches files over more than ${this.to.project.limits.depth} others.`);
      return;
    }
    if (isStarted) this.to.addFolder(dirname(file.path));
    // The name by which a script is called is a part of what it does, if it looks for files beside itself.
    for (const link of place.links)
      if (isStarted && this.to.project.relative(link.path) !== undefined) this.to.addFolder(dirname(link.path));
    const text = this.#textOf(file, relative);
    if (text !== undefined) this.#addText2(text, file.path, language, depth, `${relative}: `, place);
  }

  #textOf(file: ReachedFile, relative: string): string | undefined {
    const bytes = this.to.project.bytesOf(file.path, file.hashed);
    if (bytes === undefined || bytes.length > maxScript) {
      this.to.openFor(`${relative}: The file has more than ${maxScript} bytes, so its imports are not looked up.`);
      return undefined;
    }
    if (!bytes.subarray(0, 8_192).includes(0)) return Buffer.from(bytes).toString('utf8');
    this.to.openFor(`${relative}: The file is no text, so what it loads is not looked up.`);
    return undefined;
  }

  #addText2(text: string, path: string, language: Language | undefined, depth: number, label: string, place: Place): void {
    if (language === undefined) {
      const line = /^#!\s*([^\n]*)/.exec(text)?.[1]?.trim();
      if (line === undefined || line === '') {
        this.#addText2(text, path, 'shell', depth, label, place);
        return;
      }
      const [, file = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      const command: HookCommand = { kind: 'program', file, args: [...(rest === '' ? [] : [rest]), path] };
      this.#addFindings(readCommand(command, this.#variables), depth + 1, label);
      return;
    }
    if (language === 'shell') {
      this.#addShellScript(text, path, depth, label, place);
      return;
    }
    if (language === 'python') {
      this.#addPython(text, [dirname(path)], path, depth, label);
      return;
    }
    if (language === 'javascript') {
      this.#addJavaScript(text, [dirname(path)], depth, label);
      return;
    }
    this.to.openFor(`${label}What the script loads is not looked up.`);
  }

  #addShellScript(text: string, path: string, depth: number, label: string, { links }: Place): void {
    const { PWD, ...others } = this.#variables;
    const variables = this.#directories.length > 1 || PWD === undefined ? others : this.#variables;
    // A script that is called by a link sees the path of the link.
    for (const script of new Set([path, ...links.map((link) => link.path)])) {
      const findings = readShellScript(text, { variables, script });
      const changes = findings.references.some((one) => one.use === 'directory' && one.path !== dirname(script));
      if (changes && this.to.dependsOnDirectory && (text.match(/\$\{?(?:0|BASH_SOURCE)\b/g) ?? []).length > 1) {
        this.to.openFor(`${label}The script changes its directory and uses $0, which may be relative.`);
      }
      this.#addFindings(findings, depth + 1, label);
    }
  }

  #addInline(text: string, language: Language, depth: number, label: string): void {
    this.to.dependsOnDirectory = true;
    if (language === 'python') this.#addPython(text, this.#directories, undefined, depth, label);
    else if (language === 'javascript') this.#addJavaScript(text, this.#directories, depth, label);
    else this.to.openFor(`${label}What the code ${JSON.stringify(text.slice(0, 40))} loads is not looked up.`);
  }

  #addModule(name: string, depth: number, label: string): void {
    this.to.dependsOnDirectory = true;
    const module = (path: string) => this.#addModuleFile(path, 'python', depth, this.#directories);
    const parts = name.split('.');
    for (const root of this.#directories) {
      const folder = join(root, parts[0] as string);
      if (this.to.project.isFolder(folder)) this.to.addFolder(folder);
    }
    findPythonImport({ level: 0, module: name, names: ['__main__'] }, this.#directories, undefined, this.to, module);
    for (const root of this.#directories) findShadowingModules(root, this.to, module);
    if (/^(?:pip|pytest|unittest|doctest|venv|ensurepip|pdb|cProfile|profile|trace|timeit|runpy|idlelib|code|site)\b/.test(name)) {
      this.to.openFor(`${label}The Python module ${JSON.stringify(name)} may run code that is not listed.`);
    }
  }

  #addPython(text: string, roots: readonly string[], file: string | undefined, depth: number, label: string): void {
    const { imports, open } = readPython(text);
    for (const reason of open) this.to.openFor(label + reason);
    // Modules are searched in the folder of the script that was started, and not in the folder of the module that imports them.
    const searched = (file === undefined ? undefined : this.#roots.get(file)) ?? roots;
    const module = (path: string) => this.#addModuleFile(path, 'python', depth, searched);
    for (const one of imports) findPythonImport(one, searched, file, this.to, module);
    if (imports.length > 0)
      for (const root of searched) if (!this.to.isCovered(join(root, 'x'))) findShadowingModules(root, this.to, module);
  }

  #addModuleFile(path: string, language: Language, depth: number, roots?: readonly string[]): void {
    const place = this.to.locate(path);
    if (place?.stats?.isFile() !== true) return;
    if (roots !== undefined && !this.#roots.has(place.path)) this.#roots.set(place.path, roots);
    if (/\.(?:so|pyd|pyc|pyo|node)$/.test(path)) {
      this.to.addFile(place, false);
      this.to.openFor(`${this.#shown(path)}: The file is compiled, so what it loads is not looked up.`);
    } else if (/\.(?:json|wasm)$/.test(path)) this.to.addFile(place, false);
    else this.#addScript(place, language, depth + 1, false);
  }

  #addJavaScript(text: string, bases: readonly string[], depth: number, label: string): void {
    const { paths, open } = readJavaScript(text);
    for (const reason of open) this.to.openFor(label + reason);
    for (const base of bases) for (const path of paths) this.#addSpecifier(resolve(base, path), depth);
  }

  #addSpecifier(path: string, depth: number): void {
    findJavaScriptImport(path, this.to, (file) => this.#addModuleFile(file, 'javascript', depth));
  }

  /** A runner reads its manifest in the working directory or the nearest folder above. */
  #addManifests(names: readonly string[], others: readonly string[]): void {
    this.to.dependsOnDirectory = true;
    for (const directory of this.#directories) {
      let isFirst = true;
      for (let folder = directory; this.to.project.relative(folder) !== undefined; folder = dirname(folder)) {
        for (const name of names) this.#addText(join(folder, name), isFirst);
        for (const name of others) this.#addText(join(folder, name), false);
        isFirst = false;
      }
    }
  }

  #shown(path: string): string {
    return JSON.stringify(this.to.project.relative(path) ?? path);
  }
}

/** Tests for files that the system makes when they are read. */
function isKernelFile(path: string): boolean {
  return /^\/(?:dev|proc|sys)(?:\/|$)/.test(path);
}
