import type { Findings } from './findings.js';
import { ReadBudget } from './read-budget.js';
import { ShellTextReader } from './shell-text-reader.js';
import type { ReadContext } from './simple-command-reader.js';

/** A command as it is configured. With `shell: 'other'`, the text is only searched for paths. @default posix, on Windows other */
export type HookCommand =
  | { readonly kind: 'shell'; readonly text: string; readonly shell?: 'posix' | 'other' }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/** Returns what the command of a hook refers to, and why the command may run code that is not part of the pin. Reads no file. */
export function readCommand(command: HookCommand, variables: Readonly<Record<string, string>>, budget = new ReadBudget()): Findings {
  const reader = new ShellTextReader({ variables, budget });
  if (command.kind === 'program') {
    const known = (text: string) =>
      text.replace(/\$\{(\w+)\}/g, (written, name) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : written));
    reader.readWords(
      [command.file, ...command.args].map((text) => ({ text: known(text), isOpen: false, written: text })),
      0,
      true,
    );
  } else if (command.shell === 'other' || (command.shell === undefined && process.platform === 'win32')) {
    reader.readOtherShell(command.text);
  } else reader.readText(command.text, 0);
  return reader.end();
}

export function readShellScript(text: string, context: ReadContext): Findings {
  const reader = new ShellTextReader(context);
  reader.readText(text, 0);
  return reader.end();
}
