import { defaultDialects } from '@tenterhook/dialects';
import { combineSettings, containDialect, getMaxSettingsBytes } from '@tenterhook/engine/internal';
import type { MigratingDialect, MigrationPlan, PlannedFile, SettingsReader } from '@tenterhook/migrate';
import { type Diagnostic, type Dialect, formatDiagnostic, type SettingsLocation } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import {
  type FileOutcome,
  migrationDocument,
  problemOf,
  renderDifferences,
  renderFile,
  renderMigratedHooks,
  renderRunsTwice,
} from '../../output/reports/migration-report.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { dialectContext } from '../../settings/discover/dialect-context.js';
import { filesAt, getLocations } from '../../settings/discover/locations.js';
import { documentOfText, readDocument } from '../../settings/read/read-document.js';
import { readRegularFile } from '../../settings/read/read-regular-file.js';
import { type CommandContext, printError, printJson, styleOf, toFailure } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { findDialect } from '../hooks/dialect-name.js';
import { findUnusableSettings, loadHooks } from '../hooks/load-hooks.js';

export interface MigrateFlags {
  readonly from?: string;
  readonly to?: string;
  readonly settings?: readonly string[];
  readonly cwd?: string;
  readonly write?: boolean;
  readonly json?: boolean;
}

type MigratePackage = typeof import('@tenterhook/migrate');

/** All commands read settings files with the same functions, so `migrate` accepts the same files as the others. */
const reader: SettingsReader = {
  readText: (file, source) => readRegularFile(file, getMaxSettingsBytes(source)),
  readDocument,
  documentOfText,
  combine: (dialect, parsed) => combineSettings([{ dialect, parsed }]),
};

/**
 * Shows how the hooks of one dialect convert to the settings of another. With `--write`, adds them to those settings. Resolves to the exit
 * status.
 */
export async function migrate(flags: MigrateFlags, context: CommandContext): Promise<number> {
  // Imported here, because no other command needs this package.
  const migratePackage = await import('@tenterhook/migrate');
  const [from, to] = [migratingDialect(flags.from, '--from', migratePackage), migratingDialect(flags.to, '--to', migratePackage)];
  if (from.dialect.name === to.dialect.name) throw new UsageError(`--from and --to are both "${to.dialect.name}". Name two dialects.`);
  const { settings, cwd } = flags;
  const given = { dialect: from.dialect.name, ...(settings === undefined ? {} : { settings }), ...(cwd === undefined ? {} : { cwd }) };
  const { hooks, projectDir, note } = await loadHooks(given, context);
  if (note !== undefined) printError(context, note);
  try {
    const error = findUnusableSettings(hooks, given);
    if (error !== undefined) {
      if (flags.json) printJson(context, toFailure(error));
      printError(context, `${error.code}: ${error.message}`);
      return ExitStatus.expectedFailure;
    }
    const plan = await migratePackage.planMigration(hooks, from, to, dialectContext(projectDir, context.env), reader);
    for (const problem of problemsOfNoHook(hooks.diagnostics, plan)) printError(context, `error: ${problem}`);
    const writeFile = flags.write ? migratePackage.replaceFile : undefined;
    return report(plan, hooks, { from: from.dialect.name, to: to.dialect.name, json: flags.json === true }, context, writeFile);
  } finally {
    await hooks.dispose();
  }
}

/** Returns the problems that do not concern a single hook or group. The other problems are printed with their hook. */
function problemsOfNoHook(diagnostics: readonly Diagnostic[], { hooks }: MigrationPlan): string[] {
  const shown = new Set(hooks.flatMap(({ definitions }) => definitions.map(({ skip }) => skip?.reason)));
  const errors = diagnostics.filter(({ severity, hookId }) => severity === 'error' && hookId === undefined);
  return errors.map(formatDiagnostic).filter((problem) => !shown.has(problem));
}

/** Writes the files if `--write` was given, and reports what was or would be written. */
function report(
  plan: MigrationPlan,
  hooks: OpenHooks,
  { from, to, json }: { readonly from: string; readonly to: string; readonly json: boolean },
  context: CommandContext,
  replaceFile: MigratePackage['replaceFile'] | undefined,
): number {
  const files = plan.files.map((file): FileOutcome => ({ file, outcome: written(file, replaceFile) }));
  if (json) printJson(context, { from, to, ...migrationDocument(plan, files), diagnostics: hooks.diagnostics });
  else context.stdout.write(textOf(plan, hooks, files, context));
  const failed = files.filter((file) => problemOf(file) !== undefined);
  for (const file of failed) printError(context, `error: ${file.file.file} was not changed. ${problemOf(file)}`);
  return failed.length > 0 ? ExitStatus.expectedFailure : ExitStatus.ok;
}

function written({ change }: PlannedFile, replaceFile: MigratePackage['replaceFile'] | undefined): FileOutcome['outcome'] {
  if (change === undefined || replaceFile === undefined) return { state: 'unwritten' };
  try {
    replaceFile(change.realFile, change.before, change.text);
    return { state: 'written' };
  } catch (error) {
    return { state: 'failed', problem: `The file cannot be written: ${(error as Error).message}.` };
  }
}

function textOf(plan: MigrationPlan, hooks: OpenHooks, files: readonly FileOutcome[], context: CommandContext): string {
  if (plan.hooks.length === 0) {
    const looked = hooks.files.map(({ file, state }) => `${file} (${state})`).join(', ');
    return `There are no ${plan.from.agent} hooks to migrate.${looked === '' ? '' : ` Looked in ${looked}.`}\n`;
  }
  const style = styleOf(context);
  return joinParagraphs([
    renderMigratedHooks(plan, style),
    ...files.map((file) => renderFile(file, style)),
    renderDifferences(plan, style),
    renderRunsTwice(plan, files, style),
  ]);
}

function migratingDialect(name: string | undefined, flag: string, { findMigration }: MigratePackage): MigratingDialect {
  const dialects = defaultDialects().flatMap((dialect): MigratingDialect[] => {
    const migration = findMigration(dialect);
    return migration === undefined ? [] : [{ dialect: contained(dialect), migration }];
  });
  const known = dialects.map(({ dialect }) => dialect);
  if (name === undefined) throw new UsageError(`${flag} is missing. Known dialects: ${known.map((dialect) => dialect.name).join(', ')}.`);
  const { name: found } = findDialect(name, known, flag);
  return dialects.find(({ dialect }) => dialect.name === found) as MigratingDialect;
}

/**
 * Wraps a dialect in the same way as the code that loads settings. If the dialect throws, only the hooks of one document are lost. If there
 * is no home directory, the dialect's files in the home directory are left out.
 */
function contained(dialect: Dialect): Dialect {
  return { ...containDialect(dialect), locations: (context) => getLocations(dialect, context).flatMap(withItsFolder) };
}

/** Returns a location, followed by the files that are read beside it. New hooks are written into the first one. */
function withItsFolder(location: SettingsLocation): readonly SettingsLocation[] {
  const others = filesAt(location).files.filter((file) => file !== location.file);
  return [location, ...others.map((file) => ({ source: location.source, file }))];
}
