import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { refuseOption, requireKnownOptions } from '../shared/options.js';
import { isAbsolute } from '../shared/paths.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';

/** Variables that hooks get, or do not get, whether or not they look secret. Letter case does not count. */
export interface RedactionLists {
  /** @default none */
  readonly allowed?: readonly string[];
  /** @default none */
  readonly blocked?: readonly string[];
}

/** How a host that is not Gemini CLI looks to Gemini CLI's hooks. */
export interface GeminiCliOptions {
  /**
   * The names, and where they differ the arguments, that Gemini CLI has for tools of the host. Other tools keep the host's names.
   * @default none
   */
  readonly tools?: HostTools;
  /** The system's settings file, an absolute path. @default where Gemini CLI has it on this platform */
  readonly systemFile?: string;
  /** The value of `GEMINI_PLANS_DIR`, the host's directory for plans: an absolute path. @default the variable is not set */
  readonly plansDir?: string;
  /**
   * Leave variables out of the environment of hooks whose names or values look secret, whatever the settings say.
   * @default false: unless `security.environmentVariableRedaction.enabled` is true in the settings
   */
  readonly redactEnvironment?: boolean | RedactionLists;
}

/** The checked options. */
export interface GeminiHost {
  /** Of tools that the host has named; others are not asked for here. */
  readonly tools: ToolTranslation;
  /** The host's names of these tools. */
  readonly namedTools: readonly string[];
  readonly systemFile?: string;
  readonly plansDir?: string;
  readonly redaction?: RedactionLists;
}

const names: readonly (keyof GeminiCliOptions)[] = ['tools', 'systemFile', 'plansDir', 'redactEnvironment'];

/** The options with their defaults. Throws a TypeError for an invalid one. */
export function parseOptions(options: GeminiCliOptions): GeminiHost {
  requireKnownOptions('geminiCli', options, names);
  const { tools = {}, systemFile, plansDir, redactEnvironment = false }: { readonly [Name in keyof GeminiCliOptions]?: unknown } = options;
  if (!isHostTools(tools)) refuseOption('geminiCli', 'tools', `Gemini CLI names by host names: ${hostToolsExpected('run_shell_command')}`);
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
