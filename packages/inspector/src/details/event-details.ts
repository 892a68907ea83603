import { skipReasons } from '@tenterhook/protocol';
import type { RecordedMessage } from '@tenterhook/recording';
import { escapeUnseen, inShell } from '@tenterhook/runtime/text';
import type { EventDetails, EventRow, HookBar, HookDetails } from '../api/messages.js';
import { cutDeep } from '../store/deep-values.js';
import { type Fields, fieldsOf, listOf, numberOf, resultOfResponse, textOf } from '../store/fields.js';
import type { ShownTexts } from '../store/shown-texts.js';
import { type HookRun, hookRuns, inputOf, textOfRun } from './hook-runs.js';
import { cutTexts, pieceLength, pieceOf } from './hook-texts.js';

/** The messages of one event, as a recording has them. */
export interface EventMessages {
  readonly request: Fields;
  readonly response: Fields | undefined;
  readonly progress: readonly Fields[];
}

/** Sorts the messages of an event by their channels. */
export function eventMessages(messages: readonly RecordedMessage[]): EventMessages {
  const of = (type: string) => messages.filter((message) => message.type === type).map(({ payload }) => fieldsOf(cutDeep(payload)));
  return {
    request: of('HOOK_EXECUTION_REQUEST')[0] ?? {},
    response: of('HOOK_EXECUTION_RESPONSE')[0],
    progress: of('HOOK_EXECUTION_PROGRESS'),
  };
}

/** What a hook would read from stdin, made from the event. */
interface MadeInput {
  readonly text: string;
  /** Bytes of the whole input. */
  readonly bytes?: number | undefined;
  readonly cwd?: string | undefined;
}

/** What is known beyond the messages, because a service or settings files were asked. */
export interface DetailsExtras {
  /** The sentence of `tenterhook explain` about each hook, by its id. */
  readonly sentences?: ReadonlyMap<string, string>;
  /** What a hook would read from stdin for this event, by its id. */
  readonly stdin?: ReadonlyMap<string, MadeInput>;
}

/** Makes the details of an event. All texts are masked, and long ones are cut to their first piece. */
export function eventDetails(row: EventRow, messages: EventMessages, texts: ShownTexts, extras: DetailsExtras = {}): EventDetails {
  // Masked as a whole first. A rule may need the name of a field, or a text in another field of the same object.
  const request = fieldsOf(texts.whole(messages.request));
  const response = messages.response === undefined ? undefined : fieldsOf(texts.whole(messages.response));
  const progress = messages.progress.map((payload) => fieldsOf(texts.whole(payload)));
  const result = resultOfResponse(response ?? {});
  const outcomes = listOf(result['outcomes']);
  const { kind, reason, by } = fieldsOf(result['verdict']);
  return {
    row,
    request: cutTexts(request),
    response: response === undefined ? null : cutTexts(response),
    progress: progress.map(cutTexts),
    ...(typeof kind === 'string'
      ? { verdict: { kind, ...optional('reason', textOf(reason)), by: Array.isArray(by) ? by.filter((id) => typeof id === 'string') : [] } }
      : {}),
    hooks: hooksOf(row, response ?? {}, progress, texts, extras),
    notRun: outcomes.filter(({ status }) => status === 'skipped').map((outcome) => notRunOf(outcome, texts, extras)),
    changes: listOf(result['changes']).map(({ path, hookId, before, after }) => ({
      field: textOf(path) ?? '',
      by: textOf(hookId) ?? '',
      before: cutTexts(before),
      after: cutTexts(after),
    })),
    command: fireCommand(row.event, request),
  };
}

