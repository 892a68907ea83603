import { omitUndefined } from '@tenterhook/runtime/json';
import { refuseOption, requireKnownOptions } from '../shared/options.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import { antigravityTools } from './tools/tool-table.js';

/** Options of Antigravity's dialect: what hooks receive about the host, and what an ask means. */
export interface AntigravityOptions {
  /**
   * Antigravity's names for tools of the host, such as `run_command`, and for their arguments if these differ. The known tools of LLxprt
   * and Gemini CLI are always included.
   * @default none
   */
  readonly tools?: HostTools;
  /** The value of `modelName` on stdin. A string in the field `model_name` of the event overrides it. @default the field is missing */
  readonly model?: string;
  /** What `ask` and `force_ask` mean. Where no user can answer, such as in a batch job, let it be `deny`. @default 'ask' */
  readonly ask?: 'ask' | 'deny';
}

/** The validated options, with their defaults. */
export interface AntigravityHost {
  readonly tools: ToolTranslation;
  /** The home directory, which replaces `~` in paths of files, or `''` if there is none. */
  readonly home: string;
  /** Returns this host with another home directory. For the same directory it returns the same object. */
  at(home: string): AntigravityHost;
  readonly model?: string;
  readonly ask: 'ask' | 'deny';
}

const names: readonly (keyof AntigravityOptions)[] = ['tools', 'model', 'ask'];

export function parseOptions(options: AntigravityOptions): AntigravityHost {
  requireKnownOptions('antigravity', options, names);
  const { tools = {}, model, ask = 'ask' }: { readonly [Name in keyof AntigravityOptions]?: unknown } = options;
  if (!isHostTools(tools)) {
    const expected = `an object that maps names of the host's tools to Antigravity's names: ${hostToolsExpected('run_command')}`;
    refuseOption('antigravity', 'tools', expected);
  }
  if (model !== undefined && !isText(model)) refuseOption('antigravity', 'model', 'the name of a model');
  if (ask !== 'ask' && ask !== 'deny') refuseOption('antigravity', 'ask', '"ask" or "deny"');
  const others = { ask: ask as AntigravityHost['ask'], ...omitUndefined({ model: model as string | undefined }) };
  const hosts = new Map<string, AntigravityHost>();
  const at = (home: string): AntigravityHost => {
    const known = hosts.get(home);
    if (known !== undefined) return known;
    const host: AntigravityHost = { ...others, home, at, tools: translateTools(antigravityTools, tools, { absoluteFiles: true, home }) };
    hosts.set(home, host);
    return host;
  };
  return at('');
}
