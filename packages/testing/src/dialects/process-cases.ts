import { type AggregatedHookResult, type HookOutcome, hookCodes, verdictOf } from '@tenterhook/protocol';
import { aggregatedHookResultSchema } from '@tenterhook/protocol/internal';
import { pathText } from '@tenterhook/runtime/json';
import type { DialectCase, DialectEvent, DialectScene, SampleHook } from './dialect-case.js';
import { allFieldsWrong, isAnswersEvent, misheard, printedAnswers, printedJunk, type Said, unreadableOn, usualJunk } from './printed.js';
import { exitRows, fewRows, floodRows, type ProcessRow, printing, printsRow, signalRows, streamRows, timeoutRows } from './process-rows.js';
import { fieldsOn, sampleHook, settingsOf } from './samples.js';
import { notCanonical, notPlainJson, shown } from './violations.js';

/** Longer than the buffer of a pipe, so the writer blocks if a hook does not read the text. */
const longText = 'x'.repeat(1024 * 1024);

/**
 * Cases with real hook processes. After the tried hooks, a valid hook must still run. Other cases call decode() with all outputs
 * and all 256 exit codes; these cases check that a real system has the same results.
 */
export const processCases: readonly DialectCase[] = [
  onTheAnswersEvent('whatever hooks print, the outcome of each fits, and a deny of a later hook counts', ({ options, answersEvent }) =>
    [
      ...printedAnswers(options.answers),
      ...printedJunk,
      ...(answersEvent === undefined ? [] : allFieldsWrong(answersEvent.eventName, options.outputFields)),
    ].map(printsRow),
  ),
  onTheAnswersEvent('whatever exit codes hooks end with, the outcome of each fits', ({ options }) => exitRows(options)),
  onTheAnswersEvent('a hook that is terminated by a signal has failed, whatever it printed', ({ options }) => signalRows(options.answers)),
  onTheAnswersEvent('a hook may ignore, close or mix up its streams', ({ options }) => streamRows(options), longText),
  onTheAnswersEvent('a hook that exceeds its timeout has timed out, and its output does not count', ({ options }) =>
    timeoutRows(options.answers),
  ),
  onTheAnswersEvent('if a hook prints more than is kept, its answer is not read, and the rest is not kept', ({ options }) =>
    floodRows(options.answers),
  ),
];

/**
 * Returns a case that runs a few hooks as real processes on one event. A few are enough, because other cases pass every output to
 * decode() for every event.
 */
export function processCaseOf(event: DialectEvent): DialectCase {
  return {
    title: `on ${event.dialectEvent}, whatever hooks do, the outcome of each fits, and a later hook runs`,
    run: (scene) => fireRows(scene, event, [...fewRows(scene.options), ...usualJunk.map(printsRow)]),
  };
}

function onTheAnswersEvent(title: string, rows: (scene: DialectScene) => readonly ProcessRow[], text?: string): DialectCase {
  return {
    title,
    run: async (scene) => {
      if (scene.answersEvent !== undefined) await fireRows(scene, scene.answersEvent, rows(scene), text);
    },
  };
}

/** The maximum number of hooks at the same time. A system lets at least this many hooks wait. */
const mostAtOnce = 600;

/** A timeout in milliseconds that no hook exceeds, even on the slowest machine. */
const ampleMs = 60_000;

/**
 * Runs all of these hooks on an event, many at the same time. A valid hook follows them, and its answer must count. In a dialect
 * that runs hooks one after another, a hook that blocks or stops ends the chain. The event is then fired again with the hooks that
 * did not run.
 */
export async function fireRows(scene: DialectScene, event: DialectEvent, rows: readonly ProcessRow[], text?: string): Promise<void> {
  let waiting = rows;
  while (waiting.length > 0) {
    const had = await fireBatch(scene, event, waiting.slice(0, mostAtOnce), text);
    if (had.size === 0) return;
    waiting = waiting.filter((row) => !had.has(row));
  }
}

