import type { HookEvent, LLMResponse } from '@tenterhook/protocol';

/** The counts in the event `session_end` (decision 71). */
export interface SessionCounts {
  readonly tokens: number;
  readonly toolCalls: number;
  readonly durationMs: number;
}

interface Session {
  tokens: number;
  toolCalls: number;
  readonly beganAt: number;
  endedAt: number | undefined;
}

/** The maximum number of sessions that are counted. Beyond it, the least recently used one is removed. */
const maxSessions = 256;

const nothing: SessionCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/** Counts the events of each session, beginning with its start or its first event. */
export class SessionTally {
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  /** `now`: returns the milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts an event. Must be called before the hooks of the event run, because the counts that they receive include this event. */
  add({ eventName, input }: HookEvent): void {
    const session = this.#sessionOf(input.session_id, eventName === 'SessionStart' && beginsAnew(input['source']));
    if (eventName === 'AfterTool') session.toolCalls += 1;
    else if (eventName === 'AfterModel') {
      session.tokens += (input['llm_response'] as LLMResponse | undefined)?.usageMetadata?.totalTokenCount ?? 0;
    } else if (eventName === 'SessionEnd') session.endedAt = this.#now();
  }

  countsOf(sessionId: string): SessionCounts {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return nothing;
    const { tokens, toolCalls, beganAt, endedAt = this.#now() } = session;
    return { tokens, toolCalls, durationMs: Math.round(endedAt - beganAt) };
  }

  /**
   * Returns the session with this id. If the session starts again, or continues after its end, its counts begin at zero, because the old
   * counts have been reported.
   */
  #sessionOf(id: string, isStart: boolean): Session {
    const known = this.#sessions.get(id);
    const session =
      known === undefined || isStart || known.endedAt !== undefined
        ? { tokens: 0, toolCalls: 0, beganAt: this.#now(), endedAt: undefined }
        : known;
    // The session is removed and inserted again. So the last entry of the map is the most recently used one.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > maxSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }
}

/** Whether a start begins a new session. A session continues if its history was compressed, or if it is resumed. */
function beginsAnew(source: unknown): boolean {
  return source !== 'compress' && source !== 'resume';
}
