import { Command, CommanderError, Option } from 'commander';
import { type CommandContext, printJson, processContext, toFailure } from './context.js';
import { ExitStatus } from './exit-status.js';
import { type CliError, formatCliError } from './format-cli-error.js';
import { version } from './version.js';

/**
 * Runs the command line and resolves to its exit status. It never rejects and never ends the process, so that a program, or a test, can run
 * commands in its own process. While `fire` waits for hooks it listens to the signals of the process.
 *
 * `argv`: the words after `tenterhook`. `context`: what is left out is that of this process.
 */
export async function run(argv: readonly string[], context: Partial<CommandContext> = {}): Promise<number> {
  const complete = completeContext(context);
  let status: number = ExitStatus.ok;
  const program = createProgram(complete, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    const failed = error instanceof CommanderError ? fromCommander(error) : formatCliError(error);
    complete.stderr.write(failed.shown);
    // A caller that asked for JSON reads stdout as JSON, also when no hook could be asked.
    if (failed.status !== ExitStatus.ok && argv.includes('--json')) {
      printJson(complete, toFailure({ code: failed.code, message: failed.message }));
    }
    return failed.status;
  }
}

/** Runs the command line as a process of its own, whose exit status it sets. */
export async function runInProcess(argv: readonly string[]): Promise<void> {
  // A reader that is gone (`| head`) is no error. A full disk is one, and it is not a bug of this program.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`tenterhook: stdout cannot be written: ${error.message}\n`);
    process.exitCode = ExitStatus.expectedFailure;
  });
  process.exitCode = await run(argv, processContext);
}

/** Not a spread: reading the current directory throws where it was deleted, and a command may not need it. */
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

/** Commander has written its message and the way to the help. */
function fromCommander({ exitCode, message }: CommanderError): CliError {
  return { status: exitCode === 0 ? ExitStatus.ok : ExitStatus.usage, code: 'invalid_request', message, shown: '' };
}

const repeatable = (flags: string, description: string) =>
  new Option(flags, `${description} (repeatable)`).argParser((value: string, previous: string[] = []) => [...previous, value]);
const settings = () => repeatable('-s, --settings <file>', 'use exactly this settings file and none that would be discovered');
const withSettings = (command: Command) =>
  command
    .addOption(settings())
    .option('-d, --dialect <name>', 'the format of the settings; with discovery, only this one')
    .option('--cwd <dir>', 'project directory, and working directory of the hooks')
    .addOption(repeatable('--extension <dir>', 'an extension or plugin in this directory, whose hooks take part too'));

const withTools = (command: Command) =>
  command.addOption(
    repeatable(
      '--tool <name>',
      "a tool that the agent has, server__tool for an MCP server's: matchers that fit none of these are reported",
    ),
  );

/** The commands. Each is imported when it is called: what a command does not need must not cost the start of the others. */
function createProgram(context: CommandContext, finish: (status: number) => void): Command {
  const program = new Command('tenterhook')
    .description('The hook service for coding agents: fire an event, explain why a hook does not run, check settings.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns || 80,
      getErrHelpWidth: () => context.stderr.columns || 80,
    })
    .showHelpAfterError('(run tenterhook --help)')
    .configureHelp({ showGlobalOptions: true });

  withSettings(program.command('fire'))
    .argument('<EventName>', 'event to fire, such as BeforeTool')
    .description('Fire one event and show what its hooks did and decided.')
    .option('-i, --input <json|@file|->', 'event fields as JSON, from a file, or from standard input')
    .option('--json', 'print the response as one JSON document')
    .option('--exit-code', 'exit with 2 when denied or stopped, 3 when asked')
    .option('-v, --verbose', 'show what each hook printed, added and changed, and where it is configured')
    .addHelpText(
      'after',
      `
Example:
  tenterhook fire BeforeTool --input '{"tool_name":"write_file","tool_input":{"path":"a.txt"}}'

Exit status:
  0 the event was carried out, 1 it could not be (settings, event or input), 64 wrong usage, 70 a bug of ours`,
    )
    .action(async (eventName, flags) => finish(await (await import('./commands/fire.js')).fire(eventName, flags, context)));

  withTools(withSettings(program.command('explain')))
    .argument('<EventName>', 'event to explain, such as BeforeTool')
    .description('Say of every hook of an event why it would or would not run. Runs nothing.')
    .option('-i, --input <json|@file|->', 'event fields as JSON, from a file, or from standard input; what the matchers look at is enough')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook explain BeforeTool --input '{"tool_name":"write_file"}'
  tenterhook explain SessionStart --input '{"source":"startup"}'
  tenterhook explain BeforeTool --tool read_file --tool write_file

Exit status:
  0 it was explained, 1 it could not be (settings, event or input), 64 wrong usage, 70 a bug of ours`,
    )
    .action(async (eventName, flags) => finish(await (await import('./commands/explain.js')).explain(eventName, flags, context)));

  withSettings(program.command('list'))
    .description('List every configured hook, and every settings file that was looked for.')
    .option('--json', 'print one JSON document')
    .action(async (flags) => finish(await (await import('./commands/list.js')).list(flags, context)));

  withTools(withSettings(program.command('validate')))
    .description('Check the settings: every problem with file, line and remedy. Exits with 1 when something does not count.')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook validate
  tenterhook validate --dialect eca
  tenterhook validate --settings hooks.json --tool read_file --tool git__commit`,
    )
    .action(async (flags) => finish(await (await import('./commands/validate.js')).validate(flags, context)));

  program
    .command('migrate')
    .description(
      "Say what becomes of one agent's hooks in another's settings, and with --write add them there. Changes nothing that is there.",
    )
    .requiredOption('--from <dialect>', 'whose hooks')
    .requiredOption('--to <dialect>', 'whose settings they go to')
    .addOption(settings())
    .option('--cwd <dir>', 'project directory')
    .option('--write', 'add what converts to the settings of the same level: the project, the user')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  tenterhook migrate --from claude-code --to llxprt
  tenterhook migrate --from claude-code --to llxprt --write

Exit status:
  0 it was said, or done, whatever cannot be converted; 1 a file cannot be read or written, 64 wrong usage, 70 a bug of ours`,
    )
    .action(async (flags) => finish(await (await import('./commands/migrate.js')).migrate(flags, context)));

  program
    .command('schema')
    .description('Print the JSON Schema of the settings files, for editors and checkers.')
    .option('-d, --dialect <name>', 'whose settings, such as eca', 'llxprt')
    .addOption(new Option('--messages', 'print the schema of the messages on the bus instead').conflicts('dialect'))
    .addHelpText(
      'after',
      `
Examples:
  tenterhook schema > llxprt-settings.schema.json
  tenterhook schema --dialect eca > eca-settings.schema.json
  tenterhook schema --messages`,
    )
    .action(async (flags) => finish(await (await import('./commands/schema.js')).schema(flags, context)));

  return program;
}
