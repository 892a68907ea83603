import { Command, CommanderError, Option } from 'commander';
import { escapeForTerminal } from '../output/terminal/escape.js';
import { type CommandContext, maxMessage, printError, printJson, processContext, toFailure } from './context.js';
import { ExitStatus } from './exit-status.js';
import { type CliError, formatCliError } from './format-cli-error.js';
import { explainUsage } from './usage-hints.js';
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

/** Commander has already printed its message and a reference to the help. */
function fromCommander({ exitCode, message }: CommanderError): CliError {
  return { status: exitCode === 0 ? ExitStatus.ok : ExitStatus.usage, error: { code: 'invalid_request', message }, message: '' };
}

const repeatable = (flags: string, description: string) =>
  new Option(flags, `${description} (repeatable)`).argParser((value: string, previous: string[] = []) => [...previous, value]);
const settings = () => repeatable('-s, --settings <file>', 'read only this settings file; search for no others');
const withSettings = (command: Command) =>
  command
    .addOption(settings())
    .option('-d, --dialect <name>', 'format of the settings; without --settings, look only for files of this format')
    .option('--cwd <dir>', 'project directory, and working directory of the hooks (default: the current directory)')
    .addOption(
      repeatable('--allow-private-address <host>', 'let http hooks call this host name, address or CIDR range, for example localhost'),
    )
    .addOption(repeatable('--extension <dir>', 'also load the hooks of the extension or plugin in this directory'))
    .option('--trust-pins <file>', 'also trust the hooks of the project whose pins are in this file, which must be outside of the project')
    .addOption(new Option('--trust-project', 'trust all hooks of the project, for this command only').conflicts('trustPins'));

const withTools = (command: Command) =>
  command.addOption(repeatable('--tool <name>', 'a tool of the agent (MCP tools: server__tool); reports matchers that match no --tool'));

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

  withSettings(program.command('fire'))
    .argument('[EventName]', 'event to fire, for example BeforeTool')
    .description('Fire one event and show what its hooks did and decided.')
    .option('-i, --input <json|@file|->', 'event fields as JSON, from a file, or from standard input')
    .option('--json', 'print the response as one JSON document')
    .option('--exit-code', 'exit with 2 if the hooks deny or stop, with 3 if they ask')
    .option('-v, --verbose', 'show what each hook read, printed, added and changed, and where it is configured')
    .addHelpText(
      'after',
      `
Example:
  tenterhook fire BeforeTool --input '{"tool_name":"write_file","tool_input":{"path":"a.txt"}}'

Exit status:
  0    the event was fired
  1    it could not be fired (settings, event or input)
  2    with --exit-code: the hooks deny or stop
  3    with --exit-code: the hooks ask
  64   usage error
  70   a bug in tenterhook
  128 + n  the command was ended by signal n`,
    )
    .action(async (eventName, flags) => finish(await (await import('./commands/fire.js')).fire(eventName, flags, context)));

  withTools(withSettings(program.command('explain')))
    .argument('[EventName]', 'event to explain, for example BeforeTool (default: all events with hooks)')
    .description('Explain why each hook of an event would run or would not run. Runs no hook.')
    .option(
      '-i, --input <json|@file|->',
      'event fields as JSON, from a file, or from standard input; only the fields that matchers read are needed',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook explain BeforeTool --input '{"tool_name":"write_file"}'
  tenterhook explain SessionStart --input '{"source":"startup"}'
  tenterhook explain
  tenterhook explain BeforeTool --tool read_file --tool write_file

Exit status:
  0    the event was explained
  1    it could not be explained (settings, event or input)
  64   usage error
  70   a bug in tenterhook`,
    )
    .action(async (eventName, flags) => finish(await (await import('./commands/explain.js')).explain(eventName, flags, context)));

  withSettings(program.command('list'))
    .argument('[EventName]', 'list only the hooks of this event')
    .description('List all configured hooks, and all settings files that were searched for.')
    .option('--json', 'print one JSON document')
    .action(async (eventName, flags) => finish(await (await import('./commands/list.js')).list(eventName, flags, context)));

  withTools(withSettings(program.command('validate')))
    .argument('[file...]', 'settings files to check, as with --settings')
    .description('Check the settings and list every problem with file, line and remedy. Exits with 1 if a part of the settings is ignored.')
    .option('--json', 'print one JSON document')
    .option('--strict', 'exit with 1 for warnings too')
    .option('-q, --quiet', 'print only errors and warnings')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook validate
  tenterhook validate --dialect eca
  tenterhook validate hooks.json --tool read_file --tool git__commit`,
    )
    .action(async (files, flags) => {
      const { validate } = await import('./commands/validate.js');
      const named = [...(flags.settings ?? []), ...files];
      finish(await validate({ ...flags, ...(named.length === 0 ? {} : { settings: named }) }, context));
    });

  program
    .command('trust')
    .argument('[hook]', 'the id or the name of one hook (default: all hooks of the project)')
    .description('Show what the hooks of this project would run, and ask which of them may run. Runs no hook.')
    .option('--show', 'show the hooks and the decisions about them; asks nothing')
    .option('--diff', 'show what changed since a hook was trusted')
    .option('--revoke', 'remove the decision about a hook; with --all or --project <dir> all decisions of a project')
    .option('--all', 'with --revoke: all decisions about this project')
    .option('--project <dir>', 'with --revoke: all decisions about the project in this directory, even if the directory no longer exists')
    .option('--pins', 'print the pins of the hooks as JSON, for --trust-pins and for the policy of an administrator')
    .option('--allow-owner <uid>', 'accept files of the project that belong to this user; with --revoke, no longer accept them')
    .option('-d, --dialect <name>', 'only the hooks of this format')
    .option('--cwd <dir>', 'project directory (default: the current directory)')
    .addOption(repeatable('--extension <dir>', 'also the hooks of the extension or plugin in this directory'))
    .option('--json', 'print one JSON document; implies --show')
    .option('--exit-code', 'exit with 2 if a hook is new, changed or refused')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook trust
  tenterhook trust --show
  tenterhook trust --diff guard
  tenterhook trust --revoke claude-code/project/BeforeTool/0.0
  tenterhook trust --pins > ~/pins.json

