import { constants } from 'node:os';

const names = new Map<number, string>();
// The first name of a number is the usual one: SIGABRT before SIGIOT, SIGIO before SIGPOLL.
for (const [name, number] of Object.entries(constants.signals)) if (!names.has(number)) names.set(number, name);

/**
 * The signal that a shell's exit code stands for: its child was killed by signal n, so it exits with 128 + n. 129 to 159 only, the signals that
 * have one meaning everywhere. Without it the same hook would be "killed" or "exit 137", depending on whether bash ran it by exec (field failure 48).
 */
export function signalOfShellExit(exitCode: number): string | undefined {
  return exitCode >= 129 && exitCode <= 159 ? names.get(exitCode - 128) : undefined;
}
