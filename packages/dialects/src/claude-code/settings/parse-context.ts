import type { EventContext } from '../../shared/settings/group-format.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { RuleRoots } from '../matching/conditions/path-rule.js';
import type { ClaudeMatcher } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';
import type { ClaudeHookData } from './hook-data.js';

/** What holds for all hooks of a document. */
export interface ParseOptions {
  readonly host: ClaudeHost;
  readonly roots: RuleRoots;
  readonly platform: string;
  /** That of the agent, in which its hooks run. */
  readonly environment: Readonly<Record<string, string>>;
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly plugin?: NonNullable<ClaudeHookData['plugin']>;
}

/** What a hook inherits from its group. */
export interface ClaudeGroup {
  readonly matcher: ClaudeMatcher;
  /** As written. */
  readonly matcherText?: string;
}

/** The event that groups under a key are for: in the front matter of a subagent its own end is meant. */
export function eventOfKey({ dialectEvent }: Pick<EventContext, 'dialectEvent'>, { frontMatterOf }: ParseOptions): ClaudeEvent {
  return frontMatterOf === 'subagent' && dialectEvent === 'Stop' ? 'SubagentStop' : (dialectEvent as ClaudeEvent);
}
