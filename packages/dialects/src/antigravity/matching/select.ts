import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { factsOf } from '../input/event-table.js';
import type { AntigravityHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { namesInInput } from '../tools/tool-call.js';
import { subject } from './matcher.js';

export function select(hook: HookDefinition, { input }: HookEvent, host: AntigravityHost): Selection {
  const { event: name, matcher } = dataOf(hook);
  // Antigravity fires SessionStart only for a new conversation.
  if (name === 'SessionStart' && (input['source'] === 'resume' || input['source'] === 'compress')) {
    const reason = `SessionStart is only for new conversations, and the source is ${JSON.stringify(input['source'])}`;
    return { run: false, skipReason: 'condition', reason };
  }
  const isOfTool = factsOf(name).ofTool === true;
  return selectByMatcher(hook, {
    event: name,
    matcher,
    subject: isOfTool ? subject : undefined,
    subjects: () => namesInInput(input, host),
  });
}
