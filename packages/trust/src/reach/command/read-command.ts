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
    const written = [command.file, ...command.args];
    reader.readWords(
      wordsOfProgram(command, variables).map((text, at) => ({ text, isOpen: false, written: written[at] as string })),
      0,
      true,
    );
  } else if (command.shell === 'other' || (command.shell === undefined && process.platform === 'win32')) {
    reader.readOtherShell(command.text);
  } else reader.readText(command.text, 0);
  return reader.end();
}

/** Returns the words of a program without a shell. In them, `${NAME}` is replaced if the variable is known. */
export function wordsOfProgram(
  { file, args }: Extract<HookCommand, { kind: 'program' }>,
  variables: Readonly<Record<string, string>>,
): string[] {
  return [file, ...args].map((text) =>
    text.replace(/\$\{(\w+)\}/g, (written, name) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : written)),
  );
}

/** Returns what the text of a shell script refers to. Reads no file. */
export function readShellScript(text: string, context: ReadContext): Findings {
  const reader = new ShellTextReader(context);
  reader.readText(text, 0);
  return reader.end();
}
