import { omitUndefined } from '@tenterhook/runtime/json';
import { isPathOption, refuseOption, requireKnownOptions } from '../shared/options.js';
import { isText } from '../shared/text.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';
import { cursorTools } from './tools/tool-table.js';

/** Options of Cursor's dialect: what hooks receive about the host, and where the host's files are. */
export interface CursorOptions {
  /**
   * Cursor's names for tools of the host, and for their arguments if these differ. The known tools of LLxprt and Gemini CLI are always
   * included.
   * @default none
   */
  readonly tools?: HostTools;
  /** The value of `model` on stdin. A string in the field `model` or `model_name` of the event overrides it. @default 'unknown' */
  readonly model?: string;
  /** The value of `cursor_version` on stdin and of `CURSOR_VERSION`. @default 'unknown' */
  readonly version?: string;
  /** The value of `user_email` on stdin and of `CURSOR_USER_EMAIL`. @default null on stdin, and no variable */
  readonly userEmail?: string;
  /** The absolute path of the administrator's file. @default the path of Cursor on this platform */
  readonly managedFile?: string;
  /**
   * What an ask means on events on which Cursor does not obey it, such as `preToolUse`. `deny` denies, `ask` asks the user of the host, and
   * with `none` the hook has decided nothing.
   * @default 'deny'
   */
  readonly ask?: 'deny' | 'ask' | 'none';
  /**
   * Whether the host passes the field `content` with each read of a file, as Cursor does on `beforeReadFile`. Without it, hooks of this event
   * are reported, because they may look for secrets in a content that is empty.
   * @default false
   */
  readonly passesContent?: boolean;
}

/** The validated options, with their defaults. */
export interface CursorHost {
  readonly tools: ToolTranslation;
  /** The home directory, which replaces `~` in paths of files, or `''` if there is none. */
  readonly home: string;
  /** Returns this host with another home directory. For the same directory it returns the same object. */
  at(home: string): CursorHost;
  readonly model: string;
  readonly version: string;
  readonly userEmail?: string;
  readonly managedFile?: string;
  readonly ask: 'deny' | 'ask' | 'none';
  readonly passesContent: boolean;
}

const names: readonly (keyof CursorOptions)[] = ['tools', 'model', 'version', 'userEmail', 'managedFile', 'ask', 'passesContent'];

export function parseOptions(options: CursorOptions): CursorHost {
  requireKnownOptions('cursor', options, names);
  const {
    tools = {},
    model = 'unknown',
    version = 'unknown',
    userEmail,
    managedFile,
    ask = 'deny',
    passesContent = false,
  }: { readonly [Name in keyof CursorOptions]?: unknown } = options;
  if (!isHostTools(tools))
    refuseOption('cursor', 'tools', `an object that maps names of the host's tools to Cursor's names: ${hostToolsExpected('Shell')}`);
  if (!isText(model)) refuseOption('cursor', 'model', 'the name of a model');
  if (!isText(version)) refuseOption('cursor', 'version', 'a string such as "3.15.6"');
  if (userEmail !== undefined && !isText(userEmail)) refuseOption('cursor', 'userEmail', 'an address');
  if (!isPathOption(managedFile)) refuseOption('cursor', 'managedFile', 'an absolute path');
  if (ask !== 'deny' && ask !== 'ask' && ask !== 'none') refuseOption('cursor', 'ask', '"deny", "ask" or "none"');
  if (typeof passesContent !== 'boolean') refuseOption('cursor', 'passesContent', 'true or false');
  const others = {
    model,
    version,
    ask: ask as CursorHost['ask'],
    passesContent,
    ...omitUndefined({ userEmail: userEmail as string | undefined, managedFile }),
  };
  const hosts = new Map<string, CursorHost>();
  const at = (home: string): CursorHost => {
    const known = hosts.get(home);
    if (known !== undefined) return known;
    const host: CursorHost = { ...others, home, at, tools: translateTools(cursorTools, tools, { absoluteFiles: true, home }) };
    hosts.set(home, host);
    return host;
  };
  return at('');
}
