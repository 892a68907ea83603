import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { isPathOption, refuseOption, requireKnownOptions } from '../shared/options.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import { codexTools } from './tools/tool-table.js';

/** Data about a plugin whose hooks the host passes to Tenterhook. */
export interface CodexPlugin {
  /**
   * The directory with the plugin's data, an absolute path. Hooks receive it as `PLUGIN_DATA`. It is created before a hook of the
   * plugin runs.
   * @default the variable is not set
   */
  readonly dataDirectory?: string;
}

/** Options of Codex's dialect: what hooks receive about the host, and where the host's files are. */
export interface CodexOptions {
  /**
   * Codex's names for tools of the host, and for their arguments if these differ. The known tools of LLxprt and Gemini CLI are always
   * included.
   * @default none
   */
  readonly tools?: HostTools;
  /** The value of `permission_mode` on stdin. A string in this field of the event overrides it. @default 'default' */
  readonly permissionMode?: string;
  /** The value of `model` on stdin. A string in the field `model` or `model_name` of the event overrides it. @default 'unknown' */
  readonly model?: string;
  /** The absolute path of the administrator's file. @default the path of Codex's `requirements.toml` on this platform */
  readonly managedFile?: string;
  /** Data about the plugins whose hooks the host passes, by plugin name. @default none */
  readonly plugins?: Readonly<Record<string, CodexPlugin>>;
  /**
   * What an ask means. Codex has no ask: the run fails, and the call proceeds. `deny` denies, `ask` asks the user of the host, and with
   * `none` the run has failed.
   * @default 'deny'
   */
  readonly ask?: 'deny' | 'ask' | 'none';
  /**
   * True if hooks run although Codex's user has not reviewed them, as with `--dangerously-bypass-hook-trust` of Codex. Hooks of a project
   * still need the trust of Tenterhook.
   * @default false
   */
  readonly bypassHookTrust?: boolean;
}

/** The validated options, with their defaults. */
export interface CodexHost {
  readonly tools: ToolTranslation;
  readonly permissionMode: string;
  readonly model: string;
  readonly managedFile?: string;
  readonly plugins: Readonly<Record<string, CodexPlugin>>;
  readonly ask: 'deny' | 'ask' | 'none';
  readonly bypassHookTrust: boolean;
}

const names: readonly (keyof CodexOptions)[] = ['tools', 'permissionMode', 'model', 'managedFile', 'plugins', 'ask', 'bypassHookTrust'];

export function parseOptions(options: CodexOptions): CodexHost {
  requireKnownOptions('codex', options, names);
  const {
    tools = {},
    permissionMode = 'default',
    model = 'unknown',
    managedFile,
    plugins = {},
    ask = 'deny',
    bypassHookTrust = false,
  }: { readonly [Name in keyof CodexOptions]?: unknown } = options;
  if (!isHostTools(tools))
    refuseOption('codex', 'tools', `an object that maps names of the host's tools to Codex's names: ${hostToolsExpected('Bash')}`);
  if (!isText(permissionMode)) refuseOption('codex', 'permissionMode', 'a string such as "default"');
  if (!isText(model)) refuseOption('codex', 'model', 'the name of a model');
  if (!isPathOption(managedFile)) refuseOption('codex', 'managedFile', 'an absolute path');
  if (!isPlugins(plugins))
    refuseOption('codex', 'plugins', 'an object with the data of each plugin, by its name: { formatter: { dataDirectory: "/srv/data" } }');
  if (ask !== 'deny' && ask !== 'ask' && ask !== 'none') refuseOption('codex', 'ask', '"deny", "ask" or "none"');
  if (typeof bypassHookTrust !== 'boolean') refuseOption('codex', 'bypassHookTrust', 'true or false');
  return {
    tools: translateTools(codexTools, tools, { absoluteFiles: true }),
    permissionMode,
    model,
    plugins,
    ask,
    bypassHookTrust,
    ...omitUndefined({ managedFile }),
  };
}

function isPlugins(value: unknown): value is Readonly<Record<string, CodexPlugin>> {
  return isPlainObject(value) && Object.values(value).every((plugin) => isPlainObject(plugin) && isPathOption(plugin['dataDirectory']));
}
