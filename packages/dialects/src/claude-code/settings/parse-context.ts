import type { HookEventName } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { powershellCommand } from '../../shared/settings/powershell.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { RuleRoots } from '../matching/conditions/path-rule.js';
import type { ClaudeHost } from '../options.js';

/** What all hooks of a document have in common. */
export interface ParseOptions {
  readonly host: ClaudeHost;
  readonly roots: RuleRoots;
  readonly platform: string;
  /** The environment of the agent, which its hooks inherit. */
  readonly environment: Readonly<Record<string, string>>;
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly plugin?: HookPlugin;
  /** Returns the command that runs a text with PowerShell. */
  powershell(text: string): ReturnType<typeof powershellCommand>;
  /** The tools of the agent, if they are known. */
  readonly toolNames?: readonly string[];
}

/** What a hook takes over from its group. */
export interface ClaudeGroup {
  readonly matcher: NameMatcher;
  /** The matcher as written in the settings. */
  readonly matcherText?: string;
}

/** Where a hook is in the settings, and the reporter of its problems. */
export interface HandlerContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly event: ClaudeEvent;
  readonly hookId: string;
  readonly path: DocumentPath;
}

/**
 * Returns the event of the hook groups under a key. In the front matter of a subagent, the key `Stop` means the end of the
 * subagent.
 */
export function getEventOfKey({ dialectEvent }: Pick<EventContext, 'dialectEvent'>, { frontMatterOf }: ParseOptions): ClaudeEvent {
  return frontMatterOf === 'subagent' && dialectEvent === 'Stop' ? 'SubagentStop' : (dialectEvent as ClaudeEvent);
}
