import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line says. */
export interface Flags {
  /** The name of the server, as hooks match it. */
  readonly server: string;
  readonly projectDir: string;
  readonly settings?: readonly string[] | undefined;
  readonly dialect?: string | undefined;
  readonly onUnavailable: 'allow' | 'deny';
  readonly canElicit: boolean;
  /** The program of the server, and its arguments. */
  readonly command: readonly [file: string, ...args: string[]];
}

/** A wrong command line. The message says what to write. */
export class UsageError extends Error {
  static {
    UsageError.prototype.name = 'UsageError';
  }
}

export const usage = `tenterhook-mcp [options] -- COMMAND [ARGUMENT]…

Starts an MCP server and runs hooks around the calls of its tools.

  --server NAME                 name of the server, as hooks match it: mcp__NAME__tool (default: the name of the program)
  --project DIR                 project whose hooks run (default: the current directory)
  --settings FILE               settings file to use instead of those that are found; may be repeated
  --dialect NAME                format of the settings
  --on-unavailable allow|deny   what happens to a call if its hooks cannot be asked (default: allow)
  --no-elicitation              do not ask the user through the client; a call that hooks ask about is refused
  --help, --version
`;

/** Reads the command line. Throws a UsageError. */
export function readFlags(argv: readonly string[], cwd: string): Flags | 'help' | 'version' {
  const end = argv.indexOf('--');
  const values = parse(argv.slice(0, end < 0 ? undefined : end));
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [file, ...args] = end < 0 ? [] : argv.slice(end + 1);
  if (file === undefined || file === '') {
    throw new UsageError(
      'The command of the MCP server is missing. Write it after --, as in: tenterhook-mcp --server files -- npx my-server',
    );
  }
  const unavailable = values['on-unavailable'] ?? 'allow';
  if (unavailable !== 'allow' && unavailable !== 'deny') {
    throw new UsageError(`--on-unavailable must be allow or deny, and is "${unavailable}".`);
  }
  for (const name of ['server', 'project', 'dialect'] as const) {
    if (values[name] === '') throw new UsageError(`--${name} is empty.`);
  }
  if (values.settings?.includes('')) throw new UsageError('--settings is empty. Pass the path of a settings file.');
  return {
    server: values.server ?? basename(file).replace(/\.\w+$/, ''),
    projectDir: values.project ?? cwd,
    settings: values.settings,
    dialect: values.dialect,
    onUnavailable: unavailable,
    canElicit: values['no-elicitation'] !== true,
    command: [file, ...args],
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        server: { type: 'string' },
        project: { type: 'string' },
        settings: { type: 'string', multiple: true },
        dialect: { type: 'string' },
        'on-unavailable': { type: 'string' },
        'no-elicitation': { type: 'boolean' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    const [message] = (error as Error).message.split('. ');
    throw new UsageError(`${message}. Write the command of the server after --. tenterhook-mcp --help lists the options.`);
  }
}
