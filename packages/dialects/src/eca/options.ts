import { isPlainObject } from '@tenterhook/protocol';
import { isAbsolute } from '../settings/file-paths.js';

/** How a host that is not ECA looks to ECA's hooks. */
export interface EcaOptions {
  /** The server that the host's own tools belong to. @default 'eca' */
  readonly server?: string;
  /** The names that ECA has for tools of the host, beside those of LLxprt and Gemini CLI. Matchers are tried with both. @default none */
  readonly tools?: Readonly<Record<string, string>>;
  /** What stands in `agent` and `behavior` on stdin; an event that has a text in its field `agent` says so itself. @default 'code' */
  readonly agent?: string;
  /** What stands in `db_cache_path` on stdin: a path, or nothing where the host keeps no such file. @default '' */
  readonly dbCachePath?: string;
  /** The workspace folders; settings are looked for in the first, and hooks run there. Absolute paths. @default the project directory */
  readonly workspaces?: readonly string[];
}

/** The same with everything filled in. */
export interface EcaHost {
  readonly server: string;
  readonly tools: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly dbCachePath: string;
  readonly workspaces?: readonly string[];
}

/** ECA's names for the tools of LLxprt and Gemini CLI (decision 56). `directory_tree` is the nearest to a listing that ECA has. */
const ecaTools: Readonly<Record<string, string>> = {
  run_shell_command: 'shell_command',
  read_file: 'read_file',
  write_file: 'write_file',
  replace: 'edit_file',
  list_directory: 'directory_tree',
  grep_search: 'grep',
  invoke_agent: 'spawn_agent',
  ask_user: 'ask_user',
};

/** Throws a TypeError that names the option, because a wrong one would show as hooks that do not fire. */
export function hostOf(options: EcaOptions): EcaHost {
  const { server = 'eca', tools = {}, agent = 'code', dbCachePath = '', workspaces } = options;
  if (typeof server !== 'string' || server === '') refuse('server', 'a text such as "eca"');
  if (typeof agent !== 'string') refuse('agent', 'a text such as "code"');
  if (typeof dbCachePath !== 'string') refuse('dbCachePath', 'a path, or an empty text');
  if (!isPlainObject(tools) || !Object.values(tools).every(isText))
    refuse('tools', 'names of ECA by names of the host: { bash: "shell_command" }');
  if (
    workspaces !== undefined &&
    !(Array.isArray(workspaces) && workspaces.length > 0 && workspaces.every((folder) => isText(folder) && isAbsolute(folder)))
  ) {
    refuse('workspaces', 'a list of at least one folder, absolute paths');
  }
  return { server, tools: { ...ecaTools, ...tools }, agent, dbCachePath, ...(workspaces === undefined ? {} : { workspaces }) };
}

function refuse(option: keyof EcaOptions, expected: string): never {
  throw new TypeError(`eca: the option "${option}" must be ${expected}.`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
