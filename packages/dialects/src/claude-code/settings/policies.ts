import type { SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';

/** What one settings file says about hooks as such. */
export interface Policies {
  readonly disableAllHooks?: boolean;
  /** Only hooks of the administrator run. Of the managed file. */
  readonly allowManagedHooksOnly?: boolean;
  /** Patterns of addresses, with `*`, of which one has to fit. */
  readonly allowedHttpHookUrls?: readonly string[];
  /** Variables that hooks may send in headers at all. */
  readonly httpHookAllowedEnvVars?: readonly string[];
}

/** What stands in no file: milliseconds that all hooks of the end of a session have, where the environment says so. */
export interface ParsedPolicies extends Policies {
  readonly sessionEndMs?: number;
  /** Variables that the file sets. */
  readonly env?: Readonly<Record<string, string>>;
}

const sessionEndVariable = 'CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS';

export function sessionEndMsOf(environment: Readonly<Record<string, string>>): { sessionEndMs?: number } {
  const written = environment[sessionEndVariable] ?? '';
  const timeoutMs = /^\d{1,9}$/.test(written) ? Number(written) : 0;
  return timeoutMs > 0 ? { sessionEndMs: timeoutMs } : {};
}

const switches = ['disableAllHooks', 'allowManagedHooksOnly'] as const;
const lists = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] as const;
/** Which plugins there are is the host's to say here. */
const ofPlugins = ['strictPluginOnlyCustomization', 'prependPlugins', 'appendPlugins'];

/** Whoever brings hooks along speaks of them alone: an update of a plugin must not be the end of a user's guard. */
export function readPolicies(
  settings: Readonly<Record<string, unknown>>,
  { source, frontMatterOf }: Pick<SettingsDocument, 'source' | 'frontMatterOf'>,
  reporter: Reporter,
): Policies {
  if (frontMatterOf !== undefined || /^(?:plugin|extension):/.test(source)) {
    reportOfExtension(settings, reporter);
    return {};
  }
  const policies: Record<string, unknown> = {};
  for (const key of switches) {
    const value = settings[key];
    if (value === undefined) continue;
    if (typeof value === 'boolean') policies[key] = value;
    else report(key, value, 'true or false', `"${key}": true`, reporter);
  }
  for (const key of lists) {
    const value = settings[key];
    if (value === undefined) continue;
    if (isTexts(value)) policies[key] = value;
    // A list that allows, and cannot be read, allows nothing.
    else {
      policies[key] = [];
      report(key, value, 'a list of texts', `"${key}": ["…"]`, reporter);
    }
  }
  reportElsewhere(settings, source, reporter);
  return policies;
}

/** A switch of another type than it has to be: whether hooks should run cannot be told. */
export function hasUnusablePolicy(settings: Readonly<Record<string, unknown>>): boolean {
  const isWrong = (key: string, isRight: (value: unknown) => boolean) => settings[key] !== undefined && !isRight(settings[key]);
  return switches.some((key) => isWrong(key, (value) => typeof value === 'boolean')) || lists.some((key) => isWrong(key, isTexts));
}

function reportElsewhere(settings: Readonly<Record<string, unknown>>, source: string, reporter: Reporter): void {
  if (settings['allowManagedHooksOnly'] === true && source !== 'managed') {
    const message = '"allowManagedHooksOnly" counts in the administrator\'s settings alone; here it is ignored.';
    reporter.report('ineffective_switch', 'warning', ['allowManagedHooksOnly'], message, {
      remedy: 'Write "disableAllHooks": true to switch hooks off.',
    });
  }
  for (const key of ofPlugins) {
    if (settings[key] === undefined) continue;
    const message = `"${key}" has no effect: which plugins there are is told by the program that runs the hooks.`;
    reporter.report('ineffective_switch', 'note', [key], message);
  }
  const { hooks } = settings;
  if (!isPlainObject(hooks) || hooks['disableAllHooks'] === undefined) return;
  const message = '"disableAllHooks" stands under "hooks", where it is not read.';
  reporter.report('misplaced_switch', 'error', ['hooks', 'disableAllHooks'], message, { remedy: 'Write it beside "hooks".' });
}

function reportOfExtension(settings: Readonly<Record<string, unknown>>, reporter: Reporter): void {
  for (const key of [...switches, ...lists].filter((name) => settings[name] !== undefined)) {
    const message = `"${key}" counts in settings files alone; of hooks that a plugin or a skill brings along it is ignored.`;
    reporter.report('ineffective_switch', 'warning', [key], message, { remedy: 'Write it in the settings of the user or the project.' });
  }
}

function report(key: string, value: unknown, expected: string, instead: string, reporter: Reporter): void {
  reporter.report('invalid_field', 'error', [key], `"${key}" is ${formatValue(value)} and not ${expected}.`, {
    remedy: `Write ${instead}.`,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
