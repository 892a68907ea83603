import type { SimpleCommand } from '@tenterhook/runtime/shell';
import type { Runner } from './programs/programs.js';
import { languageOf, shown, type WordReader } from './word-reader.js';

/** Words between a package runner and the name of the program that it starts, e.g. `exec` in `npm exec prettier`. */
const subcommands = /^(?:run|exec|x|dlx|tool|task|eval)$/;
/** Options that are followed by no argument. */
const flags =
  /^(?:-[ysqA]|--(?:yes|no|silent|quiet|no-install|bun|offline|script|no-project|isolated|frozen|locked|no-sync|allow-[\w-]+))$/;

/** Notes what `npm`, `make`, `uv` and the like run: the manifest of the project, and files that the words name. */
export function readRunner(name: string, runner: Runner, rest: SimpleCommand, to: WordReader): void {
  const { names, others, runsPackage, runs, kind = 'loaded' } = runner;
  to.findings.openFor(`${name} runs ${runs}.`, kind);
  to.findings.add({ use: 'manifest', names, others });
  const first = firstArgument(name, runner, rest);
  for (const [at, word] of rest.entries()) {
    const { text, isOpen, written } = word;
    if (isOpen) {
      if (at < first) to.openWord(word);
    } else if (text.startsWith('-')) {
      // For example, `sub` in `--prefix=sub` and `-Csub`.
      const value = /^(?:--[\w-]+=|-[A-Za-z])(.+)$/s.exec(text)?.[1];
      if (value !== undefined) to.findings.add({ use: 'directory', path: value });
      if (at < first && runsPackage !== undefined && /^(?:-c|--call|--shell-mode)/.test(text))
        to.findings.openFor(`The option ${shown(written)} of ${name} runs a command line.`);
      const named = /^--package=(.+)$/s.exec(text)?.[1];
      if (runsPackage !== undefined && named !== undefined) addPackage(named, true, to);
    } else {
      to.findings.add({ use: 'directory', path: text });
      const { language } = languageOf(text);
      if (language !== undefined) to.findings.add({ use: 'script', path: text, language });
      if (runsPackage?.test(name) && !subcommands.test(text)) addPackage(text, at < first && first !== Number.POSITIVE_INFINITY, to);
      if (/^(?:bun|deno)$/.test(name) && /^(?:test|bench)$/.test(text))
        to.findings.openFor(`${name} ${text} runs the tests of the project.`);
    }
  }
  to.addWords(rest, false);
}

/** Adds a package that is installed in the project: `prettier@3` is node_modules/prettier, and its program is in node_modules/.bin. */
function addPackage(text: string, isNamed: boolean, to: WordReader): void {
  const [, name, program] = /^((?:@[\w.-]+\/)?([\w.-]+))(?:@.*)?$/s.exec(text) ?? [];
  if (name === undefined || program === undefined || /^\.+$/.test(program)) return;
  for (const path of [`node_modules/${name}/package.json`, `node_modules/.bin/${program}`])
    to.findings.add({ use: isNamed ? 'operand' : 'token', path });
}

/**
 * Returns the index of the first word that is only an argument of a program whose name is known. Returns Infinity if this index is
 * unknown.
 */
function firstArgument(name: string, { startsProgram }: Runner, rest: SimpleCommand): number {
  // npm accepts its own options after the name of the script too.
  const separator = name === 'npm' ? rest.findIndex(({ text }) => text === '--') : -1;
  if (separator !== -1 && !rest.slice(0, separator).some(({ isOpen }) => isOpen)) return separator;
  if (!startsProgram?.test(name)) return Number.POSITIVE_INFINITY;
  for (const [at, { text, isOpen }] of rest.entries()) {
    if (isOpen || (text.startsWith('-') && !flags.test(text) && !/^--[\w-]+=/.test(text))) break;
    if (!text.startsWith('-') && !subcommands.test(text)) return at + 1;
  }
  return Number.POSITIVE_INFINITY;
}
