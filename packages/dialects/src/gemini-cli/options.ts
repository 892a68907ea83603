import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { isAbsolute } from '../shared/paths.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { type HostTools, hostToolsExpected, isHostTools } from '../shared/tools/host-tool.js';
import { type ToolTranslation, translateTools } from '../shared/tools/tool-translation.js';

/** Variables that hooks get or do not get, whatever they look like. Letters count alike. */
export interface RedactionLists {
  /** @default none */
  readonly allowed?: readonly string[];
  /** @default none */
  readonly blocked?: readonly string[];
}

/** How a host that is not Gemini CLI looks to Gemini CLI's hooks. */
export interface GeminiCliOptions {
  /**
   * The names, and where they differ the arguments, that Gemini CLI has for tools of the host. All others are told as the host calls them.
   * @default none
   */
  readonly tools?: HostTools;
  /** The system's settings file, an absolute path. @default where Gemini CLI has it on this platform */
  readonly systemFile?: string;
  /** What stands in `GEMINI_PLANS_DIR`: where the host keeps plans, an absolute path. @default the variable is not set */
  readonly plansDir?: string;
  /**
   * Leave variables out of the environment of hooks whose names or values look secret, whatever the settings say.
   * @default false: where `security.environmentVariableRedaction.enabled` of the settings says so
   */
  readonly redactEnvironment?: boolean | RedactionLists;
}

/** The same, checked. */
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

/** Throws a TypeError that names the option: otherwise an invalid one would only show as hooks that do not run. */
export function hostOf(options: GeminiCliOptions): GeminiHost {
  if (!isPlainObject(options)) throw new TypeError('geminiCli: the options must be an object, or be left out.');
  for (const option of Object.keys(options)) requireKnown(option);
  const { tools = {}, systemFile, plansDir, redactEnvironment = false }: { readonly [Name in keyof GeminiCliOptions]?: unknown } = options;
  if (!isHostTools(tools)) refuse('tools', `names of Gemini CLI by names of the host: ${hostToolsExpected('run_shell_command')}`);
  if (systemFile !== undefined && !isPath(systemFile)) refuse('systemFile', 'an absolute path');
  if (plansDir !== undefined && !isPath(plansDir)) refuse('plansDir', 'an absolute path');
  if (typeof redactEnvironment !== 'boolean' && !isLists(redactEnvironment)) {
    refuse('redactEnvironment', 'true, false, or { allowed: ["NAME"], blocked: ["NAME"] }');
  }
  const redaction = redactEnvironment === true ? {} : redactEnvironment;
  return {
    tools: translateTools(canonicalTools, tools),
    namedTools: Object.keys(tools),
    ...(systemFile === undefined ? {} : { systemFile: systemFile as string }),
    ...(plansDir === undefined ? {} : { plansDir: plansDir as string }),
    ...(redaction === false ? {} : { redaction: redaction as RedactionLists }),
  };
}

function requireKnown(option: string): void {
  if ((names as readonly string[]).includes(option)) return;
  const nearest = nearestName(option, names);
  const remedy = nearest === undefined ? `It has ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new TypeError(`geminiCli: there is no option "${option}". ${remedy}`);
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

function refuse(option: keyof GeminiCliOptions, expected: string): never {
  throw new TypeError(`geminiCli: the option "${option}" must be ${expected}.`);
}
