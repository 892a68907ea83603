import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Findings, Language, Reference } from '../command/findings.js';
import { plainPrograms } from '../command/programs.js';
import type { ReadBudget } from '../command/read-budget.js';
import { type HookCommand, readCommand, readShellScript } from '../command/read-command.js';
import { Collector, type ReachedFile } from '../files/collector.js';
import { findKernelFile, isKernelFile, type Place } from '../files/locate.js';
import type { ReachProject } from '../files/project.js';
import type { OpenReason } from '../open-reasons.js';
import type { StartedCommand } from '../started-command.js';
import { ModuleWalker } from './module-walker.js';
import { OwnScripts } from './own-script.js';
import { SearchPath } from './search-path.js';

/** The maximum number of directories in which relative paths are searched. */
const maxDirectories = 8;

/**
 * The number of characters of a first line that every system reads. Linux reads 256 bytes; older versions and other systems read half of
 * this.
 */
const longestFirstLine = 120;

/** The text with a reference: the command, or a script. */
interface Origin {
  /** The number of scripts between the command and this text. */
  readonly depth: number;
  /** The prefix of each reason that is found in this text: the path of the script. */
  readonly label: string;
  /** `$0` in this text, if it is a shell script. */
  readonly zero?: string | undefined;
  /** Whether bash reads this text. */
  readonly isBash?: boolean;
  /** Whether the text is a script of the user outside of the project. Only the project's code that this script starts is collected. */
  readonly isOwn?: boolean;
}

/** Collects the files that a command uses: those that the command names, and those that its scripts name. */
export function walk({ command, cwd, variables, isOwn }: StartedCommand, project: ReachProject): Collector {
  // The shell itself sets PWD.
  const known = { ...variables, PWD: resolve(cwd) };
  let directories: readonly string[] = [];
  for (;;) {
    const walker = new Walker(project, resolve(cwd), known, directories, isOwn === true);
    if (/pwd/i.test(command.kind === 'shell' ? command.text : command.args.join(' '))) walker.to.dependsOnDirectory = true;
    walker.addFindings(readCommand(command, known, project.budgetOf(isOwn === true)), { depth: 0, label: '' });
    if (walker.directories.length <= Math.max(1, directories.length)) return walker.to;
    // A later text may change the directory in which an earlier text runs, for example by calling a function that the earlier text
    // defines. So all texts are searched again in all directories. Their number is limited.
    directories = walker.directories;
  }
}

class Walker {
  readonly to: Collector;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #key: string;
  readonly #directories: string[];
  readonly #done = new Set<string>();
  readonly #searched: SearchPath;
  readonly #budget: ReadBudget;
  /** Undefined if scripts outside of the project are not read. */
  readonly #own: OwnScripts | undefined;
  readonly #modules: ModuleWalker<Origin>;
  /** For each process and variable: the texts that set the variable, and whether its value was used to find files. */
  readonly #texts = new Map<string, { readonly texts: Set<string>; isConstant: boolean }>();

