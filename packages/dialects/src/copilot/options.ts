import { omitUndefined } from '@tenterhook/runtime/json';
import { isPathOption, refuseOption, requireKnownOptions } from '../shared/options.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import { copilotTools } from './tools/tool-table.js';

/** The number of characters of the contexts of an event above which Copilot cuts them. */
export const mostContext = 10_240;

/** Options of Copilot's dialect: which of its products the host is, and where the host's files are. */
export interface CopilotOptions {
  /**
   * Copilot's names for tools of the host, such as `bash`, and for their arguments if these differ. The known tools of LLxprt and Gemini
   * CLI are always included.
   * @default none
   */
  readonly tools?: HostTools;
  /**
   * The product whose rules hold. In VS Code, matchers are ignored, hooks receive other fields, and answers are inside
   * `hookSpecificOutput`.
   * @default 'command-line'
   */
  readonly product?: 'command-line' | 'vscode';
  /** What an ask means. In Copilot's cloud agent, where no user can answer, it is a deny. @default 'ask' */
  readonly ask?: 'ask' | 'deny';
  /** The absolute path of the administrator's folder. @default the folder of Copilot on this platform */
  readonly managedFolder?: string;
}

/** The validated options, with their defaults. */
export interface CopilotHost {
  readonly tools: ToolTranslation;
  /** The home directory, which replaces `~` in paths of files, or `''` if there is none. */
  readonly home: string;
  /** Returns this host with another home directory. For the same directory it returns the same object. */
  at(home: string): CopilotHost;
  readonly isVsCode: boolean;
  readonly ask: 'ask' | 'deny';
  readonly managedFolder?: string;
}

const names: readonly (keyof CopilotOptions)[] = ['tools', 'product', 'ask', 'managedFolder'];

export function parseOptions(options: CopilotOptions): CopilotHost {
  requireKnownOptions('copilot', options, names);
  const {
    tools = {},
    product = 'command-line',
    ask = 'ask',
    managedFolder,
  }: { readonly [Name in keyof CopilotOptions]?: unknown } = options;
  if (!isHostTools(tools))
    refuseOption('copilot', 'tools', `an object that maps names of the host's tools to Copilot's names: ${hostToolsExpected('bash')}`);
  if (product !== 'command-line' && product !== 'vscode') refuseOption('copilot', 'product', '"command-line" or "vscode"');
  if (ask !== 'ask' && ask !== 'deny') refuseOption('copilot', 'ask', '"ask" or "deny"');
  if (!isPathOption(managedFolder)) refuseOption('copilot', 'managedFolder', 'an absolute path');
  const others = { isVsCode: product === 'vscode', ask: ask as CopilotHost['ask'], ...omitUndefined({ managedFolder }) };
  const hosts = new Map<string, CopilotHost>();
  const at = (home: string): CopilotHost => {
    const known = hosts.get(home);
    if (known !== undefined) return known;
    const host: CopilotHost = { ...others, home, at, tools: translateTools(copilotTools, tools, { absoluteFiles: true, home }) };
    hosts.set(home, host);
    return host;
  };
  return at('');
}
