import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { isAbsolute } from '../shared/paths.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { translateTools } from '../shared/tools/tool-translation.js';
import { ecaTools, type ToolHost } from './tools.js';

/** How the host looks to ECA's hooks. */
export interface EcaOptions {
  /** The server that the host's own tools belong to. @default 'eca' */
  readonly server?: string;
  /**
   * What ECA calls tools of the host, beside those of LLxprt and Gemini CLI: the name, or that and the keys of arguments. Matchers are tried with
   * both names. @default none
   */
  readonly tools?: HostTools;
  /** What stands in `agent` and `behavior` on stdin; an event that has a text in its field `agent` says so itself. @default 'code' */
  readonly agent?: string;
  /** What stands in `db_cache_path` on stdin: a path, or nothing where the host keeps no such file. @default '' */
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
  if (!isPlainObject(options)) throw new TypeError('eca: the options must be an object, or be left out.');
  requireKnown(options);
  const {
    server = 'eca',
    tools = {},
    agent = 'code',
    dbCachePath = '',
    workspaces,
  }: { readonly [Name in keyof EcaOptions]?: unknown } = options;
  if (!isText(server)) refuse('server', 'a text such as "eca"');
  if (typeof agent !== 'string') refuse('agent', 'a text such as "code"');
  if (typeof dbCachePath !== 'string') refuse('dbCachePath', 'a path, or an empty text');
  if (!isHostTools(tools, (name) => !name.includes('__'))) {
    refuse('tools', `names of ECA, without a server, by names of the host: ${hostToolsExpected('shell_command')}`);
  }
  if (workspaces !== undefined && !isListOfFolders(workspaces)) refuse('workspaces', 'a list of at least one folder, absolute paths');
  const translation = translateTools(ecaTools, tools, { fileOfOthers: 'path' });
  return { server, tools: translation, agent, dbCachePath, ...(workspaces === undefined ? {} : { workspaces }) };
}

function requireKnown(options: object): void {
  for (const option of Object.keys(options)) {
    if ((names as readonly string[]).includes(option)) continue;
    const nearest = nearestName(option, names);
    throw new TypeError(
      `eca: there is no option "${option}". ${nearest === undefined ? `It has ${names.join(', ')}.` : `Did you mean "${nearest}"?`}`,
    );
  }
}

function isListOfFolders(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((folder) => isText(folder) && isAbsolute(folder));
}

function refuse(option: keyof EcaOptions, expected: string): never {
  throw new TypeError(`eca: the option "${option}" must be ${expected}.`);
}
