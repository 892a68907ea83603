import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Findings, Language, Reference } from '../command/findings.js';
import { plainPrograms } from '../command/programs/programs.js';
import { readCommand } from '../command/read-command.js';
import { Collector } from '../files/collector.js';
import { findKernelFile } from '../files/locate.js';
import type { ReachProject } from '../files/project.js';
import type { StartedCommand } from '../started-command.js';
import { type Origin, openFor } from './origin.js';
import { ScriptWalker } from './script-walker.js';
import { SearchPath } from './search-path.js';
import { WorkingDirectories } from './working-directories.js';

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

/** Adds what a text refers to: the files that exist, and the names that are missing. */
class Walker {
  readonly to: Collector;
  readonly #directories: WorkingDirectories;
  readonly #searched: SearchPath;
  readonly #scripts: ScriptWalker;
  readonly #isOwn: boolean;
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
    this.#directories = new WorkingDirectories(this.to, cwd, directories);
    this.#searched = new SearchPath(variables['PATH'], this.to, this.#directories.first);
    this.#isOwn = isOwn;
    this.#scripts = new ScriptWalker(this.to, {
      variables,
      directories: this.#directories,
      budget: project.budgetOf(isOwn),
      isOwn,
      addFindings: (findings, from) => this.addFindings(findings, from),
    });
  }

  /** The directories in which relative paths were searched. */
  get directories(): readonly string[] {
    return this.#directories.paths;
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
        openFor(this.to, from, `${JSON.stringify(one.path)} is written by the hook and then run.`);
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
    else if (use === 'directory') {
      if (!this.#directories.add(reference.path)) openFor(this.to, from, 'The hook changes its directory more often than is followed.');
    } else if (use === 'inline') this.#addInline(reference.text, reference.language, from);
    else if (use === 'module') {
      this.to.dependsOnDirectory = true;
      this.#scripts.modules.addModule(reference.name, this.#directories.paths, from);
    } else this.#addManifests(reference.names, reference.others);
  }

  #addText(path: string, noteAbsent: boolean): void {
    for (const candidate of this.#directories.candidates(path)) {
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
    for (const candidate of this.#directories.candidates(path)) {
      const place = this.to.locate(candidate);
      if (place === undefined) return;
      isFound ||= place.stats !== undefined || place.isLoop;
      const kernelFile = findKernelFile(place);
      if (kernelFile !== undefined)
        openFor(this.to, from, `${JSON.stringify(candidate)} is run, and ${JSON.stringify(kernelFile)} is generated by the system.`);
      else if (place.stats === undefined) {
        this.to.addMissing(place);
        if (language === 'javascript') isFound = this.#scripts.modules.addSpecifier(candidate, from) || isFound;
      } else if (!place.stats.isDirectory()) this.#scripts.add(place, language, from, isSourced ? 'sourced' : 'started');
      else if (language !== 'shell' && language !== 'bash' && this.to.project.relative(place.path) !== undefined) {
        this.to.addLinks(place);
        this.to.addFolder(place.path);
        openFor(this.to, from, `The folder ${this.#shown(place.path)} is run. It is unknown which of its files is run first.`);
      }
    }
    // While it runs, the hook may create this file from a file that was not read as a script. So the code of this file is unknown.
    if (!isFound) openFor(this.to, from, `${JSON.stringify(path)} is run, and does not exist.`, 'data');
  }

  /** Adds a script whose path begins with an unknown part, if the script exists below the working directory. */
  #addGuess({ path, language }: Extract<Reference, { use: 'guess' }>, from: Origin): void {
    const isFile = (candidate: string) => this.to.locate(candidate)?.stats?.isFile() === true;
    if (!this.#directories.candidates(path).some(isFile)) {
      // A hook of the user may run without a question as long as this file is missing. If the file appears, the user is asked.
      for (const candidate of this.#isOwn ? this.#directories.candidates(path) : []) {
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
    const places = this.#directories.candidates(path).map((candidate) => this.to.locate(candidate));
    const { directory } = this.to.project;
    const isOutside = places.every(
      (place) => place !== undefined && this.to.project.relative(place.path) === undefined && !directory.startsWith(place.path + sep),
    );
    openFor(this.to, from, reason, isOutside ? 'data' : 'code');
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
        openFor(this.to, from, `PATH finds the program ${JSON.stringify(name)} in the project.`);
        this.#scripts.add(place, undefined, from, 'started');
      }
    }
    const own = this.#isOwn && !plainPrograms.has(name) ? this.#searched.findOutside(name) : undefined;
    if (own !== undefined) this.#scripts.addOwn(own, undefined, from, false);
    if (process.platform === 'win32') this.#addText(name, false);
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
    if (language === 'python') this.#scripts.modules.addPython(text, this.#directories.paths, undefined, from);
    else if (language === 'javascript') this.#scripts.modules.addJavaScript(text, this.#directories.paths, from);
    else openFor(this.to, from, `It is unknown which files the code ${JSON.stringify(text.slice(0, 40))} loads.`, 'loaded');
  }

  /** Adds the manifest of a runner, e.g. `package.json`. The runner reads it in the working directory or in the nearest folder above. */
  #addManifests(names: readonly string[], others: readonly string[]): void {
    this.to.dependsOnDirectory = true;
    for (const directory of this.#directories.paths) {
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
