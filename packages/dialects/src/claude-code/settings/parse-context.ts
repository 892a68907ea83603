import type { HookEventName } from '@tenterhook/protocol';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { RuleRoots } from '../matching/conditions/path-rule.js';
import type { ClaudeMatcher } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';

/** The plugin that a hook belongs to: its directory, and its name if that is known. */
export interface HookPlugin {
  readonly root: string;
  readonly name?: string;
}

/** What all hooks of a document have in common. */
export interface ParseOptions {
  readonly host: ClaudeHost;
  readonly roots: RuleRoots;
  readonly platform: string;
  /** The environment of the agent. Its hooks inherit it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly plugin?: HookPlugin;
  /** The tools of the agent, if they are known. */
  readonly toolNames?: readonly string[];
}

/** The values that a hook takes over from its group. */
export interface ClaudeGroup {
  readonly matcher: ClaudeMatcher;
  /** The text of the matcher in the settings. */
  readonly matcherText?: string;
}

/** Where a handler is in the settings, and the reporter of its problems. */
export interface HandlerContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly event: ClaudeEvent;
  readonly hookId: string;
  readonly path: DocumentPath;
}

/** Returns the event of the hook groups under a key. In the front matter of a subagent, `Stop` is the event at the end of the subagent. */
export function getEventOfKey({ dialectEvent }: Pick<EventContext, 'dialectEvent'>, { frontMatterOf }: ParseOptions): ClaudeEvent {
  return frontMatterOf === 'subagent' && dialectEvent === 'Stop' ? 'SubagentStop' : (dialectEvent as ClaudeEvent);
}
