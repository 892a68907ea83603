import type { DialectContext, HookDefinition, SettingsLookalike } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { inHooksFolder, lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join, parentOf } from '../../shared/paths.js';
import { onErrorIn } from '../../shared/settings/hook-fields.js';
import { configFolder, locations, workspaceFile } from '../settings/locations.js';
import type { ParseContext } from '../settings/parse-context.js';
import { invalidHook, readType } from '../settings/parse-hook.js';

/** Names of files next to `config.json` into which users put hooks by mistake. */
const nearMisses = ['hooks.json', 'settings.json', 'config.jsonc', 'config.local.json', ...inHooksFolder];

/** Keys that users write by mistake instead of "hooks". */
const nearKeys = ['Hooks', 'HOOKS', 'hook', 'Hook'];

/** Returns the files that a user may mistake for the settings (field failure 21). */
export function misplacedFiles(context: DialectContext): SettingsLookalike[] {
  const [project, user] = locations(context);
  const { home, files, projectDir } = context;
  const ofProject = nearMisses.map((name) => join(projectDir, `.eca/${name}`));
  const ofUser = [
    ...nearMisses.map((name) => join(parentOf(user.file) as string, name)),
    // Users mistake two files for their user settings. The first is `~/.eca/config.json`, which has the path of a project file. The
    // second has the default path of the user settings, but XDG_CONFIG_HOME names another folder.
    ...(home === '' || home === projectDir ? [] : [join(home, workspaceFile)]),
    ...(home === '' || configFolder(context) === join(home, '.config') ? [] : [join(home, '.config/eca/config.json')]),
  ];
  return [
    ...lookalikesAmong(ofProject, project, files.isFile),
    ...settingsAbove(context, workspaceFile, project, user),
    ...lookalikesAmong(ofUser, user, files.isFile),
  ];
}

/** A hook in a place where hooks are not read. */
interface Misplaced {
  readonly path: readonly string[];
  readonly hook: Readonly<Record<string, unknown>>;
}

/**
 * Finds hooks at the top level of the settings, or under a key that is nearly "hooks". Other keys are not searched, because most of
 * the file is not about hooks.
 */
export function findMisplaced(settings: Readonly<Record<string, unknown>>): Misplaced[] {
  const sections = nearKeys.map((name) => [[name], settings[name]] as const);
  return [[[], settings] as const, ...sections].flatMap(([place, section]) =>
    Object.entries(isPlainObject(section) ? section : {}).flatMap(([key, hook]) => (isHook(hook) ? [{ path: [...place, key], hook }] : [])),
  );
}

/** Reports each misplaced hook. Returns an invalid hook for each, so that the results of its event report it too. */
export function misplacedHooks(settings: Readonly<Record<string, unknown>>, context: ParseContext): HookDefinition[] {
  return findMisplaced(settings).flatMap(({ path, hook }) => {
    const key = path.at(-1) as string;
    context.reporter.countHook(path);
    const where = path.length === 1 ? 'at the top level of the settings' : `under "${path[0]}"`;
    const message = `"${key}" is a hook ${where}, where hooks are not read; it does not run.`;
    const remedy = `Move the hook: { "hooks": { "${key}": … } }.`;
    const problem = context.reporter.report('misplaced_hooks', 'error', path, message, { remedy });
    const { type, nearest = type } = readType(hook, path, context.reporter);
    return nearest === undefined ? [] : [invalidHook({ key, type: nearest, onError: onErrorIn(hook) }, path, problem, context)];
  });
}

function isHook(value: unknown): value is Readonly<Record<string, unknown>> {
  return isPlainObject(value) && typeof value['type'] === 'string' && Array.isArray(value['actions']);
}
