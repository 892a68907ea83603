import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { refuseOption, requireKnownOptions } from '../shared/options.js';
import { isAbsolute } from '../shared/paths.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';

/** Names of variables that hooks always or never receive, whether or not they look like secrets. Upper and lower case match. */
export interface RedactionLists {
  /** Variables that hooks always receive. @default none */
  readonly allowed?: readonly string[];
  /** Variables that hooks never receive. @default none */
  readonly blocked?: readonly string[];
}

/** Options of Gemini CLI's dialect: what hooks receive about the host, and where the host's files are. */
export interface GeminiCliOptions {
  /**
   * Gemini CLI's names for tools of the host, and for their arguments if these differ. Other tools keep the host's names.
   * @default none
   */
  readonly tools?: HostTools;
  /** The absolute path of the system's settings file. @default the path of Gemini CLI on this platform */
  readonly systemFile?: string;
  /** The host's directory for plans, an absolute path. Hooks receive it as `GEMINI_PLANS_DIR`. @default the variable is not set */
  readonly plansDir?: string;
  /**
   * Whether variables that look like secrets are removed from the environment of hooks, whatever the settings say. Both the name
   * and the value of a variable are tested.
   * @default false: the setting `security.environmentVariableRedaction.enabled` decides
   */
  readonly redactEnvironment?: boolean | RedactionLists;
}

/** The validated options, with their defaults. */
export interface GeminiHost {
  /** Translates only the tools that the option `tools` names. */
  readonly tools: ToolTranslation;
  /** The host's names of the tools in the option `tools`. */
  readonly namedTools: readonly string[];
  readonly systemFile?: string;
  readonly plansDir?: string;
  readonly redaction?: RedactionLists;
}

const names: readonly (keyof GeminiCliOptions)[] = ['tools', 'systemFile', 'plansDir', 'redactEnvironment'];

export function parseOptions(options: GeminiCliOptions): GeminiHost {
  requireKnownOptions('geminiCli', options, names);
  const { tools = {}, systemFile, plansDir, redactEnvironment = false }: { readonly [Name in keyof GeminiCliOptions]?: unknown } = options;
  if (!isHostTools(tools))
    refuseOption(
      'geminiCli',
      'tools',
      `an object that maps names of the host's tools to Gemini CLI's names: ${hostToolsExpected('run_shell_command')}`,
    );
  if (systemFile !== undefined && !isPath(systemFile)) refuseOption('geminiCli', 'systemFile', 'an absolute path');
  if (plansDir !== undefined && !isPath(plansDir)) refuseOption('geminiCli', 'plansDir', 'an absolute path');
  if (typeof redactEnvironment !== 'boolean' && !isLists(redactEnvironment)) {
    refuseOption('geminiCli', 'redactEnvironment', 'true, false, or { allowed: ["NAME"], blocked: ["NAME"] }');
  }
  const redaction = redactEnvironment === true ? {} : redactEnvironment;
  return {
    tools: translateTools(canonicalTools, tools),
    namedTools: Object.keys(tools),
    ...omitUndefined({
      systemFile: systemFile as string | undefined,
      plansDir: plansDir as string | undefined,
      redaction: redaction === false ? undefined : (redaction as RedactionLists),
    }),
  };
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && isAbsolute(value);
}

function isLists(value: unknown): value is RedactionLists {
  if (!isPlainObject(value)) return false;
  const { allowed = [], blocked = [], ...others } = value;
  const isList = (list: unknown) => Array.isArray(list) && list.every((name) => typeof name === 'string');
  return isList(allowed) && isList(blocked) && Object.keys(others).length === 0;
}
