import { defaultDialects } from '@tenterhook/dialects';
import {
  type Diagnostic,
  type Dialect,
  type DialectContext,
  type HookDefinition,
  type HookEventName,
  hookEventNames,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { families } from '../../../test/support/formats.js';
import { findMigration } from '../src/formats/find-migration.js';
import type { HookMigration } from '../src/formats/hook-migration.js';
import type { PortableHook } from '../src/portable/portable-hook.js';
import { type HooksByEvent, sourceHooks } from '../src/source-hooks.js';
import { type PlacedHook, placeHooks } from '../src/target/place-hooks.js';

export type TestDialect = Dialect & { readonly migration: HookMigration };

export const dialects = defaultDialects().map(
  (dialect): TestDialect => ({ ...dialect, migration: findMigration(dialect) as HookMigration }),
);

/** Every pair of different dialects. Of dialects that differ by a table alone, there is one. */
export const pairs = families.flatMap((from) => families.filter((to) => to !== from).map((to) => [from, to] as const));

export function dialectNamed(name: string): TestDialect {
  return dialects.find((dialect) => dialect.name === name) as TestDialect;
}

export const context: DialectContext = {
  projectDir: '/srv/app',
  home: '/home/u',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

export function documentOf(value: object): SettingsDocument {
  return { source: 'project', value, locate: () => undefined };
}

/** Reads settings into portable hooks, with the diagnostics of the dialect. */
export function portablesOf(
  dialect: TestDialect,
  value: object,
): { hooks: PortableHook[]; refusals: readonly string[]; diagnostics: readonly Diagnostic[] } {
  const parsed = dialect.parse(documentOf(value), context);
  const of = (eventName: HookEventName): HookDefinition[] => parsed.hooks.filter((hook) => hook.eventName === eventName);
  const hooks = Object.fromEntries(hookEventNames.map((eventName) => [eventName, of(eventName)]));
  const off = Object.fromEntries(hookEventNames.map((eventName) => [eventName, []]));
  const sources = sourceHooks({ hooks, off } as unknown as HooksByEvent, dialect, dialect.migration, context.projectDir, context.home);
  const portables = sources.flatMap(({ portable }) => ('cannot' in portable ? [] : [portable]));
  const refusals = sources.flatMap(({ portable }) => ('cannot' in portable ? [portable.cannot] : []));
  return { hooks: portables, refusals, diagnostics: parsed.diagnostics };
}

/** Writes portable hooks as settings of a dialect. */
export function settingsOf(dialect: TestDialect, hooks: readonly PortableHook[]): { value: object; placed: readonly PlacedHook[] } {
  const target = { dialect, migration: dialect.migration, context, source: 'project', file: '/srv/app/settings.json' };
  const { placed, toAdd } = placeHooks(hooks, target);
  return { value: toAdd.value, placed };
}

/** Converts settings of one dialect to settings of another. */
export function migrated(from: TestDialect, to: TestDialect, value: object): { value: object; placed: readonly PlacedHook[] } {
  return settingsOf(to, portablesOf(from, value).hooks);
}
