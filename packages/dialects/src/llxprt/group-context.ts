import type { Diagnostic, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import type { Reporter } from '../settings/reporter.js';
import type { Matcher } from './matcher.js';

/** Where hooks are read: whose they are, and who is told what is wrong with them. */
export interface EventContext {
  readonly document: SettingsDocument;
  readonly reporter: Reporter;
  readonly dialect: string;
  readonly eventName: HookEventName;
}

/** What a hook inherits from where it stands. */
export interface GroupContext extends EventContext {
  readonly groupIndex: number;
  readonly sequential: boolean;
  readonly matcher: Matcher;
  readonly matcherText?: string;
  /** Why no hook of the group can run. */
  readonly invalidGroup?: Diagnostic;
}
