import type { HookHandler, RegisteredHook } from '../calling/handler.js';
import type { Hook } from '../definition/hook.js';
import { type HookEventType, hookEventTypes } from '../definition/hook-event-type.js';
import { InvalidHookError } from '../definition/invalid-hook-error.js';
import { readHook } from '../definition/read-hook.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import type { MatcherSettings } from '../matching/matcher-settings.js';

/**
 * The registered hooks and handlers. A change creates new lists, so that an event in progress keeps the lists that it started with.
 */
export class Registrations {
  readonly #settings: MatcherSettings;
  readonly #onChange: () => void;
  /** By id, in the order of registration. */
  readonly #hooks = new Map<string, RegisteredHook>();
  readonly #handlers = new Map<string, HookHandler>();
  #byType: ReadonlyMap<HookEventType, readonly RegisteredHook[]> | undefined;

  constructor(settings: MatcherSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  /** Adds a hook. A hook with a known id replaces the earlier one and takes its position (decision 48c). */
  addHook(fields: unknown): void {
    const hook = readHook(fields);
    const matcher = compileMatcher(hook.id, hook.event_type, hook.matcher, this.#settings);
    this.#hooks.set(hook.id, { hook, matcher, handler: this.#handlers.get(hook.id) });
    this.#changed();
  }

  /** Removes a hook and its handler (decision 47). */
  removeHook(id: string): Hook | null {
    const known = this.#hooks.get(id);
    this.#hooks.delete(id);
    this.#handlers.delete(id);
    if (known !== undefined) this.#changed();
    return known?.hook ?? null;
  }

  addHandler(id: unknown, handler: unknown): void {
    if (typeof id !== 'string' || id === '') throw new InvalidHookError('id', 'The first argument must be the id of a hook, or a Hook.');
    if (typeof (handler as HookHandler | null | undefined)?.handle !== 'function') {
      throw new InvalidHookError(
        'handle',
        `The handler of "${id}" cannot be registered: it must be an object with a method handle(event), such as { handle: (event) => … }.`,
      );
    }
    this.#handlers.set(id, handler as HookHandler);
    this.#setHandler(id, handler as HookHandler);
  }

  removeHandler(id: string): void {
    if (this.#handlers.delete(id)) this.#setHandler(id, undefined);
  }

  get count(): number {
    return this.#hooks.size;
  }

  get all(): readonly RegisteredHook[] {
    return [...this.#hooks.values()];
  }

  /** Returns the ids of handlers without a hook. Their hooks may still be registered. */
  get handlersWithoutHook(): string[] {
    return [...this.#handlers.keys()].filter((id) => !this.#hooks.has(id));
  }

  find(id: string): RegisteredHook | undefined {
    return this.#hooks.get(id);
  }

  /** Returns the hooks of a type in the order in which they run: by priority, then by registration (decision 46). */
  of(type: HookEventType): readonly RegisteredHook[] {
    this.#byType ??= this.#sorted();
    return this.#byType.get(type) ?? [];
  }

  /** Sets the handler of a hook in a new object, so that an event in progress keeps the old handler. */
  #setHandler(id: string, handler: HookHandler | undefined): void {
    const known = this.#hooks.get(id);
    if (known !== undefined) this.#hooks.set(id, { ...known, handler });
    // Called even without a hook of this id, because the diagnostics report a handler without a hook.
    this.#changed();
  }

  #sorted(): ReadonlyMap<HookEventType, readonly RegisteredHook[]> {
    const inOrder = [...this.#hooks.values()].sort((a, b) => a.hook.config.priority - b.hook.config.priority);
    return new Map(hookEventTypes.map((type) => [type, inOrder.filter(({ hook }) => hook.event_type === type)]));
  }

  #changed(): void {
    this.#byType = undefined;
    this.#onChange();
  }
}
