import { Command, CommanderError, Option } from 'commander';
import { escapeForTerminal } from '../output/terminal/escape.js';
import { type CommandContext, maxMessage, printError, printJson, processContext, toFailure } from './context.js';
import type { CommandDefinition, OptionDefinition } from './definitions/command-definition.js';
import { events, explain, fire, testCases } from './definitions/events.js';
import { inspect } from './definitions/inspect.js';
import { diff, record, replay, report } from './definitions/recordings.js';
import { relay } from './definitions/relay.js';
import { serve } from './definitions/serve.js';
import { completion, init, list, migrate, schema, validate } from './definitions/settings.js';
import { trust } from './definitions/trust.js';
import { ExitStatus } from './errors/exit-status.js';
import { type CliError, formatCliError } from './errors/format-cli-error.js';
import { explainUsage } from './errors/usage-hints.js';
import { version } from './version.js';

/**
 * Runs the command line and resolves to its exit status. Never rejects and never ends the process, so that programs and tests can run
 * commands in their own process. While `fire` waits for hooks, it handles signals to the process.
 *
 * `argv` are the words after `tenterhook`. `context` replaces parts of the process, such as its streams. @default those of this process
 */
export async function run(argv: readonly string[], context: Partial<CommandContext> = {}): Promise<number> {
  const complete = completeContext(context);
  let status: number = ExitStatus.ok;
  const program = createProgram(complete, argv, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    const failed = error instanceof CommanderError ? fromCommander(error) : formatCliError(error);
    if (failed.report !== undefined) complete.stderr.write(failed.report);
    else if (failed.message !== '') printError(complete, failed.message);
    // A caller that passed --json parses stdout. So a failure is printed as a JSON document too.
    if (failed.status !== ExitStatus.ok && argv.includes('--json')) {
      printJson(complete, toFailure(failed.error));
    }
    return failed.status;
  }
}

/** Runs the command line in its own process, and sets the exit status of the process. */
export async function runInProcess(argv: readonly string[]): Promise<void> {
  // A reader of a pipe may end early (`| head`); this is not an error. A full disk is an error, but not a bug of this program.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`tenterhook: stdout cannot be written: ${error.message}\n`);
    process.exitCode = ExitStatus.expectedFailure;
  });
  // Without a reader of its messages, a command must still finish its work. Otherwise the end of a log program would end a worker.
  process.stderr.on('error', () => {});
  process.exitCode = await run(argv, processContext);
}

/**
 * Copies the fields one by one. A spread would read the current directory, and throw if it was deleted, even for commands that do not need
 * it.
 */
function completeContext(given: Partial<CommandContext>): CommandContext {
  return {
    get cwd() {
      return given.cwd ?? processContext.cwd;
    },
    env: given.env ?? processContext.env,
    stdin: given.stdin ?? processContext.stdin,
    stdout: given.stdout ?? processContext.stdout,
    stderr: given.stderr ?? processContext.stderr,
  };
}

/** The message is `''`, because Commander has already printed it, with a reference to the help. */
function fromCommander({ exitCode, message }: CommanderError): CliError {
  return { status: exitCode === 0 ? ExitStatus.ok : ExitStatus.usage, error: { code: 'invalid_request', message }, message: '' };
}

/** The commands, in the order of the help. */
const commands: readonly CommandDefinition[] = [
  fire,
  explain,
  list,
  validate,
  testCases,
  serve,
  record,
  diff,
  replay,
  report,
  inspect,
  trust,
  relay,
  migrate,
  init,
  events,
  schema,
  completion,
];

/** Defines the commands. The module of a command is imported when the command runs. */
function createProgram(context: CommandContext, words: readonly string[], finish: (status: number) => void): Command {
  const program = new Command('tenterhook')
    .description('The hook service for coding agents: fire events, explain why hooks do not run, check settings.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // The message quotes the command line, so it is escaped. A line break in an argument is escaped too: the text after it could look
      // like another message. Only a hint begins a new line.
      outputError: (text, write) => {
        write(
          `${explainUsage(text, words)
            .map((line) => escapeForTerminal(line, maxMessage))
            .join('\n')}\n`,
        );
      },
      getOutHelpWidth: () => context.stdout.columns || 80,
      getErrHelpWidth: () => context.stderr.columns || 80,
    })
    .showHelpAfterError('(run tenterhook --help)')
    .configureHelp({ showGlobalOptions: true });

  for (const definition of commands) addCommand(program, definition, context, finish);
  return program;
}

function addCommand(program: Command, definition: CommandDefinition, context: CommandContext, finish: (status: number) => void): void {
  const { name, arguments: words = [], description, options = [], help } = definition;
  const command = program.command(name).description(description);
  for (const [word, meaning] of words) command.argument(word, meaning);
  for (const option of options) command.addOption(optionOf(option));
  if (help !== undefined) command.addHelpText('after', help);
  // Commander passes the arguments, the flags, and the command itself.
  command.action(async (...given) => finish(await definition.run(given.slice(0, -2), given.at(-2), context, program)));
}

function optionOf({ flags, description, isRepeatable, choices, isStrictest, default: value, conflicts }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (isRepeatable) option.argParser((given: string, previous: string[] = []) => [...previous, given]);
  if (choices !== undefined) option.choices(choices);
  const { parseArg: check } = option;
  if (isStrictest && check !== undefined)
    option.argParser((given: string, previous?: string) => {
      const value = check(given, undefined);
      return choices?.find((choice) => choice === value || choice === previous);
    });
  if (value !== undefined) option.default(value);
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  return option;
}