function hooksOf(row: EventRow, response: Fields, progress: readonly Fields[], texts: ShownTexts, extras: DetailsExtras): HookDetails[] {
  const runs = hookRuns(response, progress);
  if (runs.length === 0 && row.state === 'running') {
    return row.hooks.map((bar) => hookDetails(bar, { outcome: {}, end: {}, input: inputOf(bar.hookId, progress, false) }, extras));
  }
  return runs.map((run) => {
    const { hookId, recheck } = run.outcome;
    const id = texts.short(textOf(hookId) ?? '');
    const bar = row.hooks.filter((one) => one.hookId === id)[recheck === true ? 1 : 0] ?? barOf(run.outcome, id);
    return hookDetails(bar, run, extras);
  });
}

function hookDetails(bar: HookBar, run: HookRun, extras: DetailsExtras): HookDetails {
  const { input, end } = run;
  const { durationMs, exitCode, signal, stdoutBytes, stderrBytes } = end;
  const output = fieldsOf(end['output']);
  const specific = fieldsOf(output['hookSpecificOutput']);
  const [read, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map((name) => textOfRun(run, name));
  const made = extras.stdin?.get(bar.hookId);
  const cwd = textOf(input['cwd']) ?? made?.cwd;
  const stdin =
    read !== undefined
      ? { ...pieceOf(read, 0, numberOf(input['stdinBytes'])), isReconstructed: false }
      : made !== undefined
        ? reconstructed(made)
        : undefined;
  return {
    ...bar,
    ...optional('durationMs', numberOf(durationMs)),
    ...optional('exitCode', numberOf(exitCode)),
    ...optional('signal', textOf(signal)),
    ...optional('decision', textOf(output['decision']) ?? textOf(specific['permissionDecision'])),
    ...optional('reason', textOf(output['reason']) ?? textOf(specific['permissionDecisionReason'])),
    warnings: listOf(end['warnings']).map(({ code, message }) => ({ code: textOf(code) ?? '', message: textOf(message) ?? '' })),
    ...optional('cwd', cwd),
    ...optional('stdin', stdin),
    ...optional('stdout', stdout === undefined ? undefined : pieceOf(stdout, 0, numberOf(stdoutBytes))),
    ...optional('stderr', stderr === undefined ? undefined : pieceOf(stderr, 0, numberOf(stderrBytes))),
    ...optional('output', end['output'] === undefined ? undefined : cutTexts(end['output'])),
  };
}

/** The agent sends only the beginning of a long input, so there is no further piece. */
function reconstructed({ text, bytes }: MadeInput): HookDetails['stdin'] & object {
  const size = Math.max(bytes ?? 0, Buffer.byteLength(text));
  const isCut = bytes !== undefined && bytes > pieceLength;
  return { text: isCut ? `${text}\n… Only the beginning is known.` : text, bytes: size, isWhole: true, isReconstructed: true };
}

function barOf(outcome: Fields, hookId: string): HookBar {
  const { name, dialect, status } = outcome;
  return { hookId, ...optional('name', textOf(name)), dialect: textOf(dialect) ?? '', stage: 0, status: textOf(status) ?? 'failed' };
}

function notRunOf(outcome: Fields, texts: ShownTexts, { sentences }: DetailsExtras): EventDetails['notRun'][number] {
  const { hookId: id, name, skipReason } = outcome;
  const hookId = texts.short(textOf(id) ?? '');
  const reason = textOf(skipReason);
  const general = reason !== undefined && Object.hasOwn(skipReasons, reason) ? skipReasons[reason as keyof typeof skipReasons] : undefined;
  const warning = textOf(listOf(outcome['warnings'])[0]?.['message']);
  const sentence = sentences?.get(hookId) ?? warning ?? general ?? 'The recording does not say why the hook did not run.';
  return { hookId, ...optional('name', textOf(name)), ...optional('skipReason', reason), sentence };
}

/**
 * The command that fires the event again. The input is masked, as everywhere. Characters that cannot be seen are escaped in a way that JSON
 * knows. The page would escape some of them in another way, and the input would be invalid.
 */
function fireCommand(event: string, request: Fields): string {
  const input = escapeUnseen(JSON.stringify(request['input'] ?? {}));
  return `tenterhook fire ${inShell(event)} --input ${inShell(input)}`;
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
