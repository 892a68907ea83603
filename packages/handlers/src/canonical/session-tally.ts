import type { HookEvent, LLMResponse } from '@tenterhook/protocol';

/** The counts that the event `session_end` reports (decision 71). */
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

/** The maximum number of sessions that are counted. If there are more, the least recently used one is removed. */
const maxSessions = 256;

const nothing: SessionCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/** Counts the events of each session. The count of a session begins with its start or with its first event. */
export class SessionTally {
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  /** `now` returns milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts an event. Call it before the hooks of the event run, because the counts that they receive include this event. */
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
   * Returns the session with this id. A session that starts again, or continues after its end, begins at zero, because its old
   * counts have been reported.
   */
  #sessionOf(id: string, isStart: boolean): Session {
    const known = this.#sessions.get(id);
    const session =
      known === undefined || isStart || known.endedAt !== undefined
        ? { tokens: 0, toolCalls: 0, beganAt: this.#now(), endedAt: undefined }
        : known;
    // Removed and inserted again, so that the last entry of the map is the most recently used one.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > maxSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }
}

/** Tests whether a start begins a new session. After a compression of its history, or when it is resumed, a session continues. */
function beginsAnew(source: unknown): boolean {
  return source !== 'compress' && source !== 'resume';
}
