import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { isPathOption, refuseOption, requireKnownOptions } from '../shared/options.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import { claudeTools } from './tools/tool-table.js';

/** Data about a plugin whose hooks the host passes to Tenterhook. */
export interface ClaudePlugin {
  /**
   * The directory with the plugin's data, an absolute path. Hooks receive it as `CLAUDE_PLUGIN_DATA`. It is created before a hook
   * of the plugin runs.
   * @default the directory that Claude Code uses: `~/.claude/plugins/data/<id>`
   */
  readonly dataDirectory?: string;
  /** The user's options of the plugin. Hooks receive each option as `CLAUDE_PLUGIN_OPTION_<KEY>`. @default none */
  readonly options?: Readonly<Record<string, string>>;
}

/** Options of Claude Code's dialect: what hooks receive about the host, and where the host's files are. */
export interface ClaudeCodeOptions {
  /**
   * Claude Code's names for tools of the host, and for their arguments if these differ. The known tools of LLxprt and Gemini CLI
   * are always included.
   * @default none
   */
  readonly tools?: HostTools;
  /** The value of `permission_mode` on stdin. A string in this field of the event overrides it. @default 'default' */
  readonly permissionMode?: string;
  /** The absolute path of the administrator's settings file. @default the path of Claude Code on this platform */
  readonly managedFile?: string;
  /** Data about the plugins whose hooks the host passes, by plugin name. @default none */
  readonly plugins?: Readonly<Record<string, ClaudePlugin>>;
  /**
   * Whether rules in `if` ignore the case of paths and of command names. Set this option if the project's file system is unusual
   * for the platform, e.g. a case-sensitive disk on macOS.
   * @default true on macOS and Windows
   */
  readonly ignoreCase?: boolean;
}

/** The validated options, with their defaults. */
export interface ClaudeHost {
  readonly tools: ToolTranslation;
  /** The home directory, which replaces `~` in paths of files, or `''` if there is none. */
  readonly home: string;
  /** Returns this host with another home directory. For the same directory it returns the same object. */
  at(home: string): ClaudeHost;
  readonly permissionMode: string;
  readonly managedFile?: string;
  readonly plugins: Readonly<Record<string, ClaudePlugin>>;
  /** If undefined, the platform decides. See `ClaudeCodeOptions`. */
  readonly ignoreCase?: boolean;
}

const names: readonly (keyof ClaudeCodeOptions)[] = ['tools', 'permissionMode', 'managedFile', 'plugins', 'ignoreCase'];

export function parseOptions(options: ClaudeCodeOptions): ClaudeHost {
  requireKnownOptions('claudeCode', options, names);
  const {
    tools = {},
    permissionMode = 'default',
    managedFile,
    plugins = {},
    ignoreCase,
  }: { readonly [Name in keyof ClaudeCodeOptions]?: unknown } = options;
  if (!isHostTools(tools))
    refuseOption(
      'claudeCode',
      'tools',
      `an object that maps names of the host's tools to Claude Code's names: ${hostToolsExpected('Bash')}`,
    );
  if (!isText(permissionMode)) refuseOption('claudeCode', 'permissionMode', 'a string such as "default"');
  if (!isPathOption(managedFile)) refuseOption('claudeCode', 'managedFile', 'an absolute path');
  if (!isTable(plugins, isPlugin))
    refuseOption(
      'claudeCode',
      'plugins',
      'an object with the data of each plugin, by its name: { formatter: { options: { STYLE: "wide" } } }',
    );
  if (ignoreCase !== undefined && typeof ignoreCase !== 'boolean') refuseOption('claudeCode', 'ignoreCase', 'true or false');
  const others = { permissionMode, plugins, ...omitUndefined({ managedFile, ignoreCase }) };
  const hosts = new Map<string, ClaudeHost>();
  const at = (home: string): ClaudeHost => {
    const known = hosts.get(home);
    if (known !== undefined) return known;
    const host = { ...others, home, at, tools: translateTools(claudeTools, tools, { absoluteFiles: true, home }) };
    hosts.set(home, host);
    return host;
  };
  return at('');
}

function isTable<Value>(value: unknown, isValue: (item: unknown) => item is Value): value is Readonly<Record<string, Value>> {
  return isPlainObject(value) && Object.values(value).every(isValue);
}

function isPlugin(value: unknown): value is ClaudePlugin {
  if (!isPlainObject(value)) return false;
  const { dataDirectory, options } = value;
  const isDirectory = isPathOption(dataDirectory);
  return isDirectory && (options === undefined || isTable(options, (text): text is string => typeof text === 'string'));
}
