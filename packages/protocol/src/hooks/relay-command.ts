import type { HookAction } from './hook-definition.js';

/** The name of the program that agents start as their hook. */
export const relayProgram = 'tenterhook-hook';

/** A shell command that starts the relay: the program itself, or first a test whether it exists, or `tenterhook relay run`. */
const shellForms = [
  /^\s*(?:command -v tenterhook-hook [^;]*; *(?:exec +)?)?(['"]?)(?:[^'"\s;&|]*[\\/])?tenterhook-hook(?:\.exe)?\1(?=\s|$)/,
  /^\s*(['"])(?:(?!\1).)*[\\/]tenterhook-hook(?:\.exe)?\1(?=\s|$)/,
  // A shell writes an apostrophe in a quoted word as '\''.
  /^\s*'(?:[^']|'\\'')*[\\/]tenterhook-hook'(?=\s|$)/,
  /^\s*(?:\S*node\S*\s+|npx\s+)?['"]?[^'"\s;&|]*\btenterhook(?:\.js)?['"]?\s+relay\s+run(?=\s|$)/,
];

/**
 * Tests whether an action starts the relay, which asks Tenterhook itself. Such an entry belongs to the agent whose settings contain it, and
 * Tenterhook never runs it: it would ask itself.
 */
export function startsRelay(action: HookAction): boolean {
  if (action.kind !== 'command') return false;
  const { command, args } = action;
  if (args === undefined) return shellForms.some((form) => form.test(command));
  const [program, first] = [command.split(/[\\/]/).at(-1) ?? '', args[0]];
  return (
    program === relayProgram ||
    program === `${relayProgram}.exe` ||
    (/^tenterhook(?:\.js)?$/.test(program) && first === 'relay' && args[1] === 'run')
  );
}
