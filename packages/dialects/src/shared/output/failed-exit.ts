import { describeHook, type HookCode, type HookDefinition, type ReadableExit } from '@tenterhook/protocol';
import { commandFailure } from './command-failure.js';

/** How a command that ran ended. */
export type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** Why a command failed that ended with neither 0 nor 2, in a sentence that carries what it said (decisions 4 and 8). */
export function failedExit(exit: Exited, hook: HookDefinition, relativePaths: string): { code: HookCode; message: string } {
  const { exitCode } = exit;
  const said = exit.stderr.trim() || exit.stdout.trim();
  const detail = said === '' ? '' : `: ${bounded(said)}`;
  const what = describeHook(hook);
  if (exitCode !== 126 && exitCode !== 127)
    return { code: 'exit_code', message: `${what} failed with exit code ${exitCode}${killed(exitCode)}${detail}` };
  const { message, remedy } = commandFailure(exitCode, bounded(commandOf(hook)), exit.stderr, relativePaths);
  const code = exitCode === 127 ? 'missing_command' : 'not_executable';
  return { code, message: `${what} ${message}. ${remedy}${detail}` };
}

function commandOf({ action, id }: HookDefinition): string {
  return action.kind === 'command' ? [action.command, ...(action.args ?? [])].join(' ') : id;
}

/** What a shell says of a child that a signal ended; a script may also mean the number itself. */
function killed(exitCode: number): string {
  return exitCode > 128 && exitCode < 160 ? ` (128 + ${exitCode - 128}, as after signal ${exitCode - 128})` : '';
}

/** What a hook said, as far as a message carries it. */
export function bounded(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
