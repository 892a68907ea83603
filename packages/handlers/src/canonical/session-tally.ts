import type { HookEvent as CanonicalEvent, LLMResponse } from '@tenterhook/protocol';

/** What `session_end` tells of a session (decision 71). */
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

/** Sessions that are remembered at a time; beyond it the one that has been quiet longest is forgotten. */
const maxSessions = 256;

const nothing: SessionCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/** Counts what happens in each session, from its start or from the first that is seen of it. */
export class SessionTally {
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Told of each event before its hooks run, so that they find it counted. */
  add({ eventName, input }: CanonicalEvent): void {
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

  /** A session that begins anew, or goes on after its end, is a new one: its counts were told. */
  #sessionOf(id: string, isStart: boolean): Session {
    const known = this.#sessions.get(id);
    const session =
      known === undefined || isStart || known.endedAt !== undefined
        ? { tokens: 0, toolCalls: 0, beganAt: this.#now(), endedAt: undefined }
        : known;
    // Last in the map is the one that was heard of last.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > maxSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }
}

/** One whose history was compressed, or is taken up again while it runs, is the same session. */
function beginsAnew(source: unknown): boolean {
  return source !== 'compress' && source !== 'resume';
}
