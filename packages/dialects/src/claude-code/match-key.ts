import type { Dialect } from '@tenterhook/protocol';
import { createToolMatchKey } from '../shared/tools/tool-match-key.js';
import { factsOf } from './input/event-table.js';
import { matches } from './matching/matcher.js';
import type { ClaudeHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { namesOfTool } from './tools/tool-call.js';

/** Whether a tool failed, and what a condition looks at, no key holds; hooks that another tool is for do not read it. */
export function createMatchKey(host: ClaudeHost): NonNullable<Dialect['matchKey']> {
  return createToolMatchKey((hooks, { subject, mcpContext }) => {
    let names: readonly string[] | undefined;
    return hooks.some((hook) => {
      const { event, condition, matcher } = dataOf(hook);
      if (factsOf(event).ofTool !== true) return false;
      if (condition === undefined && event !== 'PostToolUse' && event !== 'PostToolUseFailure') return false;
      names ??= namesOfTool(subject, mcpContext, host);
      return names.some((name) => matches(matcher, name));
    });
  });
}
