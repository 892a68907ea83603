import { defaultDialects } from '@tenterhook/dialects';
import { formatDiagnostic } from '@tenterhook/protocol';
import { describeThrown, describeValue } from '@tenterhook/runtime/text';
import { findTestFiles } from '../../hook-tests/find-test-files.js';
import { type HookTestFile, readTestFile } from '../../hook-tests/read-test-file.js';
import { runTestFile, type TestFileResult, unusableFile } from '../../hook-tests/run-test-file.js';
import { formatJunit } from '../../output/hook-tests/junit.js';
import { renderCase, renderProblems, renderSums, sumsOf } from '../../output/hook-tests/test-report.js';
import { type CommandContext, printError, printJson, resolvePath, styleOf } from '../context.js';
import { CommandError, ExitStatus, UsageError } from '../errors/exit-status.js';
import { readEvent } from '../firing/event-input.js';
import { dialectNamed, suggestDialect } from '../hooks/dialect-name.js';
import { findUnusableSettings, formatDialectHint, type LoadedHooks, loadHooks, type SettingsFlags } from '../hooks/load-hooks.js';
import { untrustedHooks } from '../hooks/trust-flags.js';
import { type Interruption, onInterrupt } from '../interrupt.js';
import { watchTests } from '../testing/watch-tests.js';
import { writeReport } from '../testing/write-report.js';

export interface TestFlags extends SettingsFlags {
  readonly filter?: string;
  readonly json?: boolean;
  readonly junit?: string;
  readonly watch?: boolean;
}

/** Runs the cases of all test files, or of those below `paths`. Resolves to the exit status: 1 if a case fails or a file cannot be used. */
export async function test(paths: readonly string[], flags: TestFlags, context: CommandContext): Promise<number> {
  if (flags.watch && flags.json)
    throw new UsageError('--watch shows results for people, so it cannot be used with --json. Remove one of them.');
  if (flags.filter === '') throw new UsageError('--filter is empty. Pass a part of the name of a case.');
  const interruption = onInterrupt();
  try {
    const status = await testOnce(paths, flags, context, interruption);
    if (!flags.watch) return interruption.status ?? status;
    let settings = settingsOf(paths, flags, context);
    await watchTests(
      () => ({ tests: filesOf(paths, context), settings }),
      async () => {
        // Before the run, which fails if a path was removed.
        settings = settingsOf(paths, flags, context);
        await testOnce(paths, flags, context, interruption);
      },
      interruption.signal,
      context,
    );
    return interruption.status ?? ExitStatus.ok;
  } finally {
    interruption.forget();
  }
}

