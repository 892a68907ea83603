import { defaultDialects } from '@tenterhook/dialects';
import { hookEventNames } from '@tenterhook/protocol';
import type { CommandContext } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';

/** The part of a Commander command that the completion reads. */
interface DefinedCommand {
  name(): string;
  readonly options: readonly { readonly long?: string | undefined; readonly short?: string | undefined; readonly required: boolean }[];
  readonly registeredArguments: readonly { name(): string }[];
}

/**
 * For each option, the kind of value that the shell completes, e.g. folder names after `--cwd`. An option that is not listed gets no
 * completion of its value.
 */
const valuesOf: Readonly<Record<string, 'dialect' | 'folder' | 'file'>> = {
  '--dialect': 'dialect',
  '--from': 'dialect',
  '--to': 'dialect',
  '--settings': 'file',
  '--cwd': 'folder',
  '--extension': 'folder',
  '--project': 'folder',
  '--html': 'file',
  '--svg': 'file',
};

/**
 * Prints a bash script that completes commands, options, events and dialects. Resolves to the exit status. The script contains all names,
 * because starting Node at each key press would be too slow.
 */
export async function completion(program: { readonly commands: readonly DefinedCommand[] }, { stdout }: CommandContext): Promise<number> {
  const dialects = defaultDialects();
  const names = dialects.map(({ name }) => name);
  const events = [...new Set([...hookEventNames, ...dialects.flatMap(({ events: own = {} }) => Object.keys(own))])];
  const commands = program.commands.map(
    (command) => [command.name(), [...argumentsOf(command, events, names), ...flagsOf(command)]] as const,
  );
  stdout.write(`# bash completion of tenterhook. In ~/.bashrc: source <(tenterhook completion)
# In zsh, run "autoload -U bashcompinit && bashcompinit" before it.
_tenterhook() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=''
  case $previous in
${casesOf(program.commands, names)}
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then
    words='${commands.map(([name]) => name).join(' ')} --help --version'
  else
    case \${COMP_WORDS[1]} in
${commands.map(([name, words]) => `      ${name}) words='${words.join(' ')}' ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${COMP_WORDS[1]} == validate && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
  return 0
}
complete -o filenames -F _tenterhook tenterhook
`);
  return ExitStatus.ok;
}

function flagsOf({ options }: DefinedCommand): string[] {
  return [...options.map(({ long }) => long ?? '').filter((flag) => flag !== ''), '--help'];
}

function argumentsOf({ registeredArguments }: DefinedCommand, events: readonly string[], dialects: readonly string[]): readonly string[] {
  const name = registeredArguments[0]?.name() ?? '';
  if (/^event/i.test(name)) return events;
  return name === 'dialect' ? dialects : [];
}

/** Returns the cases of the shell script for options that take a value. */
function casesOf(commands: readonly DefinedCommand[], names: readonly string[]): string {
  const actions = { dialect: `-W '${names.join(' ')}'`, folder: '-d', file: '-f' };
  const withValue = new Map(
    commands.flatMap(({ options }) => options.filter(({ required }) => required).map((option) => [option.long ?? '', option])),
  );
  return [...withValue]
    .map(([long, { short }]) => {
      const kind = valuesOf[long];
      const reply = kind === undefined ? 'COMPREPLY=(); return 0' : `COMPREPLY=($(compgen ${actions[kind]} -- "$current")); return 0`;
      return `    ${[short, long].filter((flag) => flag !== undefined).join('|')}) ${reply} ;;`;
    })
    .join('\n');
}
