import { omitUndefined } from '@tenterhook/runtime/json';
import { isPathOption, refuseOption, requireKnownOptions } from '../shared/options.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import type { RelativeProduct } from './product.js';

/** Options of the dialects of Claude Code's relatives: what hooks receive about the host, and where the host's files are. */
export interface RelativeOptions {
  /**
   * The agent's names for tools of the host, and for their arguments if these differ. The known tools of LLxprt and Gemini CLI are always
   * included.
   * @default none
   */
  readonly tools?: HostTools;
  /**
   * The value of `permission_mode` on stdin, for agents that send it. A string in this field of the event overrides it.
   * @default 'default'
   */
  readonly permissionMode?: string;
  /** The absolute path of the administrator's file, for agents that have one. @default the path of the agent on this platform */
  readonly managedFile?: string;
}

/** The validated options, with their defaults. */
export interface RelativeHost {
  readonly product: RelativeProduct;
  readonly tools: ToolTranslation;
  /** The home directory, which replaces `~` in paths of files, or `''` if there is none. */
  readonly home: string;
  /** Returns this host with another home directory. For the same directory it returns the same object. */
  at(home: string): RelativeHost;
  readonly permissionMode: string;
  readonly managedFile?: string;
}

const names: readonly (keyof RelativeOptions)[] = ['tools', 'permissionMode', 'managedFile'];

export function parseOptions(product: RelativeProduct, options: RelativeOptions): RelativeHost {
  const { factory, agent } = product;
  requireKnownOptions(factory, options, names);
  const { tools = {}, permissionMode = 'default', managedFile }: { readonly [Name in keyof RelativeOptions]?: unknown } = options;
  const [shell] = product.tools.shell?.names ?? ['Bash'];
  if (!isHostTools(tools))
    refuseOption(factory, 'tools', `an object that maps names of the host's tools to those of ${agent}: ${hostToolsExpected(shell)}`);
  if (!isText(permissionMode)) refuseOption(factory, 'permissionMode', 'a string such as "default"');
  if (!isPathOption(managedFile)) refuseOption(factory, 'managedFile', 'an absolute path');
  const others = { product, permissionMode, ...omitUndefined({ managedFile }) };
  const hosts = new Map<string, RelativeHost>();
  const at = (home: string): RelativeHost => {
    const known = hosts.get(home);
    if (known !== undefined) return known;
    const host: RelativeHost = { ...others, home, at, tools: translateTools(product.tools, tools, { absoluteFiles: true, home }) };
    hosts.set(home, host);
    return host;
  };
  return at('');
}
