import type { UntypedHookEvent } from '../definition/hook-event.js';
import { isAboutTool } from '../definition/hook-event-type.js';

/** What a matcher looks at in an event. */
export interface MatchSubject {
  /** Absent where the event is not about a tool. */
  readonly tool: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  /** `''` where it is not known; relative patterns are then tried on the path as given. */
  readonly workingDirectory: string;
}

const noArgs = Object.freeze({});

export function subjectOf({ event_type, payload }: UntypedHookEvent): MatchSubject {
  return {
    tool: isAboutTool(event_type) && typeof payload.tool === 'string' ? payload.tool : undefined,
    args: typeof payload.args === 'object' && payload.args !== null ? payload.args : noArgs,
    sessionId: typeof payload.session_id === 'string' ? payload.session_id : '',
    workingDirectory: typeof payload.working_directory === 'string' ? payload.working_directory : '',
  };
}
