import { defaultDialects } from '@tenterhook/dialects';
import { type Diagnostic, type HookDefinition, type HookEventName, hookEventNames, type PortableHook } from '@tenterhook/protocol';
import type { Hooks } from '../../tenterhook/src/create-hooks.js';
import { type PlacedHook, placeHooks } from '../src/target/place-hooks.js';
import type { MigratingDialect } from '../src/plan-migration.js';
import { sourceHooks } from '../src/source-hooks.js';
import { dialectContext } from '../../tenterhook/src/settings/dialect-context.js';
import { documentOf } from '../../tenterhook/src/settings/read-document.js';

export const dialects = defaultDialects() as MigratingDialect[];

/** Every way from one dialect to another. */
export const pairs = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from.name, to.name] as const));

export function dialectNamed(name: string): MigratingDialect {
  return dialects.find((dialect) => dialect.name === name) as MigratingDialect;
}

export const context = { ...dialectContext('/srv/app'), home: '/home/u' };

/** What settings say, in portable words; with what their dialect finds wrong with them. */
export function portablesOf(dialect: MigratingDialect, value: object): { hooks: PortableHook[]; diagnostics: readonly Diagnostic[] } {
  const parsed = dialect.parse(documentOf(value, 'project'), context);
  const of = (eventName: HookEventName): HookDefinition[] => parsed.hooks.filter((hook) => hook.eventName === eventName);
  const hooks = Object.fromEntries(hookEventNames.map((eventName) => [eventName, of(eventName)]));
  const off = Object.fromEntries(hookEventNames.map((eventName) => [eventName, []]));
  const sources = sourceHooks({ hooks, off } as unknown as Hooks, dialect, dialect.migration, context.projectDir, context.home);
  const portables = sources.flatMap(({ portable }) => ('cannot' in portable ? [] : [portable]));
  return { hooks: portables, diagnostics: parsed.diagnostics };
}

/** Portable hooks as settings of a dialect. */
export function settingsOf(dialect: MigratingDialect, hooks: readonly PortableHook[]): { value: object; placed: readonly PlacedHook[] } {
  const target = { dialect, migration: dialect.migration, context, source: 'project', file: '/srv/app/settings.json' };
  const { placed, toAdd } = placeHooks(hooks, target);
  return { value: toAdd.value, placed };
}

/** Settings of one dialect as settings of another. */
export function migrated(from: MigratingDialect, to: MigratingDialect, value: object): { value: object; placed: readonly PlacedHook[] } {
  return settingsOf(to, portablesOf(from, value).hooks);
}
