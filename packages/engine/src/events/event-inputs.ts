import type { HookEvent, HookEventName, HookInput } from '@tenterhook/protocol';
import { type CompletedInput, completeInput } from './input.js';

/** The options of a system that become fields of each input. */
export interface InputDefaults {
  readonly projectDir: string;
  readonly cwd: string;
  readonly sessionId?: string;
  readonly transcriptPath?: string;
}

/** Makes the events of one system from what its callers pass. */
export class EventInputs {
  readonly #defaults: InputDefaults;
  readonly #fallbackSessionId = `session-${globalThis.crypto.randomUUID()}`;

  constructor(defaults: InputDefaults) {
    this.#defaults = defaults;
  }

  /** Completes and validates the fields of an event with the time of the call. */
  complete(eventName: HookEventName, fields: Readonly<Record<string, unknown>>): CompletedInput {
    const { sessionId, transcriptPath = '', cwd } = this.#defaults;
    return completeInput(eventName, fields, { sessionId, fallbackSessionId: this.#fallbackSessionId, transcriptPath, cwd }, new Date());
  }

  /** Returns the event with an input that `complete` has returned. */
  eventOf(eventName: HookEventName, input: HookInput): HookEvent {
    return { eventName, input, projectDir: this.#defaults.projectDir };
  }
}
