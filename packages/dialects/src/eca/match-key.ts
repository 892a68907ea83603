import type { Dialect } from '@tenterhook/protocol';
import { createToolMatchKey } from '../shared/tools/tool-match-key.js';
import type { EcaHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { ecaToolOf } from './tools.js';

/** Whether a hook for a tool runs or not may depend on its result, which no key holds. */
export function createMatchKey(host: EcaHost): NonNullable<Dialect['matchKey']> {
  return createToolMatchKey((hooks, { eventName, subject, mcpContext }) => {
    if (eventName !== 'AfterTool') return false;
    const { candidates } = ecaToolOf(subject, mcpContext, host);
    return hooks.some((hook) => {
      const { runOnError, matches } = dataOf(hook);
      return !runOnError && (matches === undefined || candidates.some(matches));
    });
  });
}
