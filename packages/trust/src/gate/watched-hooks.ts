import type { HookDefinition } from '@tenterhook/protocol';
import { definitionOf } from '../pin/definition.js';
import { type PinnedHook, pinOf } from '../pin/pin.js';
import { hasUnknownCode } from '../reach/open-reasons.js';
import type { Reach } from '../reach/reach.js';
import type { StartedCommand } from '../reach/started-command.js';
import { type HookOrigin, statesOf, type TrustRules, type TrustState, type TrustSubject } from '../states/states.js';
import type { CurrentDecisions } from '../store/current-decisions.js';
import { originOf, type ProjectPlace } from './hook-origin.js';
import type { LoadedHook, WatchedHook, WatchedReach } from './watched-hook.js';

export interface WatchedHooksOptions extends ProjectPlace {
  /** The project of the pins. */
  readonly project: string;
  readonly rules: TrustRules;
  readonly decisions: CurrentDecisions;
  /** Runs a function. Until it returns, no file is examined twice. */
  readonly pass: <Result>(run: () => Result) => Result;
  /** Finds the files that a command uses. `cwd` replaces its working directory. */
  readonly findReach: (command: StartedCommand, cwd?: string) => WatchedReach;
}

const noReach: Reach = { entries: [], open: [], refusals: [], dependsOnDirectory: false };

/**
 * The hooks of one project that need a decision, with the files that they use and their states. Hooks are recognised by their `action`
 * objects, because an engine copies and renames the hooks themselves.
 */
export class WatchedHooks {
  readonly #options: WatchedHooksOptions;
  readonly #observers = new Set<() => void>();
  #hooks: readonly WatchedHook[] = [];
  /** Hooks in the states `changed` and `refused`, which `lookAtChanged` checks again. */
  #changed: readonly WatchedHook[] = [];
  /**
   * The hooks by their `action`. Hooks of earlier loads stay in the map, because an event in progress keeps the hooks with which it began.
   */
  readonly #byAction = new WeakMap<HookDefinition['action'], WatchedHook>();

  constructor(options: WatchedHooksOptions) {
    this.#options = options;
  }

  /** Calls its observers when states have changed. */
  readonly changes$ = {
    subscribe: (observer: () => void): { unsubscribe(): void } => {
      this.#observers.add(observer);
      return { unsubscribe: () => this.#observers.delete(observer) };
    },
  };

  /** The hooks of the last load. */
  get all(): readonly WatchedHook[] {
    return this.#hooks;
  }

  get subjects(): TrustSubject[] {
    return this.#hooks.map(({ subject }) => subject);
  }

  /** Replaces the hooks, and decides about them. Hooks that need no decision are left out. */
  load(hooks: readonly LoadedHook[]): void {
    const { all, forbidden } = this.#options.rules;
    this.#hooks = all && forbidden === undefined ? [] : hooks.flatMap((one) => this.#watch(one) ?? []);
    for (const watched of this.#hooks) this.#byAction.set(watched.loaded.hook.action, watched);
    this.#decide();
  }

  /** Returns a hook of this load or of an earlier one. Returns undefined for a hook that needs no decision. */
  find(hook: HookDefinition): WatchedHook | undefined {
    return this.#byAction.get(hook.action);
  }

  /** Returns the state of a hook of this load or of an earlier one. */
  stateOf(watched: WatchedHook): TrustState {
    return this.#hooks.includes(watched) ? watched.state : (this.statesOf([watched.subject])[0] as TrustState);
  }

  /** Checks the files of a hook, and decides again if they have changed. */
  look(watched: WatchedHook): void {
    if (watched.found?.look() !== 'changed') return;
    const { command } = watched.loaded;
    if (command === undefined) return;
    watched.found = watched.found.latest();
    watched.subject = this.subjectOf(watched.loaded, watched.found.reach, watched.subject.origin);
    this.decideAgain();
  }

  /**
   * Checks changed and refused hooks again, because their files may have been changed back, or may have another owner now. Does nothing if
   * there are none.
   */
  lookAtChanged(): void {
    this.#lookAt(this.#changed);
  }

  /** Checks the files of all hooks. */
  lookAtAll(): void {
    this.#lookAt(this.#hooks);
  }

  #lookAt(hooks: readonly WatchedHook[]): void {
    if (hooks.length === 0) return;
    this.#options.pass(() => {
      for (const watched of hooks) this.look(watched);
    });
  }

  /** Decides again about all hooks, and calls the observers. */
  decideAgain(): void {
    this.#decide();
    for (const observer of [...this.#observers]) observer();
  }

  #decide(): void {
    const states = this.statesOf(this.subjects);
    for (const [index, watched] of this.#hooks.entries()) watched.state = states[index] as TrustState;
    this.#changed = this.#hooks.filter(({ state }) => state.state === 'changed' || state.state === 'refused');
  }

  /**
   * Returns the state of each hook, in order. A hook of the user needs no decision if everything that it runs is known, and the files of
   * the project that it would use do not exist yet.
   */
  statesOf(subjects: readonly TrustSubject[]): TrustState[] {
    return statesOf(subjects, this.#options.decisions.all, this.#options.rules).map((state, index) => {
      const { origin, reach } = subjects[index] as TrustSubject;
      const isHarmless =
        origin === 'user' &&
        reach.refusals.length === 0 &&
        !hasUnknownCode(reach.open) &&
        reach.entries.every(({ kind }) => kind === 'absent');
      return isHarmless ? { state: 'trusted', reason: '' } : state;
    });
  }

  /**
   * Finds the files that a hook uses. Returns undefined for a hook that needs no decision: its settings are trusted, and it runs no files
   * of the project.
   */
  #watch({ hook, parts, command: started }: LoadedHook): WatchedHook | undefined {
    const origin = originOf(hook, this.#options);
    if (origin === undefined) return undefined;
    const command = started === undefined || origin === 'repository' ? started : { ...started, isOwn: true };
    const found = command === undefined ? undefined : this.#options.findReach(command);
    if (origin === 'user' && (found === undefined || isEmpty(found.reach))) return undefined;
    const loaded: LoadedHook = { hook, parts, command };
    const subject = this.subjectOf(loaded, found?.reach ?? noReach, origin);
    return { loaded, subject, found, state: { state: 'new', reason: '' } };
  }

  subjectOf({ hook, parts }: LoadedHook, reach: Reach, origin: HookOrigin): TrustSubject {
    const pinned: PinnedHook = {
      project: this.#options.project,
      dialect: hook.dialect,
      definition: definitionOf(hook, parts),
      environment: parts.environment ?? {},
      reach: { entries: reach.entries, open: reach.open },
    };
    return { hook, pinned, pin: pinOf(pinned), reach, origin };
  }
}

function isEmpty({ entries, open, refusals, dependsOnDirectory }: Reach): boolean {
  return entries.length === 0 && refusals.length === 0 && !dependsOnDirectory && !hasUnknownCode(open);
}
