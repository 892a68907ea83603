import { type Diagnostic, eventEntry } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';
import type { LeveledHook } from './leveled-settings.js';

/**
 * Warns about a guard of a user or an administrator that passes code to an interpreter on the command line, such as `python3 -c`. If the
 * code imports a module, the interpreter may load the module from the project directory, because hooks run there. Settings that a program
 * passes are not checked, because they may come from the project.
 */
export function reportInlineCode(hook: LeveledHook): Diagnostic[] {
  const { source, action, eventName, skip } = hook;
  if (!['user', 'managed', 'system'].includes(source) || skip !== undefined || action.kind !== 'command') return [];
  if (eventEntry(eventName).may.block !== true) return [];
  const words = action.args === undefined ? action.command.split(/\s+/) : [action.command, ...action.args];
  const found = words.map((word, index) => inlineCode(word, words.slice(index + 1, index + 9))).find((remark) => remark !== undefined);
  if (found === undefined) return [];
  return [{ code: 'inline_interpreter', severity: 'warning', ...found, ...placeOfHook(hook) }];
}

/** Returns what is wrong with a program and its first arguments. */
function inlineCode(word: string, next: readonly string[]): { message: string; remedy: string } | undefined {
  const name = word.replace(/^.*[/(`'"]/, '');
  const end = next.findIndex((argument) => !argument.startsWith('-'));
  const options = end === -1 ? next : next.slice(0, end);
  if (/^(?:python|pypy)[\d.]*$/.test(name)) {
    const letters = options.filter((option) => /^-[A-Za-z]+$/.test(option)).join('');
    if (!/[cm]/.test(letters) || /[IP]/.test(letters)) return undefined;
    const message = `The command passes code to ${name} as an argument. The code runs in the project directory, and Python before 3.11 imports modules from there: a "json.py" of the project would run in the guard.`;
    return { message, remedy: `Write the code to a file outside of the project, or add the option -I: "${name} -I -c …".` };
  }
  if (!/^(?:node|nodejs|bun)$/.test(name) || !options.some((option) => /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)/.test(option)))
    return undefined;
  const message = `The command passes code to ${name} as an argument. The code runs in the project directory and imports packages from there.`;
  return { message, remedy: 'Write the code to a file outside of the project.' };
}
