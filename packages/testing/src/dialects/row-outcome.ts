import { type HookOutcome, hookCodes } from '@tenterhook/protocol';
import { isAnswersEvent, unreadableOn } from './answer-rules.js';
import type { DialectEvent, DialectScene } from './dialect-case.js';
import { notCanonical } from './plain-json.js';
import type { ProcessRow } from './process-row.js';
import { misheard, type Said } from './said.js';
import { shown } from './violations.js';

/** Whether what became of one hook fits to what it did; all that does not is told at once. */
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
  // A shell that is not ended by the signal itself says so by its exit code.
  require(row.signal === undefined || signal === row.signal || (exitCode ?? 0) > 128, `the signal ${row.signal}`);
  const isHealthy = status === 'blocked' || (status === 'succeeded' && row.exitCode === 0);
  require(isHealthy || warnings.length > 0, 'a warning: an end that is not exit code 0 must not pass in silence');
  const isDocumented = warnings.every(({ code }) => Object.hasOwn(hookCodes, code) && code !== 'internal_error');
  require(isDocumented, 'warnings with codes of hookCodes, none of them internal_error');
  const problem = output === undefined ? undefined : notCanonical(output, event.eventName);
  require(problem === undefined, `canonical output (${problem})`);
  require(row.isCutOff !== true ||
    isBounded(outcome), 'stdout that was cut off, shorter than what was printed, and the warning output_truncated');
  const hasFailed = status === 'failed' || status === 'timed-out';
  const other = misheard(saidOn(scene, event, row), { output, hasFailed, warnings }, unreadableOn(scene.options, event));
  if (other !== undefined) expected.push(other);

  if (expected.length === 0) return;
  const came = { status, exitCode, signal, warnings, output };
  scene.violations.add(`a hook of ${event.dialectEvent} that ${row.what}`, shown(came), expected.join('; '));
}

/** On other events than that of the answers they may be none, and decide nothing. */
function saidOn(scene: DialectScene, event: DialectEvent, { says }: ProcessRow): Said {
  const isAnswer = says === 'allow' || says === 'deny' || says === 'lost deny';
  return isAnswer && !isAnswersEvent(scene, event) ? 'unclear' : says;
}

/** A hook that says what every format can read has not failed. */
function mayFail(scene: DialectScene, event: DialectEvent, row: ProcessRow): boolean {
  if (row.exitCode !== 0 || unreadableOn(scene.options, event) !== 'failed') return false;
  return !['nothing', 'allow', 'deny'].includes(saidOn(scene, event, row));
}

function isBounded({ stdout = '', stdoutBytes = 0, truncated, warnings }: HookOutcome): boolean {
  return truncated === true && stdout.length < stdoutBytes && warnings.some(({ code }) => code === 'output_truncated');
}
