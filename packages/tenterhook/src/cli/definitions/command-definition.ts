import type { completion } from '../commands/completion.js';
import type { CommandContext } from '../context.js';

/** An option of a command, as Commander reads it. */
export interface OptionDefinition {
  readonly flags: string;
  readonly description: string;
  /** Whether each use adds a value. @default the last value counts */
  readonly isRepeatable?: boolean;
  readonly choices?: readonly string[];
  /** True if the first of `choices` that was given counts, in whatever order the options are. @default the last value counts */
  readonly isStrictest?: true;
  readonly default?: string;
  /** The names of options that cannot be used together with this one. */
  readonly conflicts?: readonly string[];
}

/** A command as data. Its module is imported when it runs, because most programs run one command. */
export interface CommandDefinition {
  readonly name: string;
  readonly arguments?: readonly (readonly [name: string, description: string])[];
  readonly description: string;
  readonly options?: readonly OptionDefinition[];
  /** Printed after the help of the command. */
  readonly help?: string;
  /** Resolves to the exit status. `words` has a value for each argument, and a list for one that ends with `...`. */
  // biome-ignore lint/suspicious/noExplicitAny: Commander has checked words and flags against the definition.
  run(words: any[], flags: any, context: CommandContext, program: Parameters<typeof completion>[0]): Promise<number>;
}

export function repeatable(flags: string, description: string): OptionDefinition {
  return { flags, description: `${description} (repeatable)`, isRepeatable: true };
}

export const settingsOption = repeatable('-s, --settings <file>', 'read only this settings file; search for no others');

/** The options of commands that load hooks. */
export const settingsOptions: readonly OptionDefinition[] = [
  settingsOption,
  { flags: '-d, --dialect <name>', description: 'format of the settings; without --settings, look only for files of this format' },
  { flags: '--cwd <dir>', description: 'project directory, and working directory of the hooks (default: the current directory)' },
  repeatable('--allow-private-address <host>', 'let http hooks call this host name, address or CIDR range, for example localhost'),
  repeatable('--extension <dir>', 'also load the hooks of the extension or plugin in this directory'),
  {
    flags: '--trust-pins <file>',
    description: 'also trust the hooks of the project whose pins are in this file, which must be outside of the project',
  },
  { flags: '--trust-project', description: 'trust all hooks of the project, for this command only', conflicts: ['trustPins'] },
];

export const toolOptions: readonly OptionDefinition[] = [
  repeatable('--tool <name>', 'a tool of the agent (MCP tools: server__tool); reports matchers that match no --tool'),
];
