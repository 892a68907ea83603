import type { Diagnostic, HookDefinition, PinnedParts, Stage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportForeignFields, reportMisspelledKeys } from '../lint/unknown-fields.js';
import { reportSplitPaths } from '../lint/unquoted-variables.js';
import { reportUnsetVariables, type UnsetVariables } from '../lint/unset-variables.js';
import { type MatcherLanguage, matcherField } from '../matching.js';
import { formatValue } from '../text.js';
import { definitionBase, invalidSkip } from './definition-base.js';
import { type EventContext, type GroupContext, type GroupFormat, pathOfHook, type ReadGroup } from './group-format.js';
import {
  commandProblem,
  envField,
  modeField,
  onErrorField,
  recheckField,
  reportNoObject,
  sequentialField,
  textField,
} from './hook-fields.js';
import type { DocumentPath } from './reporter.js';
import { timeoutField } from './timeout-field.js';

/** A group of command hooks with a matcher. Its hooks may be sequential. */
export interface CommandGroup<Matcher> {
  readonly matcher: Matcher;
  /** The matcher as written in the settings. */
  readonly matcherText?: string;
  readonly sequential: boolean;
}

/** The `dialectData` of a hook in such a group. */
export interface CommandHookData<Matcher> {
  readonly matcher: Matcher;
  readonly sequential: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export function commandDataOf<Matcher>(hook: HookDefinition): CommandHookData<Matcher> {
  return hook.dialectData as CommandHookData<Matcher>;
}

/** Returns the parts of a hook that must not change if the hook is to stay trusted (`Dialect.pinnedParts`). */
export function pinnedCommandParts(hook: HookDefinition): PinnedParts {
  const { sequential, env } = commandDataOf(hook);
  return { definition: { sequential, env } };
}

/** Plans all hooks as one stage. If any hook is in a sequential group, each hook is a stage of its own (decision 16a). */
export function layOutBySequential(hooks: readonly HookDefinition[]): Stage[] {
  if (hooks.length === 0) return [];
  return hooks.some((hook) => commandDataOf(hook).sequential) ? hooks.map((hook) => ({ hooks: [hook] })) : [{ hooks }];
}

export function readCommandGroup<Matcher>(
  fields: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  context: EventContext,
  language: MatcherLanguage<Matcher>,
): ReadGroup<CommandGroup<Matcher>> {
  const sequential = sequentialField(fields['sequential'], path, context);
  const { problem, ...matcher } = matcherField(fields['matcher'], path, context, language);
  return { group: { ...matcher, sequential }, ...(problem === undefined ? {} : { invalidGroup: problem }) };
}

/** The rules of a format whose hooks are commands with a name, a timeout in milliseconds and an environment. Groups may be sequential. */
export interface CommandHookRules<Matcher> {
  readonly language: MatcherLanguage<Matcher>;
  readonly groupFields: readonly string[];
  readonly hookFields: readonly string[];
  readonly defaultTimeoutMs: number;
  /** Returns the text of a hook for remedies. The command is already in quotes. */
  showHook(command: string): string;
  /** Reports a type that cannot run. Returns undefined for any other type. */
  typeProblem(type: unknown, path: DocumentPath, context: EventContext, hookId: string): Diagnostic | undefined;
  /** Variables that every hook receives and whose values are known when the settings are read. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables that the agent never sets, and the environment of the agent. If undefined, no variable is reported. */
  readonly unset?: { readonly variables: UnsetVariables; readonly environment: Readonly<Record<string, string | undefined>> };
  /** The platform of the agent by its name in Node, e.g. `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** Returns the identity of a hook. Two hooks of one dialect and event with the same identity are duplicates. */
  identityOf(hook: { name: string | undefined; command: string; env: Readonly<Record<string, string>> }): unknown;
}

type HookPart<Matcher> = Pick<
  GroupFormat<CommandGroup<Matcher>>,
  'groupFields' | 'hookFields' | 'isHookLike' | 'showHook' | 'readGroup' | 'readHook' | 'invalidHook'
>;

export function commandHooks<Matcher>(rules: CommandHookRules<Matcher>): HookPart<Matcher> {
  return {
    groupFields: rules.groupFields,
    hookFields: rules.hookFields,
    isHookLike: (value) => value['command'] !== undefined,
    showHook: (hook) => rules.showHook(formatValue(hook['command'])),
    readGroup: (fields, path, context) => readCommandGroup(fields, path, context, rules.language),
    readHook: (value, index, context) => readCommandHook(value, index, context, rules),
    invalidHook: (problem, last, context, onError) => placeholder(problem, last, { ...context, onError }, rules),
  };
}

function readCommandHook<Matcher>(
  value: unknown,
  index: number,
  context: GroupContext<CommandGroup<Matcher>>,
  rules: CommandHookRules<Matcher>,
): HookDefinition {
  const { document, reporter, eventName, groupIndex, group } = context;
  const path = pathOfHook(context, index);
  const fields = isPlainObject(value) ? value : undefined;
  if (fields !== undefined) {
    reportMisspelledKeys(fields, rules.hookFields, path, 'a hook', reporter, eventName);
    reportForeignFields(fields, rules.hookFields, path, 'a hook', reporter, eventName, rules.groupFields);
  }

  const name = textField(fields, 'name', path, context);
  const description = textField(fields, 'description', path, context);
  const base = definitionBase({ ...context, last: name ?? `${groupIndex}.${index}`, name, line: document.locate(path)?.line, path });
  const about = { reporter, eventName, hookId: base.id };
  const problem = context.invalidGroup ?? invalidHook(value, fields, path, context, base.id, rules);
  const command = typeof fields?.['command'] === 'string' ? fields['command'] : '';
  const env = envField(fields, path, context);
  const mode = modeField(fields?.['mode'], path, about);
  const data: CommandHookData<Matcher> = { matcher: group.matcher, sequential: group.sequential, env };
  const skip = problem === undefined ? undefined : invalidSkip(problem);
  if (problem === undefined) {
    const place = { ...about, path };
    reportSplitPaths(command, { ...rules.variables, ...env }, place, rules.platform);
    if (rules.unset !== undefined) reportUnsetVariables(command, rules.unset.variables, { ...rules.unset.environment, ...env }, place);
  }

  return {
    ...base,
    ...(description === undefined ? {} : { description }),
    ...(group.matcherText === undefined ? {} : { matcher: group.matcherText }),
    timeoutMs: timeoutField(fields?.['timeout'], path, { ...about, defaultMs: rules.defaultTimeoutMs }),
    onError: onErrorField(fields?.['onError'], path, about),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: { kind: 'command', command, ...(mode && { mode }) },
    dedupeKey: JSON.stringify(rules.identityOf({ name, command, env })),
    ...(skip === undefined ? {} : { skip }),
    dialectData: data,
  };
}

function placeholder<Matcher>(
  problem: Diagnostic,
  last: string,
  context: EventContext & Pick<HookDefinition, 'onError'>,
  { language, defaultTimeoutMs }: CommandHookRules<Matcher>,
): HookDefinition {
  const data: CommandHookData<Matcher> = { matcher: language.all, sequential: false, env: {} };
  return {
    ...definitionBase({ ...context, last, line: problem.line }),
    timeoutMs: defaultTimeoutMs,
    onError: context.onError,
    action: { kind: 'command', command: '' },
    skip: invalidSkip(problem),
    dialectData: data,
  };
}

function invalidHook<Matcher>(
  value: unknown,
  fields: Readonly<Record<string, unknown>> | undefined,
  path: DocumentPath,
  context: EventContext,
  hookId: string,
  rules: CommandHookRules<Matcher>,
): Diagnostic | undefined {
  if (fields === undefined) return reportNoObject(value, path, context, hookId, rules.showHook('"…"'));
  return rules.typeProblem(fields['type'], path, context, hookId) ?? commandProblem(fields, path, context, hookId);
}
