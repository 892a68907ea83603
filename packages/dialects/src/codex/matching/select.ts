import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { factsOf } from '../input/event-table.js';
import { subjectsOf } from '../input/payload.js';
import type { CodexHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';

export function select(hook: HookDefinition, event: HookEvent, host: CodexHost): Selection {
  const { event: name, matcher } = dataOf(hook);
  const subjects = () => subjectsOf(event, name, host);
  return selectByMatcher(hook, { event: name, matcher, subject: factsOf(name).subject, subjects });
}
