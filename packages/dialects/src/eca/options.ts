import { refuseOption, requireKnownOptions } from '../shared/options.js';
import { isAbsolute } from '../shared/paths.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { translateTools } from '../shared/tools/tool-translation.js';
import { ecaTools, type ToolHost } from './tools.js';

/** How the host presents itself to hooks of ECA. */
export interface EcaOptions {
  /** The server that the host's own tools belong to. @default 'eca' */
  readonly server?: string;
  /**
   * ECA's names for tools of the host, in addition to the tools of LLxprt and Gemini CLI: the name, or the name and the keys of arguments.
   * Matchers are tested with both names. @default none
   */
  readonly tools?: HostTools;
  /** The value of `agent` and `behavior` on stdin. A string in the field `agent` of an event overrides it. @default 'code' */
  readonly agent?: string;
  /** The value of `db_cache_path` on stdin: a path, or an empty string if the host has no such file. @default '' */
  readonly dbCachePath?: string;
  /** The workspace folders; settings are looked for in the first, and hooks run there. Absolute paths. @default the project directory */
  readonly workspaces?: readonly string[];
}

/** The options with their defaults. */
export interface EcaHost extends ToolHost {
  readonly agent: string;
  readonly dbCachePath: string;
  readonly workspaces?: readonly string[];
}

const names: readonly (keyof EcaOptions)[] = ['server', 'tools', 'agent', 'dbCachePath', 'workspaces'];

/** Throws a TypeError that names the option: a wrong one would only show as hooks that do not fire. */
export function parseOptions(options: EcaOptions): EcaHost {
  requireKnownOptions('eca', options, names);
  const {
    server = 'eca',
    tools = {},
    agent = 'code',
    dbCachePath = '',
    workspaces,
  }: { readonly [Name in keyof EcaOptions]?: unknown } = options;
  if (!isText(server)) refuseOption('eca', 'server', 'a string such as "eca"');
  if (typeof agent !== 'string') refuseOption('eca', 'agent', 'a string such as "code"');
  if (typeof dbCachePath !== 'string') refuseOption('eca', 'dbCachePath', 'a path, or an empty string');
  if (!isHostTools(tools, (name) => !name.includes('__'))) {
    refuseOption('eca', 'tools', `ECA names (without a server) by host names: ${hostToolsExpected('shell_command')}`);
  }
  if (workspaces !== undefined && !isListOfFolders(workspaces))
    refuseOption('eca', 'workspaces', 'an array of at least one folder, as absolute paths');
  const translation = translateTools(ecaTools, tools, { fileOfOthers: 'path' });
  return { server, tools: translation, agent, dbCachePath, ...(workspaces === undefined ? {} : { workspaces }) };
}

function isListOfFolders(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((folder) => isText(folder) && isAbsolute(folder));
}
