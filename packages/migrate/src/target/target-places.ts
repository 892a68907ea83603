import type { Dialect, DialectContext, HookDefinition, SettingsLocation } from '@tenterhook/protocol';

/** The file that a hook would go to, or why it goes nowhere. */
export type TargetPlace = SettingsLocation | { readonly cannot: string };

/** Files that an administrator keeps; nobody's hooks are written there. */
const administrators = ['system', 'managed'];

/** The settings of the same level in another dialect: the project's go to the project's, the user's to the user's. */
export function targetPlaces(from: Dialect, to: Dialect, context: DialectContext): (hook: HookDefinition) => TargetPlace {
  const origins = from.locations(context);
  const targets = to.locations(context);
  const agent = to.agent ?? to.name;
  return (hook) => {
    const level = levelOf(hook, origins);
    const [place] = targets.filter(({ source }) => source === level);
    if (administrators.includes(level)) return { cannot: 'It stands in the settings of an administrator, which are not migrated.' };
    if (place !== undefined) return place;
    if (level === 'local') {
      const shared = targets.map(({ source, file }) => `${file} (${source})`).join(' or ');
      const remedy = `Write what it would be there into ${shared} yourself, or move the hook to another level first.`;
      return { cannot: `${agent} has no private settings of a project. ${remedy}` };
    }
    return { cannot: `There is no place for settings of the level "${level}" in ${agent}.` };
  };
}

/** Where a file that was named lies tells its level; one that lies elsewhere counts as the project's. */
function levelOf({ source, file }: HookDefinition, origins: readonly SettingsLocation[]): string {
  const [place] = origins.filter((origin) => origin.file === file);
  if (place !== undefined) return origins.some((origin) => origin.file === file && origin.source === source) ? source : place.source;
  return /^settings(?::|$)/.test(source) ? 'project' : source;
}
