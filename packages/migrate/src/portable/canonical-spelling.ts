import { canonicalTools } from '@tenterhook/dialects/parts';
import type { MatcherSpelling } from './matchers.js';

/** How the agents of LLxprt's family spell what matchers look at: their words are the canonical ones. */
export function canonicalSpelling(agent: string): MatcherSpelling {
  return {
    tools: {
      agent,
      table: canonicalTools,
      mcp: [
        { start: 'mcp_', separator: '_' },
        { start: 'mcp__', separator: '__' },
      ],
    },
    values: { agent, words: {} },
  };
}
