import type { Diagnostic, HookDefinition, HookLevel, HookTrust } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';
import { describeThrown } from '@tenterhook/runtime/text';
import { canonicalJson } from '../pin/canonical-json.js';
import { definitionOf } from '../pin/definition.js';
import { contentOf, type PinnedHook, pinOf } from '../pin/pin.js';
import type { PrivateCopies } from '../reach/files/private-copies.js';
import type { Reach } from '../reach/reach.js';
import type { StartedCommand } from '../reach/started-command.js';
import { objectionOf, recordBefore, recordsGone, statesOf, type TrustRules, type TrustState, type TrustSubject } from '../states/states.js';
import { CurrentDecisions } from '../store/current-decisions.js';
import type { TrustRecord } from '../store/record.js';
import type { TrustStore } from '../store/trust-store.js';
import { entryFor, recordOf, type TrustEntry, type TrustRequest } from './questions.js';
import {
  type Distrust,
  distrustOf,
  type HookCommand,
  type LoadedHook,
  runOf,
  type TrustedRun,
  type WatchedHook,
  type WatchedReach,
} from './watched-hook.js';

/** What `ProjectTrust` needs. */
export interface ProjectTrustOptions {
  readonly store: TrustStore;
  readonly rules: TrustRules;
  /** Pins that count for this process only. */
  readonly pins?: readonly string[];
  /** Where private copies of hooks are run from. @default hooks run from where they are */
  readonly copies?: PrivateCopies | undefined;
  /** Finds what a command reaches. `cwd` replaces its working directory. */
  readonly findReach: (command: StartedCommand, cwd?: string) => WatchedReach;
  /** Whether the settings of the project are read in this format. A hook of another one is not missed. */
  readonly isDiscovered: (dialect: string) => boolean;
  /** Whether a path is in the project directory, by its real path. */
  readonly isInProject: (path: string) => boolean;
}

const noReach: Reach = { entries: [], open: [], refusals: [], dependsOnDirectory: false };

/**
 * The trust of the hooks of one project: what was decided about each hook, and whether it is still the hook that this was decided about. An
 * engine asks it when hooks are loaded, and before and after each run. Hooks are recognised by their `action` objects, because an engine
 * renames copies.
 */
export class ProjectTrust {
  readonly #options: ProjectTrustOptions;
  readonly #observers = new Set<() => void>();
  #hooks: WatchedHook[] = [];
  #changed: readonly WatchedHook[] = [];
  /** Also hooks of earlier loads: an event in flight keeps the hooks that it started with. */
  readonly #byAction = new WeakMap<HookDefinition['action'], WatchedHook>();
  readonly #decisions: CurrentDecisions;

  constructor(options: ProjectTrustOptions) {
    this.#options = options;
    this.#decisions = new CurrentDecisions(options.store, options.pins);
  }

