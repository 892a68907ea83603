import type { HookSwitches, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { Reporter } from '../../shared/settings/reporter.js';
import { formatValue, isTexts } from '../../shared/text.js';
import { reportIneffectiveKeys, reportPoliciesOfExtension } from '../lint/misplaced.js';

type Variables = Readonly<Record<string, string>>;

/** Settings of a document that apply to all hooks and that only this format has. */
export interface GeneralSettings {
  /** The time limit, in milliseconds, that all SessionEnd hooks share. It comes from an environment variable. */
  readonly sessionEndMs?: number;
  /** The variables in the `env` of the file. */
  readonly env?: Variables;
}

const sessionEndVariable = 'CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS';

export function readSessionEndMs(environment: Readonly<Record<string, string>>): { sessionEndMs?: number } {
  const written = environment[sessionEndVariable] ?? '';
  const timeoutMs = /^\d{1,9}$/.test(written) ? Number(written) : 0;
  return timeoutMs > 0 ? { sessionEndMs: timeoutMs } : {};
}

const switches = ['disableAllHooks', 'allowManagedHooksOnly'] as const;
const lists = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] as const;

/**
 * Reads the switches and lists of a document. In the documents of plugins and skills they are ignored: an update of a plugin must
 * not switch off a guard of the user.
 */
export function readPolicies(
  settings: Readonly<Record<string, unknown>>,
  { source, frontMatterOf }: SettingsDocument,
  reporter: Reporter,
): HookSwitches {
  if (frontMatterOf !== undefined || /^(?:plugin|extension):/.test(source)) {
    reportPoliciesOfExtension(settings, [...switches, ...lists], reporter);
    return {};
  }
  const isOn = (key: (typeof switches)[number]) => {
    const value = settings[key];
    if (value !== undefined && typeof value !== 'boolean') reportInvalid(key, value, 'true or false', `"${key}": true`, reporter);
    return value === true;
  };
  const listOf = (key: (typeof lists)[number]) => {
    const value = settings[key];
    if (value === undefined) return undefined;
    if (!isTexts(value)) reportInvalid(key, value, 'an array of strings', `"${key}": ["…"]`, reporter);
    // An invalid list of allowed values allows nothing.
    return { value: isTexts(value) ? value : [], path: [key] };
  };
  const policies: HookSwitches = omitUndefined({
    enabled: isOn('disableAllHooks') ? { value: false, path: ['disableAllHooks'], written: true } : undefined,
    managedOnly: isOn('allowManagedHooksOnly') ? { value: true as const, path: ['allowManagedHooksOnly'] } : undefined,
    allowedUrls: listOf('allowedHttpHookUrls'),
    allowedHeaderVariables: listOf('httpHookAllowedEnvVars'),
  });
  reportIneffectiveKeys(settings, source, reporter);
  return policies;
}

/** Tests whether a policy has the wrong type. It is then unknown whether hooks should run. */
export function hasUnusablePolicy(settings: Readonly<Record<string, unknown>>): boolean {
  const isWrong = (key: string, isRight: (value: unknown) => boolean) => settings[key] !== undefined && !isRight(settings[key]);
  return switches.some((key) => isWrong(key, (value) => typeof value === 'boolean')) || lists.some((key) => isWrong(key, isTexts));
}

/** Reads `env` of a settings file. A value that is not a string is reported, and its variable is left out. */
export function readEnv(settings: Readonly<Record<string, unknown>>, reporter: Reporter): { env?: Variables } {
  const { env } = settings;
  if (env === undefined) return {};
  if (!isPlainObject(env)) {
    const message = `"env" must be an object, and is ${formatValue(env)}; it is ignored.`;
    reporter.report('invalid_field', 'error', ['env'], message, { remedy: 'Write { "NAME": "value" }.' });
    return {};
  }
  const entries = Object.entries(env).filter(([name, value]) => {
    if (typeof value === 'string' && !`${name}${value}`.includes('\0') && name !== '') return true;
    const message = `The variable must be a string, and is ${formatValue(value)}; it is not set.`;
    reporter.report('invalid_field', 'error', ['env', name], message, { remedy: `Write "${name}": "…".` });
    return false;
  });
  return { env: Object.fromEntries(entries) as Variables };
}

/** The sources of settings files, in the order in which the files set variables. The last file wins, as in Claude Code. */
const envOrder = ['user', 'settings', 'project', 'local', 'managed'];

/** Merges the variables of several files in the order of `envOrder`. */
export function mergeEnv(documents: readonly { readonly source: string; readonly env: Variables | undefined }[]): Variables {
  const getPlace = (source: string) => envOrder.indexOf(source.split(':')[0] as string);
  return Object.assign({}, ...[...documents].sort((a, b) => getPlace(a.source) - getPlace(b.source)).map(({ env }) => env ?? {}));
}

function reportInvalid(key: string, value: unknown, expected: string, instead: string, reporter: Reporter): void {
  reporter.report('invalid_field', 'error', [key], `"${key}" must be ${expected}, and is ${formatValue(value)}.`, {
    remedy: `Write ${instead}.`,
  });
}
