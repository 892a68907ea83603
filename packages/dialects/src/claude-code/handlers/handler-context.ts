import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import type { ClaudeEvent } from '../input/event-table.js';

/** Where a handler stands, and who is told what is wrong with it. */
export interface HandlerContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly event: ClaudeEvent;
  readonly hookId: string;
  readonly path: DocumentPath;
}