  /** `directories` are searched for relative paths, in addition to the working directory. */
  constructor(
    project: ReachProject,
    cwd: string,
    variables: Readonly<Record<string, string>>,
    directories: readonly string[],
    isOwn: boolean,
  ) {
    this.to = new Collector(project);
    this.#variables = variables;
    this.#key = JSON.stringify(variables);
    const place = this.to.locate(cwd);
    if (place !== undefined) this.to.addLinks(place);
    this.#directories = [...new Set([place?.path ?? cwd, ...directories])];
    this.#searched = new SearchPath(variables['PATH'], this.to, this.#directories[0] as string);
    this.#budget = project.budgetOf(isOwn);
    this.#own = isOwn ? new OwnScripts() : undefined;
    this.#modules = new ModuleWalker<Origin>(this.to, {
      addScript: (place, language, from) => this.#addScript(place, language, from, 'imported'),
      openFor: (from, reason) => this.#openFor(from, reason),
    });
  }

  /** The directories in which relative paths were searched. */
  get directories(): readonly string[] {
    return this.#directories;
  }

  addFindings({ references, open, assigned, constants, written }: Findings, from: Origin): void {
    if (!from.isOwn) for (const { text, kind } of open.list()) this.to.openFor(from.label + text, kind);
    this.#noteVariables(assigned, constants, from);
    const isPlace = ({ use }: Reference) => use === 'directory' || use === 'search';
    const isData = ({ use }: Reference) => use === 'token' || use === 'operand';
    const isIgnored = (one: Reference) => isData(one) && (from.isOwn || written.has((one as { path: string }).path));
    for (const reference of references.filter(isPlace)) this.#add(reference, from);
    for (const reference of references) if (!isPlace(reference) && !isIgnored(reference)) this.#add(reference, from);
    for (const one of references) {
      if (one.use === 'script' && written.has(one.path))
        this.#openFor(from, `${JSON.stringify(one.path)} is written by the hook and then run.`);
    }
  }

  #add(reference: Reference, from: Origin): void {
    const { use } = reference;
    if (use === 'token' || use === 'operand') this.#addText(reference.path, use === 'operand');
    else if (use === 'script') this.#addStarted(reference, from);
    else if (use === 'guess') this.#addGuess(reference, from);
    else if (use === 'pattern') this.#addPattern(reference, from);
    else if (use === 'search') this.#searched.add(reference.path);
    else if (use === 'program') this.#addProgram(reference.name, from);
    else if (use === 'directory') this.#addDirectory(reference.path, from);
    else if (use === 'inline') this.#addInline(reference.text, reference.language, from);
    else if (use === 'module') {
      this.to.dependsOnDirectory = true;
      this.#modules.addModule(reference.name, this.#directories, from);
    } else this.#addManifests(reference.names, reference.others);
  }

  /** Returns the absolute paths that a path may mean. */
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
        if (!kernelFile.startsWith('/dev/')) this.to.openFor(`The file ${JSON.stringify(kernelFile)} is generated by the system.`, 'data');
      } else if (place.stats === undefined) {
        if (noteAbsent || place.links.length > 0) this.to.addMissing(place);
      } else if (!place.stats.isDirectory()) this.to.addFile(place, true);
    }
  }

  /** Tests whether a relative path does not exist, by the list of names in its folder. The path itself is not examined. */
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
        this.#openFor(from, `${JSON.stringify(candidate)} is run, and ${JSON.stringify(kernelFile)} is generated by the system.`);
      else if (place.stats === undefined) {
        this.to.addMissing(place);
        if (language === 'javascript') isFound = this.#modules.addSpecifier(candidate, from) || isFound;
      } else if (!place.stats.isDirectory()) this.#addScript(place, language, from, isSourced ? 'sourced' : 'started');
      else if (language !== 'shell' && language !== 'bash' && this.to.project.relative(place.path) !== undefined) {
        this.to.addLinks(place);
        this.to.addFolder(place.path);
        this.#openFor(from, `The folder ${this.#shown(place.path)} is run. It is unknown which of its files is run first.`);
      }
    }
    // While it runs, the hook may create this file from a file that was not read as a script. So the code of this file is unknown.
    if (!isFound) this.#openFor(from, `${JSON.stringify(path)} is run, and does not exist.`, 'data');
  }

  /** Adds a script whose path begins with an unknown part, if the script exists below the working directory. */
  #addGuess({ path, language }: Extract<Reference, { use: 'guess' }>, from: Origin): void {
    const isFile = (candidate: string) => this.to.locate(candidate)?.stats?.isFile() === true;
    if (!this.#candidates(path).some(isFile)) {
      // A hook of the user may run without a question as long as this file is missing. If the file appears, the user is asked.
      for (const candidate of this.#own === undefined ? [] : this.#candidates(path)) {
        const place = this.to.locate(candidate);
        if (place !== undefined && place.stats === undefined) this.to.addMissing(place);
      }
      return;
    }
    this.#addStarted({ use: 'script', path, ...(language === undefined ? {} : { language }) }, from);
  }

  /**
   * Adds a folder from which a pattern chooses files. A folder outside of the project is only noted as data, because its files belong to
   * the user.
   */
  #addPattern({ path, reason }: Extract<Reference, { use: 'pattern' }>, from: Origin): void {
    if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
    const places = this.#candidates(path).map((candidate) => this.to.locate(candidate));
    const { directory } = this.to.project;
    const isOutside = places.every(
      (place) => place !== undefined && this.to.project.relative(place.path) === undefined && !directory.startsWith(place.path + sep),
    );
    this.#openFor(from, reason, isOutside ? 'data' : 'code');
    for (const place of places) {
      if (place?.stats?.isDirectory() !== true || this.to.project.relative(place.path) === undefined) continue;
      this.to.addLinks(place);
      this.to.addFolder(place.path);
    }
  }

  /** Adds a program that is searched in PATH. Only the folders of PATH that are in the project are searched. */
  #addProgram(name: string, from: Origin): void {
    for (const folder of this.#searched.inProject()) {
      const place = this.to.locate(folder + sep + name);
      if (place?.stats === undefined) {
        if (place !== undefined) this.to.addMissing(place);
      } else if (place.stats.isFile()) {
        this.#openFor(from, `PATH finds the program ${JSON.stringify(name)} in the project.`);
        this.#addScript(place, undefined, from, 'started');
      }
    }
    const own = this.#own === undefined || plainPrograms.has(name) ? undefined : this.#searched.findOutside(name);
    if (own !== undefined) this.#addOwnScript(own, undefined, from, false);
    if (process.platform === 'win32') this.#addText(name, false);
  }

  #addDirectory(path: string, from: Origin): void {
    for (const [at, candidate] of this.#candidates(path).entries()) {
      const place = this.to.locate(candidate);
      if (place === undefined || this.#directories.includes(place.path)) continue;
      // If folders that do not exist were added, each pass over the texts would add more folders below them.
      if (place.stats === undefined && this.to.locate(this.#directories[at] as string)?.stats === undefined) continue;
      // The hook may create a directory that does not exist yet.
      if (place.stats === undefined ? !path.includes('/') : !place.stats.isDirectory()) continue;
      if (!isAbsolute(path)) this.to.dependsOnDirectory = true;
      this.to.addLinks(place);
      if (this.#directories.length >= maxDirectories) this.#openFor(from, 'The hook changes its directory more often than is followed.');
      else this.#directories.push(place.path);
    }
  }

  /** Adds a script and what its text refers to. Unless the script is a module, its whole folder is added too. */
  #addScript(place: Place, language: Language | undefined, from: Origin, how: 'started' | 'sourced' | 'imported'): void {
    const file = this.to.addFile(place, how !== 'imported');
    const relative = this.to.project.relative(place.path);
    if (relative === undefined) this.#addOwnScript(place, language, from, how === 'sourced');
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
      this.to.openFor(`Files of the hook load each other over more than ${this.to.project.limits.depth} steps.`);
      return;
    }
    if (how !== 'imported') {
      // A script that is started through a link may use files in the folder of the link.
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

  /**
   * Adds the project's code that a shell script of the user starts. The rest of the script is not checked, because it belongs to the
   * user.
   */
  #addOwnScript(place: Place, language: Language | undefined, from: Origin, isSourced: boolean): void {
    const isShell = language === undefined || language === 'shell' || language === 'bash';
    if (this.#own === undefined || !isShell || isKernelFile(place.path) || from.depth >= this.to.project.limits.depth) return;
    const zero = isSourced ? from.zero : place.path;
    const key = JSON.stringify([language, place.path, zero]);
    const text = this.#done.has(key) ? undefined : this.#own.textOf(place, this.to);
    this.#done.add(key);
    if (text !== undefined) this.#addReferences(text, place.path, language, { depth: from.depth + 1, label: '', zero, isOwn: true }, place);
  }

  #openFor(from: Origin, reason: string, kind?: OpenReason['kind']): void {
    if (!from.isOwn) this.to.openFor(from.label + reason, kind);
  }

  #textOf(file: ReachedFile, relative: string): string | undefined {
    const bytes = this.to.project.bytesOf(file.path, file.hashed);
    if (bytes === undefined) this.to.openFor(`${relative}: The file is too large to look for what it loads.`);
    else if (!bytes.includes(0)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    else this.to.openFor(`${relative}: The file is not text. It is unknown which files it loads.`);
    return undefined;
  }

  /** Adds what the text of a script refers to. If `language` is missing, the first line decides which program reads the script. */
  #addReferences(text: string, path: string, language: Language | undefined, from: Origin, place: Place): void {
    if (language === 'python') this.#modules.addPython(text, [dirname(path)], path, from);
    else if (language === 'javascript') this.#modules.addJavaScript(text, [dirname(path)], from);
    else if (language === 'other') this.#openFor(from, `It is unknown which files the script loads.`);
    else {
      const line = language === undefined ? /^#![ \t]*([^\n]*)/.exec(text)?.[1]?.replace(/[ \t]+$/, '') : undefined;
      // The system splits the first line only at blanks and tabs. If the line is long, the system reads only its beginning.
      const [, file, rest = ''] = /^([^ \t]+)[ \t]*(.*)$/s.exec(line ?? '') ?? [];
      if (line !== undefined && (line.length > longestFirstLine || /[^\P{C}\t]|[^\P{Z} ]/u.test(line)))
        this.#openFor(from, `It is unknown which program reads a script with this first line.`);
      if (file === undefined) {
        this.#addShellScript(text, path, language === 'bash' ? { ...from, isBash: true } : from, place);
        return;
      }
      const command: HookCommand = { kind: 'program', file, args: [...(rest === '' ? [] : [rest]), path] };
      this.addFindings(readCommand(command, this.#variables, this.#budget), from);
    }
  }

  #addShellScript(text: string, path: string, from: Origin, { links }: Place): void {
    const { PWD, ...others } = this.#variables;
    const variables = this.#directories.length > 1 ? others : this.#variables;
    if (!from.isOwn && /pwd/i.test(text)) this.to.dependsOnDirectory = true;
    // If a script is called by a link, `$0` is the path of the link.
    for (const source of new Set([path, ...links.map((link) => link.path)])) {
      const zero = from.zero === path ? source : from.zero;
      const key = JSON.stringify([path, source, zero, from.isBash, this.#key]);
      const read = () => readShellScript(text, { variables, paths: { zero, source }, isBash: from.isBash === true, budget: this.#budget });
      const findings = variables === this.#variables ? this.to.project.remember(key, read) : read();
      const changes = findings.references.some((one) => one.use === 'directory' && one.path !== dirname(source));
      if (changes && this.to.dependsOnDirectory && /\$\{?(?:0|BASH_SOURCE)\b/.test(text.replace(/\bcd\s[^\n;&|]*/g, ''))) {
        this.#openFor(from, `The script changes its directory and uses $0, which may be relative.`);
      }
      this.addFindings(findings, { ...from, zero });
    }
  }

  /**
   * Reports a variable whose value was used to find files, if two texts of a process set it. An example is a script and another script
   * that it sources.
   */
  #noteVariables(assigned: ReadonlySet<string>, constants: ReadonlySet<string>, { label, zero = '', isOwn = false }: Origin): void {
    if (isOwn) return;
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
    if (language === 'python') this.#modules.addPython(text, this.#directories, undefined, from);
    else if (language === 'javascript') this.#modules.addJavaScript(text, this.#directories, from);
    else this.#openFor(from, `It is unknown which files the code ${JSON.stringify(text.slice(0, 40))} loads.`, 'loaded');
  }

  /** Adds the manifest of a runner, e.g. `package.json`. The runner reads it in the working directory or in the nearest folder above. */
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
