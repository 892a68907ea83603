import { canonicalTools } from '@tenterhook/dialects/parts';
import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import type { HookLoss, PortableHook, PortableMatcher } from './portable-hook.js';
import { type PatternText, readTools } from './read-tools.js';
import type { ToolSpelling } from './tool-spelling.js';
import { readValues, type ValueSpelling, writeValues } from './values.js';
import { writeTools } from './write-tools.js';

export interface MatcherSpelling {
  readonly tools: ToolSpelling;
  readonly values: ValueSpelling;
}

export type ReadMatcher = { readonly matcher: PortableMatcher; readonly losses: readonly HookLoss[] } | { readonly cannot: string };

/**
 * The names of a matcher in the dialect's spelling, in which `*` matches any text. Without `globs`, the matcher matches everything.
 */
type WrittenMatcher = { readonly globs: readonly string[] | undefined; readonly losses: readonly HookLoss[] } | { readonly cannot: string };

const everything: PortableMatcher = { kind: 'everything' };

/** Converts a matcher of the dialect into portable subjects. Without `pattern`, the matcher matches everything. */
export function readMatcher(pattern: PatternText | undefined, eventName: HookEventName, spelling: MatcherSpelling): ReadMatcher {
  const { matcherField } = eventEntry(eventName);
  if (pattern === undefined || matcherField === undefined || pattern.globs?.includes('*') === true)
    return { matcher: everything, losses: [] };
  const read = matcherField === 'tool_name' ? readTools(pattern, spelling.tools) : readValues(pattern, eventName, spelling.values);
  return 'cannot' in read ? read : { matcher: { kind: 'subjects', subjects: read.subjects }, losses: read.losses };
}

export function writeMatcher({ matcher, eventName }: PortableHook, spelling: MatcherSpelling): WrittenMatcher {
  if (matcher.kind === 'everything') return { globs: undefined, losses: [] };
  const isOfTool = eventEntry(eventName).matcherField === 'tool_name';
  return isOfTool ? writeTools(matcher.subjects, spelling.tools) : writeValues(matcher.subjects, eventName, spelling.values);
}

/** Returns the spelling of LLxprt and related agents. The portable form uses the same names. */
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