/** Returns the rows that ran, or an empty list if this is unknown. */
async function fireBatch(
  scene: DialectScene,
  event: DialectEvent,
  rows: readonly ProcessRow[],
  text: string | undefined,
): Promise<ReadonlySet<ProcessRow>> {
  const { options, dialect, violations } = scene;
  // Output that makes no decision. In some formats printing nothing is an error, and in others an empty object denies.
  const undecided = unreadableOn(options, event) === 'deny all' ? '' : '{}';
  const guard = printing(isAnswersEvent(scene, event) ? JSON.stringify(options.answers.deny) : undecided);
  const hooks = [...rows, { command: guard, timeoutMs: ampleMs }].map(({ command, timeoutMs = ampleMs }, number) =>
    // The number makes the commands different. Equal hooks would be dropped as duplicates.
    sampleHook(event, number, { command: `: ${number}; ${command}`, timeoutMs }),
  );
  const done = `${event.dialectEvent} with ${rows.length} hooks and a valid one after them: ${shown(rows.map(({ what }) => what))}`;
  let result: AggregatedHookResult;
  try {
    result = await options.fire(dialect, settingsOf(options, hooks), event.eventName, fieldsOn(options, event, text));
  } catch (error) {
    violations.add(done, `fire() rejected with ${shown(error)}`, 'a result');
    return new Set();
  }
  if (!requireResult(scene, done, result, hooks)) return new Set();
  const outcomes = firstRuns(result).slice(0, rows.length);
  for (const [index, outcome] of outcomes.entries()) {
    if (hasNoTurn(outcome) && outcomes.slice(0, index).some(endsChain)) continue;
    requireOutcome(scene, event, rows[index] as ProcessRow, outcome);
  }
  requireGuard(scene, event, done, result);
  return new Set(rows.filter((_, index) => !hasNoTurn(outcomes[index] as HookOutcome)));
}

/** Returns the outcomes of first runs. A hook may run a second time if another hook rewrote the same data. */
function firstRuns({ outcomes }: AggregatedHookResult): HookOutcome[] {
  return outcomes.filter(({ recheck }) => recheck !== true);
}

/** Checks the result as a whole, and returns whether it is valid. The outcomes in an invalid result cannot be checked. */
function requireResult({ violations }: DialectScene, done: string, result: AggregatedHookResult, hooks: readonly SampleHook[]): boolean {
  const outcomes = firstRuns(result);
  const { errors } = result;
  const issue = aggregatedHookResultSchema.safeParse(result).error?.issues[0];
  const problem = notPlainJson(result) ?? (issue === undefined ? undefined : `${pathText(issue.path)}: ${issue.message}`);
  if (problem !== undefined) violations.add(done, problem, 'an AggregatedHookResult as plain JSON');
  const isOfHook = errors.every(({ code, hookId }) => hookId !== undefined && Object.hasOwn(hookCodes, code) && code !== 'internal_error');
  violations.require(isOfHook, done, { errors }, 'only errors of hooks, with codes of hookCodes except internal_error');
  const ids = new Set(outcomes.map(({ hookId }) => hookId));
  if (outcomes.length !== hooks.length || ids.size !== hooks.length) {
    violations.add(
      done,
      `${outcomes.length} outcomes of ${ids.size} hooks, errors ${shown(errors)}`,
      `one outcome for each of ${hooks.length} hooks`,
    );
    return false;
  }
  const commands = hooks.map(({ command }) => command);
  const stray = outcomes.findIndex(({ command }, index) => command?.includes(commands[index] as string) === false);
  const order = `that of "${commands[stray]}": outcomes must be in the order of the settings`;
  violations.require(stray < 0, `${done}: outcome ${stray}`, outcomes[stray], order);
  return stray < 0;
}

