import type { HookDefinition } from '@tenterhook/protocol';
import type { DocumentPath } from '../settings/reporter.js';
import type { EventContext, ReadGroup } from '../settings/group-format.js';
import { type MatcherLanguage, matcherField } from '../matching.js';
import { sequentialField } from './sequential.js';

/** A group with a matcher whose hooks may be sequential. */
export interface CommandGroup<Matcher> {
  readonly matcher: Matcher;
  /** As written. */
  readonly matcherText?: string;
  readonly sequential: boolean;
}

/** What a dialect of such groups keeps in `dialectData` of a hook. */
export interface CommandHookData<Matcher> {
  readonly matcher: Matcher;
  readonly sequential: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export function commandDataOf<Matcher>(hook: HookDefinition): CommandHookData<Matcher> {
  return hook.dialectData as CommandHookData<Matcher>;
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