  /** Calls its observers when hooks must be admitted again. */
  readonly changes$ = {
    subscribe: (observer: () => void): { unsubscribe(): void } => {
      this.#observers.add(observer);
      return { unsubscribe: () => this.#observers.delete(observer) };
    },
  };

  /** Replaces the hooks. Called before an engine receives them. */
  load(hooks: readonly LoadedHook[]): void {
    this.#decisions.read();
    this.#hooks =
      this.#options.rules.all && this.#options.rules.forbidden === undefined ? [] : hooks.flatMap((one) => this.#watch(one) ?? []);
    for (const watched of this.#hooks) this.#byAction.set(watched.loaded.hook.action, watched);
    this.#decide();
  }

  /** What was decided about a hook. Nothing for a hook that comes neither with the repository nor runs files of it. */
  admit(hook: HookDefinition): { readonly trust?: HookTrust; readonly distrust?: Distrust } {
    const watched = this.#byAction.get(hook.action);
    if (watched === undefined) return {};
    const { state, subject } = watched;
    const trust = { state: state.state, pin: subject.pin };
    return state.state === 'trusted' ? { trust } : { trust, distrust: distrustOf(state) };
  }

  /** Looks again at hooks that have changed: they may have been changed back. Costs nothing while there are none. */
  refresh(): void {
    for (const watched of this.#changed) if (watched.found?.look() === 'changed') this.#refresh(watched);
  }

  /** Looks at the files and at the store again, right before a run. */
  beforeRun(hook: HookDefinition, cwd: string): Distrust | TrustedRun {
    const watched = this.#byAction.get(hook.action);
    if (watched === undefined) return runOf(undefined);
    if (this.#decisions.look()) {
      this.#decide();
      this.#notify();
    }
    const { command } = watched.loaded;
    if (command !== undefined && watched.subject.reach.dependsOnDirectory && cwd !== command.cwd)
      return this.#inDirectory(watched, command, cwd);
    if (watched.found?.look() === 'changed') this.#refresh(watched);
    const state = this.#hooks.includes(watched) ? watched.state : (this.#statesOf([watched.subject])[0] as TrustState);
    return state.state === 'trusted' ? runOf(watched.found) : distrustOf(state);
  }

  /**
   * The command that runs a private copy of what the hook reaches; `command` itself if no copies are wanted, or if there can be no copy of
   * this kind of command. Called before `beforeRun`, which decides whether it starts.
   */
  commandOf(hook: HookDefinition, command: HookCommand, cwd: string): HookCommand | Distrust {
    const { copies, rules } = this.#options;
    const watched = this.#byAction.get(hook.action);
    if (copies === undefined || watched?.found === undefined) return command;
    const known = watched.loaded.command;
    if (known === undefined || canonicalJson(known.command) !== canonicalJson(command)) return command;
    if (watched.subject.reach.dependsOnDirectory && cwd !== known.cwd) return command;
    if (watched.found.look() === 'changed') this.#refresh(watched);
    // A refusal is final: until `beforeRun` the files may be changed back, and the original would run.
    if (watched.state.state !== 'trusted') return distrustOf(watched.state);
    try {
      const copy = copies.commandOf(watched.subject.pin, watched.found);
      if (copy === 'impossible') return command;
      return copy === 'changed' ? { reason: 'its files changed while they were copied.', ...objectionOf(hook, rules) } : copy;
    } catch (error) {
      return { reason: `no private copy of its files could be written: ${describeThrown(error)}`, ...objectionOf(hook, rules) };
    }
  }

  /** The hooks about which a person can decide: those that are new, and those that have changed. */
  requests(): TrustRequest[] {
    return this.#entriesOf((state) => state === 'new' || state === 'changed').map(
      ({ reason, decided, hook: _, ...entry }) => entry as TrustRequest,
    );
  }

  /** Every hook that comes with the repository or runs files of it, with what was decided. */
  entries(): TrustEntry[] {
    return this.#entriesOf(() => true);
  }

  #entriesOf(isAsked: (state: TrustState['state']) => boolean): TrustEntry[] {
    const byPin = new Map<string, WatchedHook[]>();
    for (const watched of this.#hooks) {
      if (watched.found?.look() === 'changed') this.#refresh(watched);
      if (isAsked(watched.state.state)) byPin.set(watched.subject.pin, [...(byPin.get(watched.subject.pin) ?? []), watched]);
    }
    const subjects = this.#hooks.map(({ subject }) => subject);
    return [...byPin.values()].map((all) => {
      const [{ subject, state, found }] = all as [WatchedHook];
      const { pin } = subject;
      const decided = this.#decisions.all.denied.get(pin) ?? this.#decisions.all.trusted.get(pin);
      return entryFor(subject, {
        state: state.state,
        reason: state.reason,
        hookIds: all.map(({ loaded }) => loaded.hook.id),
        files: found?.files?.() ?? [],
        before: recordBefore(subject, subjects, this.#decisions.all),
        elsewhere: this.#options.store.elsewhere(contentOf(subject.pinned)),
        ...(decided === undefined ? {} : { decided: { at: decided.at, by: decided.by } }),
      });
    });
  }

  /**
   * The contents that a pin is about by their SHA-256: of reached files up to 256 KiB, and of reached folders the lists of their entries. Empty if
   * no hook has the pin.
   */
  contents(pin: string): ReadonlyMap<string, Uint8Array> {
    return this.#hooks.find(({ subject }) => subject.pin === pin)?.found?.contents?.() ?? new Map();
  }

  /**
   * Trusts the hooks with this pin, and stores it. Throws a TrustStoreError if it cannot be stored, and a TypeError if no hook has the pin:
   * also if a file has changed since the pin was shown.
   */
  accept(pin: string, by: TrustRecord['by'], now: Date): void {
    const watched = this.#find(pin);
    this.#options.store.accept(recordOf(watched.subject, by, now), watched.found?.contents?.());
    this.#reread();
  }

  /** Stores that the hooks with this pin must not run, and are not asked about again. Throws like `accept`. */
  deny(pin: string, by: TrustRecord['by'], now: Date): void {
    this.#options.store.deny(recordOf(this.#find(pin).subject, by, now));
    this.#reread();
  }

  /** Removes what was decided about a pin. Returns whether there was anything. Throws a TrustStoreError if it cannot be removed. */
  revoke(pin: string): boolean {
    const removed = this.#options.store.revoke(pin);
    this.#reread();
    return removed;
  }

  /** The state of a hook by its id. Undefined for a hook about which nothing must be decided. */
  stateOf(hookId: string): TrustState | undefined {
    return this.#hooks.find(({ loaded }) => loaded.hook.id === hookId)?.state;
  }

  /** Problems of the store, if a decision is needed at all, and trusted hooks that are gone. */
  get diagnostics(): readonly Diagnostic[] {
    const subjects = this.#hooks.map(({ subject }) => subject);
    const gone = recordsGone(subjects, this.#decisions.all).filter(({ hook }) => this.#options.isDiscovered(hook.dialect));
    return [...(this.#hooks.length === 0 ? [] : this.#decisions.problems), ...gone.map(goneDiagnostic)];
  }

  /** The hook with what it reaches. Undefined for a hook that is trusted because of its place and runs nothing of the project. */
  #watch(loaded: LoadedHook): WatchedHook | undefined {
    const { hook, command } = loaded;
    const ofRepository = this.#isOfRepository(hook);
    if (!ofRepository && !isTrustedPlace(hook)) return undefined;
    const found = command === undefined ? undefined : this.#options.findReach(command);
    if (!ofRepository && (found === undefined || isEmpty(found.reach))) return undefined;
    const subject = this.#subjectOf(loaded, found?.reach ?? noReach, ofRepository);
    return { loaded, subject, found, state: { state: 'new', reason: '' } };
  }

  #subjectOf({ hook, parts }: LoadedHook, reach: Reach, ofRepository: boolean): TrustSubject {
    const pinned: PinnedHook = {
      project: this.#options.store.project,
      dialect: hook.dialect,
      definition: definitionOf(hook, parts),
      environment: parts.environment ?? {},
      reach: { entries: reach.entries, open: reach.open },
    };
    return { hook, pinned, pin: pinOf(pinned), reach, ofRepository };
  }

  /** Settings of an extension belong to the repository if they are in the project directory. Otherwise the program answers for them. */
  #isOfRepository(hook: HookDefinition): boolean {
    const level: HookLevel = levelOf(hook);
    if (!isOfRepository(level)) return false;
    return level !== 'extension' || (hook.file !== undefined && this.#options.isInProject(hook.file));
  }

  /** The state of a hook in another working directory than that of its pin. */
  #inDirectory({ loaded, subject, state }: WatchedHook, command: StartedCommand, cwd: string): Distrust | TrustedRun {
    if (state.state !== 'trusted') return distrustOf(state);
    const found = this.#options.findReach(command, cwd);
    const there = this.#subjectOf(loaded, found.reach, subject.ofRepository);
    if (there.pin === subject.pin) return runOf(found);
    const [decided] = this.#statesOf([there]) as [TrustState];
    if (decided.state === 'trusted') return runOf(found);
    const reason = `it was trusted in ${command.cwd}. In ${cwd} its relative paths name other files. Use absolute paths in its command.`;
    return { ...distrustOf(decided), reason };
  }

  #refresh(watched: WatchedHook): void {
    const { command } = watched.loaded;
    if (command === undefined) return;
    watched.found = this.#options.findReach(command);
    watched.subject = this.#subjectOf(watched.loaded, watched.found.reach, watched.subject.ofRepository);
    this.#decide();
    this.#notify();
  }

  #decide(): void {
    const states = this.#statesOf(this.#hooks.map(({ subject }) => subject));
    for (const [index, watched] of this.#hooks.entries()) watched.state = states[index] as TrustState;
    this.#changed = this.#hooks.filter(({ state }) => state.state === 'changed');
  }

  /** A hook of the user that reaches nothing of the project, but would if a file appeared, needs no decision. */
  #statesOf(subjects: readonly TrustSubject[]): TrustState[] {
    return statesOf(subjects, this.#decisions.all, this.#options.rules).map((state, index) => {
      const { ofRepository, reach } = subjects[index] as TrustSubject;
      const isHarmless = !ofRepository && reach.refusals.length === 0 && reach.entries.every(({ kind }) => kind === 'absent');
      return isHarmless ? { state: 'trusted', reason: '' } : state;
    });
  }

  #reread(): void {
    this.#decisions.read();
    this.#decide();
    this.#notify();
  }

  #notify(): void {
    for (const observer of [...this.#observers]) observer();
  }

  #find(pin: string): WatchedHook {
    for (const watched of this.#hooks) if (watched.subject.pin === pin && watched.found?.look() === 'changed') this.#refresh(watched);
    const found = this.#hooks.find(({ subject }) => subject.pin === pin);
    if (found !== undefined) return found;
    throw new TypeError(`No hook of the project has the pin ${pin}. A file may have changed since it was shown. Ask again.`);
  }
}

/**
 * Whether settings of this source are trusted because of their place: those of the user and of the administrator. What a program passes
 * itself is its own word.
 */
export function isTrustedPlace({ source }: { readonly source: string }): boolean {
  return source === 'user' || source === 'system' || source === 'managed';
}

function isEmpty({ entries, refusals, dependsOnDirectory }: Reach): boolean {
  return entries.length === 0 && refusals.length === 0 && !dependsOnDirectory;
}

function goneDiagnostic({ hook, at }: TrustRecord): Diagnostic {
  return {
    code: 'trusted_hook_gone',
    severity: 'warning',
    message: `A hook that was trusted on ${at.slice(0, 10)} is no longer in the settings of the project: ${hook.label}.`,
    remedy: 'If another branch is checked out, nothing has to be done: the decision is kept.',
    dialect: hook.dialect,
  };
}
