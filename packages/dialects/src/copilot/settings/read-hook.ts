import type { Diagnostic, HookAction, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { isForeignField, reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { type MatcherLanguage, matcherField } from '../../shared/matching.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { absolutePath } from '../../shared/paths.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import {
  envField,
  modeField,
  onErrorField,
  onErrorIn,
  recheckField,
  reportNoObject,
  textField,
} from '../../shared/settings/hook-fields.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { EntryContext } from '../../shared/settings/read-entries.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { type CopilotEvent, eventOfKey, factsOf } from '../input/event-table.js';
import type { CopilotHookData, Runs } from './hook-data.js';
import { mayCallThisMachine, type ReadRuns, readRuns } from './runs.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of a document have in common. */
export interface ParseOptions {
  /** Returns the matcher language of a key. */
  languageOf(key: string): MatcherLanguage<NameMatcher>;
  readonly home: string;
  readonly projectDir: string;
  readonly platform: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly isVsCode: boolean;
  readonly folder?: string;
  readonly plugin?: HookPlugin;
}

export const defaultTimeoutS = 30;

const commandFields = ['command', 'bash', 'powershell', 'exec', 'args', 'cwd', 'env'];
const vsCodeFields = ['windows', 'linux', 'osx'];
const hookFields: readonly string[] = [
  'type',
  'matcher',
  'timeoutSec',
  'timeout',
  ...commandFields,
  'url',
  'headers',
  'allowedEnvVars',
  'prompt',
  'onError',
  'recheck',
  'mode',
];
const groupFields: readonly string[] = ['matcher', 'hooks'];

/** A matcher that hooks take over from their group. */
interface GroupMatcher {
  readonly written: unknown;
  readonly path: EntryContext['path'];
}

/** Reads one entry of a list: a hook, or a group of hooks as in Claude Code. */
export function readEntry(value: unknown, context: EntryContext, options: ParseOptions): HookDefinition[] {
  const { path, last, reporter, eventName } = context;
  if (!isPlainObject(value) || value['hooks'] === undefined) return [readHook(value, context, options)];
  reportGroupFields(value, context, options);
  const { hooks } = value;
  if (!Array.isArray(hooks)) {
    const message = 'The hooks of the group must be an array; they do not run.';
    const remedy = 'Write "hooks": [ { "type": "command", "command": "…" } ].';
    const problem = reporter.report('invalid_group', 'error', [...path, 'hooks'], message, { remedy, eventName });
    return [toInvalidHook(problem, last, { ...context, onError: onErrorIn(value) }, options.home)];
  }
  const group: GroupMatcher = { written: value['matcher'], path };
  return hooks.map((hook, index) => {
    // The first hook was counted with its group.
    if (index > 0) reporter.countHook([...path, 'hooks', index]);
    return readHook(hook, { ...context, path: [...path, 'hooks', index], last: `${last}.${index}` }, options, group);
  });
}

/** Reads one hook. An invalid hook gets a `skip`, so that the results of its event report it. */
function readHook(value: unknown, context: EntryContext, options: ParseOptions, group?: GroupMatcher): HookDefinition {
  const { document, reporter, eventName, dialectEvent, path } = context;
  const event = eventOfKey(dialectEvent) as CopilotEvent;
  const base = definitionBase({ ...context, line: document.locate(path)?.line });
  const about = { reporter, eventName, hookId: base.id };
  const fields = isPlainObject(value) ? value : undefined;
  if (fields !== undefined) reportFields(fields, context, options, group);
  const fillIn = (text: string) => text.replaceAll('{{project_dir}}', () => options.projectDir);
  const { runs, problem: badRuns }: ReadRuns =
    fields === undefined
      ? { problem: reportNoObject(value, path, context, base.id, '{ "type": "command", "command": "…" }') }
      : readRuns(fields, context, { ...options, event, hookId: base.id, fillIn });
  const written = group?.written ?? fields?.['matcher'];
  const place = group?.written === undefined ? path : group.path;
  const { problem: badMatcher, ...matched } = matcherField(written, place, context, options.languageOf(dialectEvent));
  const invalid = badRuns ?? badMatcher;
  const env = Object.fromEntries(Object.entries(envField(fields, path, context)).map(([name, text]) => [name, fillIn(text)]));
  const cwd = textField(fields, 'cwd', path, context);
  const mode = runs?.kind === 'command' ? modeField(fields?.['mode'], path, about) : undefined;
  const isCommand = runs === undefined || runs.kind === 'command';
  const data: CopilotHookData = {
    event,
    matcher: matched.matcher,
    runs: runs ?? emptyCommand,
    env,
    home: options.home,
    ...omitUndefined({ folder: options.folder, plugin: options.plugin }),
  };
  return {
    ...base,
    ...omitUndefined({ matcher: matched.matcherText }),
    timeoutMs: timeoutField(fields?.['timeoutSec'] ?? fields?.['timeout'], path, {
      ...about,
      defaultMs: defaultTimeoutS * 1000,
      unit: 's',
    }),
    onError: onErrorField(fields?.['onError'], path, about),
    ...(isCommand && deniesOnCrash(event, document.source) ? { deniesOnCrash: true as const } : {}),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: toAction(data.runs, mode, options.environment),
    ...(isCommand ? { cwd: cwd === undefined ? options.projectDir : absolutePath(fillIn(cwd), options.projectDir) } : {}),
    ...(invalid === undefined ? {} : { skip: invalidSkip(invalid) }),
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
  const event = eventOfKey(context.dialectEvent) as CopilotEvent;
  const data: CopilotHookData = { event, matcher: { kind: 'all' }, runs: emptyCommand, env: {}, home };
  return invalidDefinition(problem, { ...context, last }, defaultTimeoutS * 1000, data);
}

const emptyCommand: Runs = { kind: 'command', command: { kind: 'shell', text: '' } };

/** A hook of the administrator that crashes after a tool removes the result. */
function deniesOnCrash(event: CopilotEvent, source: string): boolean {
  return factsOf(event).deniesOnCrash === true || (event === 'postToolUse' && source === 'managed');
}

function knownFields({ isVsCode }: ParseOptions): readonly string[] {
  return isVsCode ? [...hookFields, ...vsCodeFields] : hookFields;
}

function reportFields(
  fields: Fields,
  { path, reporter, eventName }: EntryContext,
  options: ParseOptions,
  group: GroupMatcher | undefined,
): void {
  const known = knownFields(options);
  reportMisspelledKeys(fields, known, path, 'a hook', reporter, eventName);
  reportForeignFields(fields, known, path, 'a hook', reporter, eventName);
  const { matcher } = fields;
  if (group?.written === undefined || matcher === undefined || matcher === group.written) return;
  reporter.report('invalid_field', 'warning', [...path, 'matcher'], '"matcher" is ignored: the hook uses the matcher of its group.', {
    remedy: 'Write one matcher, in the group or in each hook.',
    eventName,
  });
}

/** Reports fields of hooks that are in a group. The hooks of the group do not take them over. */
function reportGroupFields(group: Fields, { path, reporter, eventName }: EntryContext, options: ParseOptions): void {
  const ofHooks = knownFields(options).filter((field) => !groupFields.includes(field));
  reportMisspelledKeys(group, [...groupFields, ...ofHooks], path, 'a hook group', reporter, eventName);
  reportForeignFields(group, groupFields, path, 'a hook group', reporter, eventName, ofHooks);
  for (const field of ofHooks) {
    if (field === 'type' || isForeignField(field) || group[field] === undefined) continue;
    reporter.report('invalid_field', 'warning', [...path, field], `"${field}" is not a field of a hook group and is ignored.`, {
      remedy: 'Write the field into the hooks of the group.',
      eventName,
    });
  }
}

function toAction(runs: Runs, mode: 'resident' | undefined, environment: ParseOptions['environment']): HookAction {
  if (runs.kind === 'http') return { ...runs, ...(mayCallThisMachine(runs.url, environment) ? { callsThisMachine: true as const } : {}) };
  if (runs.kind === 'host') return runs;
  const { command } = runs;
  if (command.kind === 'shell') return { kind: 'command', command: command.text, ...(mode && { mode }) };
  return { kind: 'command', command: command.file, args: command.args, ...(mode && { mode }) };
}
