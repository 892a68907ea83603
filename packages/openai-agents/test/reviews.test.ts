import { expect, test } from '@jest/globals';
import { RunContext } from '@openai/agents';
import type { HookClient, ReviewedToolCall } from '@tenterhook/agent';
import { hasReview, keepReview, takeReview } from '../src/tools/reviews.js';

const call = { key: new RunContext(), callId: 'c1', name: 'read', input: { path: 'a' } };

test.each([
  ['ready', 'blocked', 'blocked'],
  ['blocked', 'ready', 'blocked'],
  ['ready', 'stopped', 'stopped'],
  ['ready', 'ready', 'ready'],
] as const)('of decisions about equal calls, the strictest counts for all of them: %s, %s', (first, second, counts) => {
  const client = {} as HookClient;
  for (const status of [first, second]) keepReview(client, call, { status } as ReviewedToolCall);
  expect([1, 2].map(() => takeReview(client, call, false)?.status)).toEqual([counts, counts]);
  expect(hasReview(client, call)).toBe(false);
});
