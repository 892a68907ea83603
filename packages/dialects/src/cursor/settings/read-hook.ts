import type { Diagnostic, HookDefinition, HookEventName } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { type MatcherLanguage, matcherField } from '../../shared/matching.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { parentOf, withSlashes } from '../../shared/paths.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import { commandProblem, modeField, onErrorIn, recheckField, reportNoObject } from '../../shared/settings/hook-fields.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { EntryContext } from '../../shared/settings/read-entries.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { formatValue, isText } from '../../shared/text.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import type { CursorHookData, Runs } from './hook-data.js';
import { userFile } from './locations.js';
import { hasRelativePath } from './relative-path.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of a document have in common. */
export interface ParseOptions {
  readonly language: MatcherLanguage<NameMatcher>;
  readonly home: string;
  readonly projectDir: string;
  readonly plugin?: HookPlugin;
  /** Why no hook of the document runs. */
  readonly invalid?: Diagnostic;
}

export const defaultTimeoutS = 60;
export const defaultLoopLimit = 5;

export const hookFields = [
  'type',
  'command',
  'prompt',
  'model',
  'timeout',
  'matcher',
  'failClosed',
  'loop_limit',
  'recheck',
  'mode',
] as const;

/** Reads one hook. An invalid hook gets a `skip`, so that the results of its event report it. */
export function readHook(value: unknown, context: EntryContext, options: ParseOptions): HookDefinition {
  const { document, reporter, eventName, path } = context;
  const event = context.dialectEvent as CursorEvent;
  const base = definitionBase({ ...context, line: document.locate(path)?.line });
  const about = { reporter, eventName, hookId: base.id };
  const fields = isPlainObject(value) ? value : undefined;
  if (fields !== undefined) {
    reportMisspelledKeys(fields, hookFields, path, 'a hook', reporter, eventName);
    reportForeignFields(fields, hookFields, path, 'a hook', reporter, eventName);
  }
  const { problem: badMatcher, ...matched } = matcherField(fields?.['matcher'], path, context, options.language);
  const { runs, problem: badRuns } = readRuns(value, fields, context, base.id);
  const onError = badRuns === undefined ? failClosedField(fields?.['failClosed'], context, base.id) : onErrorIn(value);
  const mode = runs?.kind === 'host' ? undefined : modeField(fields?.['mode'], path, about);
  const invalid = options.invalid ?? badRuns ?? badMatcher;
  const data: CursorHookData = {
    event,
    matcher: matched.matcher,
    runs: runs ?? { kind: 'command', text: '' },
    home: options.home,
    loopLimit: loopLimitField(fields?.['loop_limit'], context, base.id),
    ...omitUndefined({ plugin: options.plugin }),
  };
  const cwd = directoryOf(context, options);
  return {
    ...base,
    ...omitUndefined({ matcher: matched.matcherText }),
    timeoutMs: timeoutField(fields?.['timeout'], path, { ...about, defaultMs: defaultTimeoutS * 1000, unit: 's' }),
    onError,
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: data.runs.kind === 'command' ? { kind: 'command', command: data.runs.text, ...(mode && { mode }) } : data.runs,
    ...(data.runs.kind === 'command' ? { cwd } : {}),
    ...(invalid === undefined ? { dedupeKey: toDedupeKey(data, cwd) } : { skip: invalidSkip(invalid) }),
    dialectData: data,
  };
}

/** Creates one invalid hook in place of hooks that cannot be read. */
export function toInvalidHook(
  problem: Diagnostic,
  last: string,
  context: EventContext & Pick<HookDefinition, 'onError'>,
  home: string,
): HookDefinition {
  const event = context.dialectEvent as CursorEvent;
  const runs: Runs = { kind: 'command', text: '' };
  const data: CursorHookData = { event, matcher: { kind: 'all' }, runs, home, loopLimit: defaultLoopLimit };
  return invalidDefinition(problem, { ...context, last }, defaultTimeoutS * 1000, data);
}

/**
 * Hooks of the user start in the folder of their settings, and all other hooks in the project. A host may also pass the file of the user
 * by its path. In the project, its relative paths would be scripts of the repository.
 */