Exit status:
  0    done
  1    no terminal, started by an agent, or the decision cannot be stored
  2    with --exit-code: a hook is new, changed or refused
  64   usage error
  70   a bug in tenterhook`,
    )
    .action(async (hook, flags) => finish(await (await import('./commands/trust.js')).trust(hook, flags, context)));

  program
    .command('migrate')
    .description(
      'Show how the hooks of one agent convert to the settings of another. With --write, add them there. Existing entries stay unchanged.',
    )
    .option('--from <dialect>', 'the dialect whose hooks are converted (required)')
    .option('--to <dialect>', 'the dialect whose settings they are added to (required)')
    .addOption(settings())
    .option('--cwd <dir>', 'project directory')
    .option('--write', 'add the converted hooks to the settings of the same level (project or user)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook migrate --from claude-code --to llxprt
  tenterhook migrate --from claude-code --to llxprt --write

Exit status:
  0    shown or written, even if some hooks cannot be converted
  1    a file cannot be read or written
  64   usage error
  70   a bug in tenterhook`,
    )
    .action(async (flags) => finish(await (await import('./commands/migrate.js')).migrate(flags, context)));

  program
    .command('init')
    .description('Write first settings for a project, with a guard that denies commands which delete folders. Changes no file that exists.')
    .option('-d, --dialect <name>', 'the agent whose settings to write (default: llxprt)')
    .option('--cwd <dir>', 'project directory (default: the current directory)')
    .option('--json', 'print one JSON document')
    .action(async (flags) => finish(await (await import('./commands/init.js')).init(flags, context)));

  program
    .command('events')
    .argument('[Event]', 'the event to describe, for example BeforeTool')
    .description('List the events. Of one event, show its fields, what hooks can do, and a sample to fire.')
    .option('-d, --dialect <name>', 'the events of this dialect, with a sample in its format')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook events
  tenterhook events BeforeTool
  tenterhook events PostToolUse --dialect claude-code`,
    )
    .action(async (event, flags) => finish(await (await import('./commands/events.js')).events(event, flags, context)));

  program
    .command('schema')
    .description('Print the JSON Schema of the settings files, for editors and validators.')
    .argument('[dialect]', 'the dialect of the settings, for example eca (default: llxprt)')
    .option('-d, --dialect <name>', 'the same as the argument')
    .addOption(new Option('--messages', 'print the schema of the messages on the bus instead').conflicts('dialect'))
    .addHelpText(
      'after',
      `
Examples:
  tenterhook schema > llxprt-settings.schema.json
  tenterhook schema eca > eca-settings.schema.json
  tenterhook schema --messages`,
    )
    .action(async (named, flags) => finish(await (await import('./commands/schema.js')).schema(named, flags, context)));

  program
    .command('completion')
    .description('Print a script that completes commands, options and events in bash.')
    .addHelpText(
      'after',
      `
Example, in ~/.bashrc:
  source <(tenterhook completion)`,
    )
    .action(async () => finish(await (await import('./commands/completion.js')).completion(program, context)));

  return program;
}
