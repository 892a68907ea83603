import { dirname } from 'node:path';
import type { Findings, Language } from '../command/findings.js';
import type { ReadBudget } from '../command/read-budget.js';
import { type HookCommand, readCommand, readShellScript } from '../command/read-command.js';
import type { Collector, ReachedFile } from '../files/collector.js';
import { isKernelFile, type Place } from '../files/locate.js';
import { ModuleWalker } from './module-walker.js';
import { type Origin, openFor } from './origin.js';
import { OwnScripts } from './own-script.js';
import type { WorkingDirectories } from './working-directories.js';

/**
 * The number of characters of a first line that every system reads. Linux reads 256 bytes; older versions and other systems read half of
 * this.
 */
const longestFirstLine = 120;

/** How a hook uses a script. `sourced`: a shell reads the script with `.`, so `$0` is the script that was started. */
export type ScriptUse = 'started' | 'sourced' | 'imported';

export interface ScriptWalkerOptions {
  /** Variables whose values are known. */
  readonly variables: Readonly<Record<string, string>>;
  readonly directories: WorkingDirectories;
  readonly budget: ReadBudget;
  /** Whether shell scripts of the user outside of the project are read. */
  readonly isOwn: boolean;
  /** Adds what the text of a script refers to. */
  readonly addFindings: (findings: Findings, from: Origin) => void;
}

/** Collects scripts, each once, and reads what their texts refer to. */
export class ScriptWalker {
  readonly modules: ModuleWalker<Origin>;
  readonly #to: Collector;
  readonly #options: ScriptWalkerOptions;
  readonly #key: string;
  readonly #done = new Set<string>();
  /** Undefined if scripts outside of the project are not read. */
  readonly #own: OwnScripts | undefined;

  constructor(to: Collector, options: ScriptWalkerOptions) {
    this.#to = to;
    this.#options = options;
    this.#key = JSON.stringify(options.variables);
    this.#own = options.isOwn ? new OwnScripts() : undefined;
    this.modules = new ModuleWalker<Origin>(to, {
      addScript: (place, language, from) => this.add(place, language, from, 'imported'),
      openFor: (from, reason) => openFor(to, from, reason),
    });
  }

  /** Adds a script and what its text refers to. Unless the script is a module, its whole folder is added too. */
  add(place: Place, language: Language | undefined, from: Origin, use: ScriptUse): void {
    const to = this.#to;
    const file = to.addFile(place, use !== 'imported');
    const relative = to.project.relative(place.path);
    if (relative === undefined) this.addOwn(place, language, from, use === 'sourced');
    if (file === undefined || relative === undefined) return;
    const zero = use === 'sourced' ? from.zero : file.path;
    const key = JSON.stringify([language, file.path, zero, use === 'sourced' && from.isBash]);
    if (this.#done.has(key)) return;
    this.#done.add(key);
    if (/(?:^|\/)node_modules\//.test(relative)) {
      to.openFor(`${JSON.stringify(relative)} is a package of node_modules, which is not listed.`);
      return;
    }
    const { limits } = to.project;
    if (from.depth >= limits.depth) {
      to.openFor(`Files of the hook load each other over more than ${limits.depth} steps.`);
      return;
    }
    if (use !== 'imported') {
      // A script that is started through a link may use files in the folder of the link.
      for (const path of [file.path, ...place.links.map((link) => link.path)]) to.addFolder(dirname(path));
    }
    const text = this.#textOf(file, relative);
    const inside: Origin = { depth: from.depth + 1, label: `${relative}: `, zero, isBash: use === 'sourced' && from.isBash === true };
    if (text !== undefined) this.#addReferences(text, file.path, language, inside, place);
  }

  /**
   * Adds the project's code that a shell script of the user starts. The rest of the script is not checked, because it belongs to the
   * user.
   */
  addOwn(place: Place, language: Language | undefined, from: Origin, isSourced: boolean): void {
    const isShell = language === undefined || language === 'shell' || language === 'bash';
    if (this.#own === undefined || !isShell || isKernelFile(place.path) || from.depth >= this.#to.project.limits.depth) return;
    const zero = isSourced ? from.zero : place.path;
    const key = JSON.stringify([language, place.path, zero]);
    const text = this.#done.has(key) ? undefined : this.#own.textOf(place, this.#to);
    this.#done.add(key);
    if (text !== undefined) this.#addReferences(text, place.path, language, { depth: from.depth + 1, label: '', zero, isOwn: true }, place);
  }

  #textOf(file: ReachedFile, relative: string): string | undefined {
    const bytes = this.#to.project.bytesOf(file.path, file.hashed);
    if (bytes === undefined) this.#to.openFor(`${relative}: The file is too large to look for what it loads.`);
    else if (!bytes.includes(0)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    else this.#to.openFor(`${relative}: The file is not text. It is unknown which files it loads.`);
    return undefined;
  }

  /** Adds what the text of a script refers to. If `language` is missing, the first line decides which program reads the script. */
  #addReferences(text: string, path: string, language: Language | undefined, from: Origin, place: Place): void {
    if (language === 'python') this.modules.addPython(text, [dirname(path)], path, from);
    else if (language === 'javascript') this.modules.addJavaScript(text, [dirname(path)], from);
    else if (language === 'other') openFor(this.#to, from, `It is unknown which files the script loads.`);
    else {
      const line = language === undefined ? /^#![ \t]*([^\n]*)/.exec(text)?.[1]?.replace(/[ \t]+$/, '') : undefined;
      // The system splits the first line only at blanks and tabs. If the line is long, the system reads only its beginning.
      const [, file, rest = ''] = /^([^ \t]+)[ \t]*(.*)$/s.exec(line ?? '') ?? [];
      if (line !== undefined && (line.length > longestFirstLine || /[^\P{C}\t]|[^\P{Z} ]/u.test(line)))
        openFor(this.#to, from, `It is unknown which program reads a script with this first line.`);
      if (file === undefined) {
        this.#addShellScript(text, path, language === 'bash' ? { ...from, isBash: true } : from, place);
        return;
      }
      const command: HookCommand = { kind: 'program', file, args: [...(rest === '' ? [] : [rest]), path] };
      this.#options.addFindings(readCommand(command, this.#options.variables, this.#options.budget), from);
    }
  }

  #addShellScript(text: string, path: string, from: Origin, { links }: Place): void {
    const { variables: all, directories, budget, addFindings } = this.#options;
    const { PWD, ...others } = all;
    const variables = directories.paths.length > 1 ? others : all;
    if (!from.isOwn && /pwd/i.test(text)) this.#to.dependsOnDirectory = true;
    // If a script is called by a link, `$0` is the path of the link.
    for (const source of new Set([path, ...links.map((link) => link.path)])) {
      const zero = from.zero === path ? source : from.zero;
      const key = JSON.stringify([path, source, zero, from.isBash, this.#key]);
      const read = () => readShellScript(text, { variables, paths: { zero, source }, isBash: from.isBash === true, budget });
      const findings = variables === all ? this.#to.project.remember(key, read) : read();
      const changes = findings.references.some((one) => one.use === 'directory' && one.path !== dirname(source));
      if (changes && this.#to.dependsOnDirectory && /\$\{?(?:0|BASH_SOURCE)\b/.test(text.replace(/\bcd\s[^\n;&|]*/g, ''))) {
        openFor(this.#to, from, `The script changes its directory and uses $0, which may be relative.`);
      }
      addFindings(findings, { ...from, zero });
    }
  }
}