async function testOnce(paths: readonly string[], flags: TestFlags, context: CommandContext, interruption: Interruption): Promise<number> {
  const files = filesOf(paths, context);
  if (files.length === 0) throw noFiles(paths, context);
  const results: TestFileResult[] = [];
  for (const file of files) {
    if (interruption.signal.aborted) break;
    const read = readTestFile(file, adviceOnDialect);
    const result = 'problems' in read ? unusableFile(read) : await testFile(read, flags, context, interruption.signal);
    if (!flags.json) for (const line of renderProblems(result, styleOf(context))) context.stdout.write(`${line}\n`);
    results.push(result);
  }
  const { passed, failed, broken: unusable } = sumsOf(results);
  if (passed + failed + unusable === 0 && flags.filter !== undefined && !interruption.signal.aborted) {
    const message = `No case has a name that contains ${describeValue(flags.filter)}. Without --filter, all cases run.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  if (flags.json) printJson(context, { success: failed + unusable === 0, passed, failed, files: results });
  else for (const line of renderSums(results, styleOf(context))) context.stdout.write(`${line}\n`);
  if (flags.junit !== undefined) writeReport({ option: '--junit', path: flags.junit, example: 'hooks.xml' }, formatJunit(results), context);
  return failed + unusable === 0 ? ExitStatus.ok : ExitStatus.expectedFailure;
}

/** Loads the hooks of a file, and runs its cases. The hooks are loaded for each file, so that no state of one file reaches another. */
async function testFile(file: HookTestFile, flags: TestFlags, context: CommandContext, signal: AbortSignal): Promise<TestFileResult> {
  const { settings = flags.settings, project = flags.cwd, dialect = flags.dialect } = file;
  const own: SettingsFlags = {
    ...flags,
    ...(settings === undefined ? {} : { settings }),
    ...(project === undefined ? {} : { cwd: project }),
    ...(dialect === undefined ? {} : { dialect }),
  };
  let loaded: LoadedHooks;
  try {
    loaded = await loadHooks(own, context, { checksScripts: true });
  } catch (error) {
    // The file names a directory or a format that does not exist. The other files can still be tested.
    if (!(error instanceof UsageError || error instanceof CommandError)) throw error;
    return unusableFile({ file: file.file, problems: [{ message: error.message }] });
  }
  const { hooks, wording, formats } = loaded;
  try {
    const unusable = findUnusableSettings(hooks, own);
    if (unusable !== undefined) return unusableFile({ file: file.file, problems: [{ message: unusable.message }] });
    const untrusted = untrustedHooks(hooks);
    if (untrusted.length > 0) return unusableFile({ file: file.file, problems: [{ message: untrustedProblem(untrusted) }] });
    for (const diagnostic of hooks.diagnostics) {
      if (diagnostic.severity === 'error') printError(context, `error: ${formatDiagnostic(diagnostic)}`);
    }
    return await runTestFile(
      file,
      {
        hooks,
        readEvent: (event, input) => readEvent(event, input, wording, formats),
        adviceOn: (event) => formatDialectHint(event, 'dialect:'),
      },
      {
        signal,
        isSelected: (name) => flags.filter === undefined || name.includes(flags.filter),
        onCase: (path, result) => {
          if (!flags.json) for (const line of renderCase(path, result, styleOf(context))) context.stdout.write(`${line}\n`);
        },
      },
    );
  } finally {
    await hooks.dispose();
  }
}

function adviceOnDialect(name: string): string | undefined {
  const dialects = defaultDialects();
  return dialectNamed(name, dialects) === undefined ? suggestDialect(name, dialects) : undefined;
}

/** Cases of hooks that do not run would all fail, or pass without a reason. */
function untrustedProblem(untrusted: ReturnType<typeof untrustedHooks>): string {
  const names = untrusted.map(({ id, name }) => name ?? id).join(', ');
  return `Hooks of the project are not trusted, so they do not run: ${names}. Run tenterhook trust, or pass --trust-project.`;
}

/** The settings that the test files or the flags name. They may be in any directory. */
function settingsOf(paths: readonly string[], { settings = [] }: TestFlags, context: CommandContext): readonly string[] {
  const named = filesOf(paths, context).flatMap((file) => readTestFile(file, adviceOnDialect).settings ?? []);
  return [...settings.map((file) => resolvePath(context, file)), ...named];
}

function filesOf(paths: readonly string[], context: CommandContext): readonly string[] {
  const found = (paths.length === 0 ? ['.'] : paths).flatMap((path) => {
    const resolved = resolvePath(context, path);
    try {
      return findTestFiles(resolved);
    } catch (error) {
      throw new UsageError(`${path} cannot be searched for tests: ${describeThrown(error)}. Pass a file or a directory that exists.`);
    }
  });
  return [...new Set(found)];
}

function noFiles(paths: readonly string[], context: CommandContext): CommandError {
  const where = paths.length === 0 ? context.cwd : paths.join(', ');
  const message = `There is no test file in ${where}. The name of a test file ends with .hook-test.yaml, .hook-test.yml or .hook-test.json. tenterhook test --help shows an example.`;
  return new CommandError({ code: 'invalid_request', message });
}
