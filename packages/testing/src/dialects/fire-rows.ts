import { type AggregatedHookResult, aggregatedHookResultSchema, type HookOutcome, hookCodes, verdictOf } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';
import { isAnswersEvent } from './answer-rules.js';
import type { DialectEvent, DialectScene, SampleHook } from './dialect-case.js';
import { notPlainJson } from './plain-json.js';
import { type ProcessRow, printing } from './process-row.js';
import { requireOutcome } from './row-outcome.js';
import { fieldsOn } from './sample-inputs.js';
import { sampleHook, settingsOf } from './sample-settings.js';
import { shown } from './violations.js';

/** Fewer than may wait in a system. */
const mostAtOnce = 600;

/** Milliseconds for hooks that are not to run into it, however slow the machine is. */
const ampleMs = 60_000;

/**
 * Runs all of these hooks on an event, many at once, and behind them one that is in order, which has to be heard. Hooks behind one that blocked
 * or stopped have no turn where the dialect runs them one after another; they are fired again.
 */
export async function fireRows(scene: DialectScene, event: DialectEvent, rows: readonly ProcessRow[], text?: string): Promise<void> {
  let waiting = rows;
  while (waiting.length > 0) {
    const had = await fireBatch(scene, event, waiting.slice(0, mostAtOnce), text);
    if (had.size === 0) return;
    waiting = waiting.filter((row) => !had.has(row));
  }
}

/** The rows that had a turn; none where there is no telling. */
async function fireBatch(
  scene: DialectScene,
  event: DialectEvent,
  rows: readonly ProcessRow[],
  text: string | undefined,
): Promise<ReadonlySet<ProcessRow>> {
  const { options, dialect, violations } = scene;
  // An empty object is no opinion in every format; silence is an error in some.
  const guard = printing(JSON.stringify(isAnswersEvent(scene, event) ? options.answers.deny : {}));
  const hooks = [...rows, { command: guard, timeoutMs: ampleMs }].map(({ command, timeoutMs = ampleMs }, number) =>
    // With its number, so that no two are duplicates of each other.
    sampleHook(event, number, { command: `: ${number}; ${command}`, timeoutMs }),
  );
  const done = `${event.dialectEvent} with ${rows.length} hooks and one that is in order behind them: ${shown(rows.map(({ what }) => what))}`;
  let result: AggregatedHookResult;
  try {
    result = await options.fire(dialect, settingsOf(options, hooks), event.eventName, fieldsOn(options, event, text));
  } catch (error) {
    violations.add(done, `fire() rejected with ${shown(error)}`, 'a result');
    return new Set();
  }
  if (!requireResult(scene, done, result, hooks)) return new Set();
  const outcomes = result.outcomes.slice(0, rows.length);
  for (const [index, outcome] of outcomes.entries()) {
    if (hasNoTurn(outcome) && outcomes.slice(0, index).some(endsChain)) continue;
    requireOutcome(scene, event, rows[index] as ProcessRow, outcome);
  }
  requireGuard(scene, event, done, result);
  return new Set(rows.filter((_, index) => !hasNoTurn(outcomes[index] as HookOutcome)));
}

/** What has to hold of every result, so that what came of each hook can be looked at. */
function requireResult({ violations }: DialectScene, done: string, result: AggregatedHookResult, hooks: readonly SampleHook[]): boolean {
  const { outcomes, errors } = result;
  const issue = aggregatedHookResultSchema.safeParse(result).error?.issues[0];
  const problem = notPlainJson(result) ?? (issue === undefined ? undefined : `${pathText(issue.path)}: ${issue.message}`);
  if (problem !== undefined) violations.add(done, problem, 'an AggregatedHookResult as plain JSON');
  const isOfHook = errors.every(({ code, hookId }) => hookId !== undefined && Object.hasOwn(hookCodes, code) && code !== 'internal_error');
  violations.require(isOfHook, done, { errors }, 'no errors but those of hooks, with codes of hookCodes other than internal_error');
  const ids = new Set(outcomes.map(({ hookId }) => hookId));
  if (outcomes.length !== hooks.length || ids.size !== hooks.length) {
    violations.add(
      done,
      `${outcomes.length} outcomes of ${ids.size} hooks, errors ${shown(errors)}`,
      `one outcome of each of ${hooks.length}`,
    );
    return false;
  }
  const commands = hooks.map(({ command }) => command);
  const stray = outcomes.findIndex(({ command }, index) => command?.includes(commands[index] as string) === false);
  const order = `that of "${commands[stray]}": outcomes stand in the order of the settings`;
  violations.require(stray < 0, `${done}: outcome ${stray}`, outcomes[stray], order);
  return stray < 0;
}

/** The hook behind the others: it denies where it can, and is quiet elsewhere. */
function requireGuard(scene: DialectScene, event: DialectEvent, done: string, result: AggregatedHookResult): void {
  const { violations } = scene;
  const { outcomes, verdict } = result;
  const guard = outcomes.at(-1) as HookOutcome;
  const isDenying = isAnswersEvent(scene, event);
  if (isDenying) violations.require(verdict.kind === 'deny', done, { verdict }, 'the verdict deny');
  if (hasNoTurn(guard) && outcomes.slice(0, -1).some(endsChain)) return;
  const status = isDenying ? 'blocked' : 'succeeded';
  violations.require(guard.status === status, done, guard, `the last one to have ${status}`);
  if (isDenying) violations.require(verdict.by.includes(guard.hookId), done, { verdict }, `${guard.hookId} among those who decided`);
}

/** Hooks behind it may have no turn. */
function endsChain({ output, failedClosed }: HookOutcome): boolean {
  return verdictOf(output?.decision) === 'deny' || output?.continue === false || failedClosed === true;
}

function hasNoTurn({ status, skipReason }: HookOutcome): boolean {
  return status === 'skipped' && skipReason === 'chain-ended';
}
