import { createLog } from '@tenterhook/runtime/log';
import { sentence } from '@tenterhook/runtime/text';
import type { RegisteredHook } from '../calling/handler.js';
import { AbsentError } from '../calling/run-attempts.js';
import { Hook } from '../definition/hook.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { HookResponse } from '../definition/hook-response.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { readMatcherSettings } from '../matching/matcher-settings.js';
import type { EngineWaiters } from './engine-waiters.js';

const log = createLog('handlers');

/**
 * How long in milliseconds an event waits for a required engine, counted from the moment when the engine was lost. Later events are
 * denied at once, and the engine is asked at most once in this time whether it is back.
 */
const waitMs = 1000;

/** The events on which an engine may deny. A hook of an engine that is unknown may also want to remove something from a result. */
const deniable: readonly HookEventType[] = ['pre_tool_use', 'generate_start'];
const guarded: readonly HookEventType[] = [...deniable, 'post_tool_use', 'generate_end'];

/** Runs before every hook of an engine, so that the verdict has the reason of this hook alone. */
const firstPriority = -Number.MAX_VALUE;

/** What a required engine needs from the handlers of other processes. */
interface Surroundings {
  readonly waiters: EngineWaiters;
  /** Asks all engines to announce themselves. */
  ask(): void;
}

/** What the user can do if a required engine, or one of its hooks, fails. */
export function requiredRemedy(name: string): string {
  const label = JSON.stringify(name);
  return `The agent requires the engine ${label}. Start or repair it, or remove ${label} from "required" of remoteHandlers.`;
}

/**
 * An engine without which the agent is closed. While the engine is not ready, it has guards of its own that deny each event. An event
 * that was planned with these guards is never let through, because the hooks of the engine are not in its plan: if the engine becomes
 * ready while a guard waits, the guard asks for another attempt.
 */
export class RequiredEngine {
  readonly name: string;
  readonly #around: Surroundings;
  readonly #guards: ReadonlyMap<HookEventType, RegisteredHook>;
  #whyNotReady: string | undefined = 'it has not connected yet';
  #isKnown = false;
  #lostAt = performance.now();
  #askedAt = this.#lostAt;

  constructor(name: string, around: Surroundings) {
    this.name = name;
    this.#around = around;
    this.#guards = new Map(guarded.map((type) => [type, this.#createGuard(type)]));
  }

  /** `whyNotReady` is undefined if the engine is ready. Returns whether this changed. */
  update(whyNotReady: string | undefined, isKnown: boolean): boolean {
    const wasKnown = this.#isKnown;
    const before = this.#whyNotReady;
    this.#isKnown = isKnown;
    this.#whyNotReady = whyNotReady;
    if (before === whyNotReady) return wasKnown !== isKnown;
    log('the required engine %s is %s', JSON.stringify(this.name), whyNotReady === undefined ? 'ready' : `not ready: ${whyNotReady}`);
    if (before === undefined) this.#lostAt = performance.now();
    return true;
  }

  /** Returns the guard for events of a type while the engine is not ready. A known engine has its own hooks, which then fail closed. */
  guardFor(type: HookEventType): RegisteredHook | undefined {
    if (this.#whyNotReady === undefined || (this.#isKnown && !deniable.includes(type))) return undefined;
    return this.#guards.get(type);
  }

  #createGuard(type: HookEventType): RegisteredHook {
    const id = `required:${this.name}`;
    const hook = new Hook({ id, event_type: type, config: { priority: firstPriority, onError: 'block', recheck: false } });
    return {
      hook,
      matcher: compileMatcher(id, type, undefined, readMatcherSettings()),
      handler: { handle: (_event, { signal }) => this.#refuse(type, signal) },
      standing: () => `because the required engine ${JSON.stringify(this.name)} is not ready: ${this.#whyNotReady ?? 'it was lost'}`,
      engine: { name: this.name },
      remedy: requiredRemedy(this.name),
    };
  }

  /** Never lets the event through. Throws an AbsentError if the engine does not become ready in time. */
  async #refuse(type: HookEventType, signal: AbortSignal): Promise<HookResponse> {
    const now = performance.now();
    if (now - this.#askedAt >= waitMs) {
      this.#askedAt = now;
      this.#around.ask();
    }
    const timeoutMs = this.#lostAt + waitMs - now;
    const isReady = () => this.#whyNotReady === undefined;
    // Another attempt is possible only before an operation. After it, only a failure of the guard withholds the result.
    const mayWait = deniable.includes(type) && (isReady() || timeoutMs >= 1);
    if (mayWait && (await this.#around.waiters.wait(isReady, { timeoutMs: Math.max(timeoutMs, 1), signal }))) return HookResponse.retry(0);
    throw new AbsentError(sentence(`The engine ${JSON.stringify(this.name)} is not ready: ${this.#whyNotReady ?? 'it was lost'}`));
  }
}
