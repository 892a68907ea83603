import { innerLines, type ShellWord, type SimpleCommand } from '@tenterhook/runtime/shell';
import type { Language } from './findings.js';
import { beforeDashes, mayBeOption } from './programs/code-in-words.js';
import type { Interpreter } from './programs/programs.js';
import { shown, WordReader } from './word-reader.js';

/** Reads commands that start a shell or another interpreter: which of their words is the script, and which is code. */
export abstract class InterpreterReader extends WordReader {
  /** The languages of interpreters that read their program from stdin. */
  protected fromStdin: Language[] = [];

  /** Reads a text that is passed to another shell, as in `bash -c`. */
  protected abstract readOther(text: string, depth: number, isBash?: boolean): void;

  /** Reads a word that contains code. */
  protected abstract addCode(text: string, language: Language, depth: number): void;

  protected readShell(name: string, words: SimpleCommand, depth: number): void {
    const rest = words.slice(1);
    const hasCode = rest.some(({ text }) => /^-\w*c/.test(text));
    if (/^(?:fish|csh|tcsh)$/.test(name)) this.findings.openFor(`Scripts of ${name} are not analysed.`, hasCode ? 'code' : 'loaded');
    if (hasCode) {
      // After `-c`, the first word that is not an option is the code. The following words are arguments of the code.
      const after = rest.findIndex(({ text }) => /^-\w*c/.test(text)) + 1;
      const code = rest.findIndex(({ text, isOpen }, at) => at >= after && (isOpen || !/^[-+]/.test(text)));
      for (const word of rest.slice(0, code + 1)) if (word.isOpen) this.openWord(word);
      for (const line of innerLines(name, words)) this.readOther(line, depth + 1, /^(?:bash|zsh|ksh|mksh)$/.test(name));
      this.addWords(rest, false);
      return;
    }
    const script = this.#scriptOf(
      name,
      rest,
      /^[-+](?:[abefhiklmnpruvxBCEHPT]+|-(?:login|norc|noprofile|posix|verbose))$/,
      /^[-+][a-zA-Z]*[oO]$/,
    );
    if (script === undefined) this.fromStdin.push('shell');
    else if (!script.isOpen) this.findings.add({ use: 'script', path: script.text, language: languageOfShell(name) });
    this.addWords(rest, false);
  }

  protected readInterpreter(
    name: string,
    { language, plain, withArgument, inline, harmless }: Interpreter,
    rest: SimpleCommand,
    depth: number,
  ): void {
    const code = rest.findIndex(({ text }) => inline?.test(text));
    const module = language === 'python' ? rest.findIndex(({ text }) => /^-[bBdEiIOPqsSuvx]*m/.test(text)) : -1;
    const script = this.#scriptOf(name, rest, plain, withArgument, inline);
    if (language === 'other') this.findings.openFor(`It is unknown which files a program of ${name} loads.`, 'loaded');
    const isScriptFirst = script !== undefined && [code, module].every((at) => at === -1 || rest.indexOf(script) < at);
    if (isScriptFirst) {
      if (!script.isOpen) this.findings.add({ use: 'script', path: script.text, language });
    } else if (code !== -1 || module !== -1) {
      // Every word that may be code is read as code, whatever the options before it mean.
      const last = Math.max(code, module) + 1;
      const optionsEnd = beforeDashes(rest).length;
      for (const [at, word] of rest.entries()) {
        const attached = inline?.exec(word.text)?.[1];
        if (harmless?.test(attached || word.text)) continue;
        // Node also reads options that follow the code.
        const isOption = language === 'javascript' && at <= optionsEnd && mayBeOption(word);
        if (word.isOpen) this.openWord(word, at <= last || isOption ? 'code' : 'data');
        if (code !== -1 && /\s|import|require|\(/.test(attached ?? word.text)) this.addCode(attached || word.text, language, depth);
      }
      if (module !== -1) this.#readModule(rest, module);
    } else if (!rest.some(({ text }) => /^(?:--version|-V|--help|-v|-h)$/.test(text))) this.fromStdin.push(language);
    this.addWords(rest, false);
  }

  #readModule(rest: SimpleCommand, at: number): void {
    const attached = /^-[bBdEiIOPqsSuvx]*m(.+)$/.exec(rest[at]?.text ?? '')?.[1];
    const name = attached ?? rest[at + 1]?.text ?? '';
    if (/^\w+(?:\.\w+)*$/.test(name)) this.findings.add({ use: 'module', name });
    else this.findings.openFor(`The name of the Python module ${shown(name)} is not known.`);
  }

  /**
   * Returns the word that names the script: the first word after the options. If an option is unknown, it may load other code, and this
   * is recorded.
   */
  #scriptOf(name: string, rest: SimpleCommand, plain: RegExp, withArgument?: RegExp, inline?: RegExp): ShellWord | undefined {
    for (let at = 0; at < rest.length; at += 1) {
      const word = rest[at] as ShellWord;
      if (word.isOpen) this.openWord(word);
      if (word.text === '--') {
        const script = rest[at + 1];
        if (script?.isOpen) this.openWord(script);
        return script;
      }
      if (word.text === '-') return undefined;
      if (!/^[-+]/.test(word.text)) return word;
      if (inline?.test(word.text) || /^-[bBdEiIOPqsSuvx]*m/.test(word.text)) return undefined;
      if (withArgument?.test(word.text)) at += 1;
      else if (!plain.test(word.text) && !/^(?:--version|-V|--help|-h)$/.test(word.text)) {
        this.findings.openFor(`The option ${shown(word.written)} of ${name} may load code that is not listed.`);
      }
    }
    return undefined;
  }
}

function languageOfShell(name: string): Language {
  if (/^(?:fish|csh|tcsh)$/.test(name)) return 'other';
  return /^(?:bash|zsh|ksh|mksh)$/.test(name) ? 'bash' : 'shell';
}
