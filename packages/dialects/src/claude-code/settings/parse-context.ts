import type { HookEventName } from '@tenterhook/protocol';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { RuleRoots } from '../matching/conditions/path-rule.js';
import type { ClaudeMatcher } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';

/** The plugin that a hook belongs to: its directory, and its name if it is known. */
export interface HookPlugin {
  readonly root: string;
  readonly name?: string;
}

/** What is the same for all hooks of a document. */
export interface ParseOptions {
  readonly host: ClaudeHost;
  readonly roots: RuleRoots;
  readonly platform: string;
  /** The environment of the agent, in which its hooks run. */
  readonly environment: Readonly<Record<string, string>>;
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly plugin?: HookPlugin;
  /** The tools that the agent has, where they are known. */
  readonly toolNames?: readonly string[];
}

/** What a hook inherits from its group. */
export interface ClaudeGroup {
  readonly matcher: ClaudeMatcher;
  /** As written. */
  readonly matcherText?: string;
}

/** The place of a handler in the settings, and where its problems are reported. */
export interface HandlerContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly event: ClaudeEvent;
  readonly hookId: string;
  readonly path: DocumentPath;
}

/** The event of the groups under a key: in the front matter of a subagent, `Stop` is the end of the subagent. */
export function getEventOfKey({ dialectEvent }: Pick<EventContext, 'dialectEvent'>, { frontMatterOf }: ParseOptions): ClaudeEvent {
  return frontMatterOf === 'subagent' && dialectEvent === 'Stop' ? 'SubagentStop' : (dialectEvent as ClaudeEvent);
}
