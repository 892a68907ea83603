import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { ambiguousNames, inHooksFolder, lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import type { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { locations, projectFile, userFolder } from '../settings/locations.js';
import type { HandlerContext } from '../settings/parse-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** Names of files into which people put hooks by mistake. The right file is `settings.json`. */
const nearMisses = ['hooks.json', 'config.json', 'settings.jsonc', 'setting.json', 'settings.local.jsonc', ...inHooksFolder];
/** Former versions of Claude Code kept the user's settings in this file. */
const formerFile = '.claude.json';
const headBytes = 262_144;

/** Returns the files that look like Claude Code's settings but are not read (field failure 21). */
export function misplacedFiles(context: DialectContext, managedFile: string | undefined): SettingsLookalike[] {
  const [project, , user] = locations(context, managedFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) => files.isFile(file) && /"hooks"\s*:\s*\{\s*"/.test(files.head(file, headBytes) ?? '');
  return [
    ...lookalikesAmong(
      [...nearMisses.map((name) => join(projectDir, `.claude/${name}`)), ...ambiguousNames.map((name) => join(projectDir, name))],
      project,
      hasHooks,
    ),
    ...settingsAbove(context, projectFile, project, user),
    ...(home === '' || home === projectDir
      ? []
      : lookalikesAmong([...nearMisses.map((name) => join(userFolder(context), name)), join(home, formerFile)], user, hasHooks)),
  ];
}

/** Keys that choose plugins. They have no effect here, because the host chooses the plugins. */
const pluginKeys = ['strictPluginOnlyCustomization', 'prependPlugins', 'appendPlugins'];

/** Reports keys that have no effect in this settings file. */
export function reportIneffectiveKeys(settings: Fields, source: string, reporter: Reporter): void {
  if (settings['allowManagedHooksOnly'] === true && source !== 'managed') {
    const message = '"allowManagedHooksOnly" is read only in the administrator\'s settings; in this file it is ignored.';
    reporter.report('ineffective_switch', 'warning', ['allowManagedHooksOnly'], message, {
      remedy: 'Write "disableAllHooks": true to switch hooks off.',
    });
  }
  for (const key of pluginKeys) {
    if (settings[key] === undefined) continue;
    const message = `"${key}" has no effect: the program that runs the hooks chooses the plugins.`;
    reporter.report('ineffective_switch', 'note', [key], message);
  }
  const { hooks } = settings;
  if (!isPlainObject(hooks) || hooks['disableAllHooks'] === undefined) return;
  const message = '"disableAllHooks" is in "hooks", where it is not read.';
  reporter.report('misplaced_switch', 'error', ['hooks', 'disableAllHooks'], message, {
    remedy: 'Move "disableAllHooks" out of "hooks", to the top level of the settings.',
  });
}

/** Reports policies in the hooks of a plugin or a skill, because they are ignored there. */
export function reportPoliciesOfExtension(settings: Fields, policies: readonly string[], reporter: Reporter): void {
  for (const key of policies.filter((name) => settings[name] !== undefined)) {
    const message = `"${key}" is read only in settings files; in the hooks of a plugin or a skill it is ignored.`;
    reporter.report('ineffective_switch', 'warning', [key], message, { remedy: 'Write this key in the user or project settings.' });
  }
}

/** Reports a matcher inside a hook. It is not read: the hook uses the matcher of its group. */
export function reportMatcherInHook(value: unknown, { reporter, path, eventName, hookId }: HandlerContext): void {
  if (value === undefined) return;
  const message = `"matcher" (${formatValue(value)}) is in a hook, where it is not read; the hook uses the matcher of its group.`;
  const remedy = 'Write the matcher in the group, next to "hooks".';
  reporter.report('invalid_field', 'warning', [...path, 'matcher'], message, { remedy, eventName, hookId });
}
