import type { RelayCommand, RelayEntryOptions, SettingsAddition } from '@tenterhook/protocol';

/** The name of an entry of the relay, in formats whose hooks have names. */
export const relayName = 'tenterhook';

/** Returns the command as the agent's shell reads it. */
export function shellCommand({ program, args, shell }: RelayCommand): string {
  return shell ?? [quoted(program), ...args.map((word) => (/^[\w./:=-]+$/.test(word) ? word : quoted(word)))].join(' ');
}

/** Puts a word into single quotes, unless it is a plain name. */
function quoted(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns an entry of a format in which each event has a list of groups, and each group a list of hooks. No group has a matcher. */
export function groupEntry(event: string, hook: Readonly<Record<string, unknown>>): SettingsAddition {
  return { at: ['hooks', event], value: { hooks: [hook] } };
}

/** Returns an entry in the way of Gemini CLI, whose timeouts are in milliseconds. */
export function namedCommandEntry(event: string, command: RelayCommand, { timeoutMs }: RelayEntryOptions): SettingsAddition {
  return groupEntry(event, { type: 'command', name: relayName, command: shellCommand(command), timeout: timeoutMs });
}
