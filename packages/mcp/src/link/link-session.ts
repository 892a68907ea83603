import { type Announcement, endSessionWithHooks, type HookClient, startSessionWithHooks } from '@tenterhook/agent';
import { type OnMessage, tellMessage, tellMessages } from '@tenterhook/agent/internal';

/** Milliseconds for the hooks of SessionEnd. The client that has closed the connection waits for our end. */
const longestEndMs = 5000;

/**
 * The session of a link. It starts with the first `initialize` or `tools/call`, because some clients start a server only to look at its
 * protocol. It ends when either side ends.
 */
export class LinkSession {
  /** Resolves when the hooks of SessionStart have ended. Undefined if none runs. */
  starting: Promise<void> | undefined;
  readonly #onMessage: OnMessage | undefined;
  readonly #ending = new AbortController();
  #client: HookClient | undefined;

  constructor(onMessage: OnMessage | undefined) {
    this.#onMessage = onMessage;
  }

  start(client: HookClient): void {
    if (this.#client !== undefined) return;
    this.#client = client;
    if (!client.has('SessionStart')) return;
    this.starting = startSessionWithHooks(client, 'startup', { signal: this.#ending.signal }).then((announcement) => {
      this.starting = undefined;
      this.#tell('SessionStart', announcement);
    });
  }

  /** Ends the hooks of SessionStart that still run, and fires SessionEnd. Does nothing for a session that has not started. */
  async end(): Promise<void> {
    this.#ending.abort('The connection has ended.');
    const client = this.#client;
    if (client === undefined) return;
    await this.starting;
    const control = new AbortController();
    const timer = setTimeout(() => control.abort('The hooks of SessionEnd took too long.'), longestEndMs);
    this.#tell('SessionEnd', await endSessionWithHooks(client, 'exit', { signal: control.signal }));
    clearTimeout(timer);
  }

  #tell(eventName: 'SessionStart' | 'SessionEnd', announcement: Announcement): void {
    // There is no conversation here into which context could be written, so the user gets it.
    const { additionalContext } = announcement;
    if (additionalContext !== undefined) tellMessage(this.#onMessage, { text: additionalContext, audience: 'user', eventName });
    tellMessages(this.#onMessage, announcement, [[eventName, announcement.result]]);
  }
}
