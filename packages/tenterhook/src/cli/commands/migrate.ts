import { defaultDialects } from '@tenterhook/dialects';
import { type Diagnostic, formatDiagnostic } from '@tenterhook/protocol';
import type { Hooks } from '../../create-hooks.js';
import type { PlannedFile } from '../../migrate/plan-file.js';
import { type MigratingDialect, type MigrationPlan, planMigration } from '../../migrate/plan-migration.js';
import { replaceFile } from '../../migrate/replace-file.js';
import { failure } from '../../output/json.js';
import { migrationDocument } from '../../output/migration-document.js';
import {
  type FileOutcome,
  problemOf,
  renderDifferences,
  renderFile,
  renderMigratedHooks,
  renderRunsTwice,
} from '../../output/migration-report.js';
import { joinParagraphs } from '../../output/text-layout.js';
import { dialectContext } from '../../settings/dialect-context.js';
import { type CommandContext, paintOf, printError, printJson } from '../context.js';
import { ExitStatus, UsageError } from '../exit-status.js';
import { loadHooks } from '../load-hooks.js';
import { unusableSettings } from '../unusable-settings.js';

export interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly settings?: readonly string[];
  readonly cwd?: string;
  readonly write?: boolean;
  readonly json?: boolean;
}

/** Says what becomes of the hooks of one dialect in another's settings, and adds them there where that is asked for. Resolves to the exit status. */
export async function migrate(flags: MigrateFlags, context: CommandContext): Promise<number> {
  const [from, to] = [migratingDialect(flags.from, '--from'), migratingDialect(flags.to, '--to')];
  if (from.name === to.name) throw new UsageError(`--from and --to are both "${to.name}". Name two dialects.`);
  const { settings, cwd } = flags;
  const given = { dialect: from.name, ...(settings === undefined ? {} : { settings }), ...(cwd === undefined ? {} : { cwd }) };
  const { hooks, projectDir, note } = await loadHooks(given, context);
  if (note !== undefined) printError(context, note);
  try {
    const error = unusableSettings(hooks, given);
    if (error !== undefined) {
      if (flags.json) printJson(context, failure(error));
      printError(context, `${error.code}: ${error.message}`);
      return ExitStatus.expectedFailure;
    }
    const plan = await planMigration(hooks, from, to, dialectContext(projectDir, context.env));
    for (const problem of problemsOfNoHook(hooks.diagnostics, plan)) printError(context, `error: ${problem}`);
    return carryOut(plan, hooks, flags, context);
  } finally {
    await hooks.dispose();
  }
}

/** What is wrong with a hook, or with its group, stands beside it. */
function problemsOfNoHook(diagnostics: readonly Diagnostic[], { hooks }: MigrationPlan): string[] {
  const told = new Set(hooks.flatMap(({ definitions }) => definitions.map(({ skip }) => skip?.reason)));
  const errors = diagnostics.filter(({ severity, hookId }) => severity === 'error' && hookId === undefined);
  return errors.map(formatDiagnostic).filter((problem) => !told.has(problem));
}

function carryOut(plan: MigrationPlan, hooks: Hooks, { from, to, json, write = false }: MigrateFlags, context: CommandContext): number {
  const files = plan.files.map((file): FileOutcome => ({ file, outcome: write ? written(file) : { state: 'unwritten' } }));
  if (json) printJson(context, { from, to, ...migrationDocument(plan, files), diagnostics: hooks.diagnostics });
  else context.stdout.write(textOf(plan, hooks, files, context));
  const failed = files.filter((file) => problemOf(file) !== undefined);
  for (const file of failed) printError(context, `error: ${file.file.file} is left as it is. ${problemOf(file)}`);
  return failed.length > 0 ? ExitStatus.expectedFailure : ExitStatus.ok;
}

function written({ change }: PlannedFile): FileOutcome['outcome'] {
  if (change === undefined) return { state: 'unwritten' };
  try {
    replaceFile(change.realFile, change.before, change.text);
    return { state: 'written' };
  } catch (error) {
    return { state: 'failed', problem: `It cannot be written: ${(error as Error).message}.` };
  }
}

function textOf(plan: MigrationPlan, hooks: Hooks, files: readonly FileOutcome[], context: CommandContext): string {
  if (plan.hooks.length === 0) {
    const looked = hooks.files.map(({ file, state }) => `${file} (${state})`).join(', ');
    return `There is no hook of ${plan.from.agent} to migrate.${looked === '' ? '' : ` Looked in ${looked}.`}\n`;
  }
  const paint = paintOf(context);
  return joinParagraphs([
    renderMigratedHooks(plan, paint),
    ...files.map((file) => renderFile(file, paint)),
    renderDifferences(plan, paint),
    renderRunsTwice(plan, files, paint),
  ]);
}

function migratingDialect(name: string, flag: string): MigratingDialect {
  const dialects = defaultDialects().filter((dialect): dialect is MigratingDialect => dialect.migration !== undefined);
  const dialect = dialects.find((candidate) => candidate.name === name);
  if (dialect !== undefined) return dialect;
  throw new UsageError(`${flag}: there is no dialect "${name}". Known are: ${dialects.map((known) => known.name).join(', ')}.`);
}