/** Checks the valid hook after the others. It must deny on the event of the sample answers, and make no decision on other events. */
function requireGuard(scene: DialectScene, event: DialectEvent, done: string, result: AggregatedHookResult): void {
  const { violations } = scene;
  const outcomes = firstRuns(result);
  const { verdict } = result;
  const guard = outcomes.at(-1) as HookOutcome;
  const isDenying = isAnswersEvent(scene, event);
  if (isDenying) violations.require(verdict.kind === 'deny', done, { verdict }, 'the verdict deny');
  if (hasNoTurn(guard) && outcomes.slice(0, -1).some(endsChain)) return;
  const status = isDenying ? 'blocked' : 'succeeded';
  violations.require(guard.status === status, done, guard, `the last one to have ${status}`);
  if (isDenying) violations.require(verdict.by.includes(guard.hookId), done, { verdict }, `${guard.hookId} among those who decided`);
}

/** Tests whether a system may leave out the hooks after this one. */
function endsChain({ output, failedClosed }: HookOutcome): boolean {
  return verdictOf(output?.decision) === 'deny' || output?.continue === false || failedClosed === true;
}

function hasNoTurn({ status, skipReason }: HookOutcome): boolean {
  return status === 'skipped' && skipReason === 'chain-ended';
}

/** Checks that the outcome of one hook fits what the hook did. All differences become one failure. */
export function requireOutcome(scene: DialectScene, event: DialectEvent, row: ProcessRow, outcome: HookOutcome): void {
  const { status, exitCode, signal, output, warnings } = outcome;
  const expected: string[] = [];
  const require = (holds: boolean, what: string) => {
    if (!holds) expected.push(what);
  };
  const isOwn = outcome.dialect === scene.dialect.name && outcome.eventName === event.eventName;
  require(isOwn, `an outcome of ${scene.dialect.name} on ${event.eventName}`);
  const statuses = mayFail(scene, event, row) ? [...row.statuses, 'failed'] : row.statuses;
  require(statuses.includes(status), statuses.join(' or '));
  require(row.exitCode === undefined || exitCode === row.exitCode, `the exit code ${row.exitCode}`);
  // The signal may have ended only a child of the shell. The shell then reports the signal by an exit code above 128.
  require(row.signal === undefined || signal === row.signal || (exitCode ?? 0) > 128, `the signal ${row.signal}`);
  const isHealthy = status === 'blocked' || (status === 'succeeded' && row.exitCode === 0);
  require(isHealthy || warnings.length > 0, 'a warning: an end other than exit code 0 must not be silent');
  const isDocumented = warnings.every(({ code }) => Object.hasOwn(hookCodes, code) && code !== 'internal_error');
  require(isDocumented, 'warnings with codes of hookCodes, except internal_error');
  const problem = output === undefined ? undefined : notCanonical(output, event.eventName);
  require(problem === undefined, `canonical output (${problem})`);
  require(row.isCutOff !== true || isBounded(outcome), 'stdout shorter than the printed output, and the warning output_truncated');
  const hasFailed = status === 'failed' || status === 'timed-out';
  const other = misheard(saidOn(scene, event, row), { output, hasFailed, warnings }, unreadableOn(scene.options, event));
  if (other !== undefined) expected.push(other);

  if (expected.length === 0) return;
  const came = { status, exitCode, signal, warnings, output };
  scene.violations.add(`a hook of ${event.dialectEvent} that ${row.what}`, shown(came), expected.join('; '));
}

/** On another event a sample answer may be invalid, and then makes no decision. */
function saidOn(scene: DialectScene, event: DialectEvent, { says }: ProcessRow): Said {
  const isAnswer = says === 'allow' || says === 'deny' || says === 'lost deny';
  return isAnswer && !isAnswersEvent(scene, event) ? 'unclear' : says;
}

/** Tests whether the hook may have failed. A hook whose output is readable in every format must not have failed. */
function mayFail(scene: DialectScene, event: DialectEvent, row: ProcessRow): boolean {
  if (row.exitCode !== 0 || unreadableOn(scene.options, event) !== 'failed') return false;
  return !['nothing', 'allow', 'deny'].includes(saidOn(scene, event, row));
}

function isBounded({ stdout = '', stdoutBytes = 0, truncated, warnings }: HookOutcome): boolean {
  return truncated === true && stdout.length < stdoutBytes && warnings.some(({ code }) => code === 'output_truncated');
}
