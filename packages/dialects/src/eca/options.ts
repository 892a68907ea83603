import { refuseOption, requireKnownOptions } from '../shared/options.js';
import { isAbsolute } from '../shared/paths.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { translateTools } from '../shared/tools/tool-translation.js';
import { ecaTools, type ToolHost } from './tools.js';

/** Options of ECA's dialect: what hooks receive about the host, and where the host's files are. */
export interface EcaOptions {
  /** The name of the server to which the host's own tools belong. @default 'eca' */
  readonly server?: string;
  /**
   * ECA's names for tools of the host, and for their arguments if these differ. The known tools of LLxprt and Gemini CLI are always
   * included. Matchers are compared with the host's name and with ECA's name.
   * @default none
   */
  readonly tools?: HostTools;
  /** The value of `agent` and `behavior` on stdin. A string in the field `agent` of an event overrides it. @default 'code' */
  readonly agent?: string;
  /** The value of `db_cache_path` on stdin: a path, or `''` if the host has no such file. @default '' */
  readonly dbCachePath?: string;
  /**
   * The command that starts the host. Hooks that call the host receive it in `eca_executable` on stdin, and in the variable
   * ECA_EXECUTABLE. @default '', and no variable
   */
  readonly executable?: string;
  /**
   * The workspace folders, as absolute paths. Settings are read from the first folder, and hooks run there.
   * @default the project directory
   */
  readonly workspaces?: readonly string[];
}

/** The validated options, with their defaults. */
export interface EcaHost extends ToolHost {
  readonly agent: string;
  readonly dbCachePath: string;
  readonly executable: string;
  readonly workspaces?: readonly string[];
}

const names: readonly (keyof EcaOptions)[] = ['server', 'tools', 'agent', 'dbCachePath', 'executable', 'workspaces'];

/** Validates the options. Throws a TypeError for an invalid option, because with it hooks would not run, without a message. */
export function parseOptions(options: EcaOptions): EcaHost {
  requireKnownOptions('eca', options, names);
  const {
    server = 'eca',
    tools = {},
    agent = 'code',
    dbCachePath = '',
    executable = '',
    workspaces,
  }: { readonly [Name in keyof EcaOptions]?: unknown } = options;
  if (!isText(server)) refuseOption('eca', 'server', 'a string such as "eca"');
  if (typeof agent !== 'string') refuseOption('eca', 'agent', 'a string such as "code"');
  if (typeof dbCachePath !== 'string') refuseOption('eca', 'dbCachePath', 'a path, or an empty string');
  if (typeof executable !== 'string') refuseOption('eca', 'executable', 'a command, or an empty string');
  if (!isHostTools(tools, (name) => !name.includes('__'))) {
    refuseOption(
      'eca',
      'tools',
      `an object that maps names of the host's tools to ECA's names without a server: ${hostToolsExpected('shell_command')}`,
    );
  }
  if (workspaces !== undefined && !isListOfFolders(workspaces))
    refuseOption('eca', 'workspaces', 'an array of at least one folder, as absolute paths');
  const translation = translateTools(ecaTools, tools, { fileOfOthers: 'path' });
  return { server, tools: translation, agent, dbCachePath, executable, ...(workspaces === undefined ? {} : { workspaces }) };
}

function isListOfFolders(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((folder) => isText(folder) && isAbsolute(folder));
}