function directoryOf({ document: { source, file } }: EntryContext, { home, projectDir }: ParseOptions): string {
  if (file === undefined) return projectDir;
  const isOfUser = source === 'user' || (source === 'settings' && withSlashes(file) === withSlashes(userFile(home)));
  return (isOfUser ? parentOf(file) : undefined) ?? projectDir;
}

/**
 * Returns the key by which copies are found: Cursor runs a command once, also if several files have it. A command with a relative path
 * runs another script in another directory, so it is a separate hook.
 */
function toDedupeKey({ event, runs }: CursorHookData, cwd: string): string {
  return JSON.stringify([event, runs, runs.kind === 'command' && hasRelativePath(runs.text) ? cwd : null]);
}

function readRuns(
  value: unknown,
  fields: Fields | undefined,
  context: EntryContext,
  hookId: string,
): { readonly runs?: Runs; readonly problem?: Diagnostic } {
  const { reporter, eventName, path } = context;
  if (fields === undefined) return { problem: reportNoObject(value, path, context, hookId, '{ "command": "…" }') };
  if (Array.isArray(fields['hooks'])) {
    const message = 'This is a hook group where a hook is expected; its hooks do not run.';
    const remedy = 'Cursor has no groups: write each hook into the list of the event, with its own "matcher".';
    return { problem: reporter.report('misplaced_hooks', 'error', path, message, { remedy, eventName, hookId }) };
  }
  const { type = 'command' } = fields;
  switch (type) {
    case 'command': {
      const problem = commandProblem(fields, path, context, hookId);
      return problem === undefined ? { runs: { kind: 'command', text: fields['command'] as string } } : { problem };
    }
    case 'prompt': {
      const { prompt, model } = fields;
      if (isText(prompt) && prompt.trim() !== '') return { runs: { kind: 'host', type, data: omitUndefined({ prompt, model }) } };
      const message = 'The hook has no "prompt"; it does not run.';
      return { problem: reporter.report('missing_command', 'error', path, message, { remedy: 'Write "prompt": "…".', eventName, hookId }) };
    }
    default: {
      const message = `Unknown hook type ${formatValue(type)}; the hook does not run.`;
      const remedy = suggestName(type, ['command', 'prompt'], 'The types are command and prompt.');
      return { problem: reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId }) };
    }
  }
}

/**
 * Reads `failClosed`: whether a failure of the hook denies. A value of the wrong type counts as true, because most authors of the field
 * want the deny.
 */
function failClosedField(value: unknown, context: EntryContext, hookId: string): HookDefinition['onError'] {
  if (value === undefined || value === false) return 'continue';
  if (value === true) return 'block';
  const message = `"failClosed" is ${formatValue(value)}; it counts as true: if this hook fails, the operation is denied.`;
  reportField('failClosed', 'error', message, 'Write true or false, without quotes.', context, hookId);
  return 'block';
}

/** Reads `loop_limit` of a hook that can make the agent continue. `null` means that there is no limit. */
function loopLimitField(value: unknown, context: EntryContext, hookId: string): number {
  if (value === undefined) return defaultLoopLimit;
  const { output } = factsOf(context.dialectEvent as CursorEvent);
  if (!output.includes('followup_message')) {
    const message = `"loop_limit" is ignored on ${context.dialectEvent}: its hooks cannot make the agent continue.`;
    reportField('loop_limit', 'warning', message, 'Remove it.', context, hookId);
    return defaultLoopLimit;
  }
  if (value === null) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  const message = `"loop_limit" must be a whole number from 0, or null, and is ${formatValue(value)}; ${defaultLoopLimit} is used.`;
  reportField('loop_limit', 'error', message, 'Write a number such as 3.', context, hookId);
  return defaultLoopLimit;
}

function reportField(
  field: string,
  severity: Diagnostic['severity'],
  message: string,
  remedy: string,
  { reporter, path, eventName }: Pick<EntryContext, 'reporter' | 'path'> & { readonly eventName: HookEventName },
  hookId: string,
): void {
  reporter.report('invalid_field', severity, [...path, field], message, { remedy, eventName, hookId });
}
