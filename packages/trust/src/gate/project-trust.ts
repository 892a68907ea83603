import type { Diagnostic, HookDefinition, HookTrust } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import { canonicalJson } from '../pin/canonical-json.js';
import { contentOf } from '../pin/pin.js';
import type { PrivateCopies } from '../reach/copies/private-copies.js';
import type { StartedCommand } from '../reach/started-command.js';
import { objectionOf, recordBefore, recordsGone, type TrustState } from '../states/states.js';
import { CurrentDecisions } from '../store/current-decisions.js';
import type { TrustRecord } from '../store/record.js';
import type { TrustStore } from '../store/trust-store.js';
import { entryFor, recordOf, type TrustEntry, type TrustRequest } from './questions.js';
import { type Distrust, distrustOf, type HookCommand, type LoadedHook, runOf, type TrustedRun, type WatchedHook } from './watched-hook.js';
import { WatchedHooks, type WatchedHooksOptions } from './watched-hooks.js';

export interface ProjectTrustOptions extends Omit<WatchedHooksOptions, 'project' | 'decisions'> {
  readonly store: TrustStore;
  /** Pins that are trusted in this process only. A pin is the hash of a hook and of the files that it uses (`pinOf`). */
  readonly pins?: readonly string[];
  /** Makes private copies of the files of hooks, which then run from the copy. @default hooks run from the project */
  readonly copies?: PrivateCopies | undefined;
  /**
   * Tests whether the project's settings in a format are read. If they are not read, no trusted hook of this format is reported as gone.
   */
  readonly isDiscovered: (dialect: string) => boolean;
}

/**
 * The trust decisions about the hooks of one project. An engine asks this object when hooks are loaded, and before and after each run: is
 * the hook still the one that the user accepted? Hooks are recognised by their `action` objects, because an engine copies and renames the
 * hooks themselves.
 */
export class ProjectTrust {
  readonly #options: ProjectTrustOptions;
  readonly #decisions: CurrentDecisions;
  readonly #hooks: WatchedHooks;

  constructor(options: ProjectTrustOptions) {
    this.#options = options;
    this.#decisions = new CurrentDecisions(options.store, options.pins);
    this.#hooks = new WatchedHooks({ ...options, project: options.store.project, decisions: this.#decisions });
  }

  /** Calls its observers when decisions have changed. The engine must then call `admit` again. */
  get changes$(): WatchedHooks['changes$'] {
    return this.#hooks.changes$;
  }

  /** Replaces the hooks. Called before an engine receives them. */
  load(hooks: readonly LoadedHook[]): void {
    this.#decisions.read();
    this.#hooks.load(hooks);
  }

  /**
   * Returns the decision about a hook. Returns an empty object if the hook does not come with the repository and runs no files of the
   * repository.
   */
  admit(hook: HookDefinition): { readonly trust?: HookTrust; readonly distrust?: Distrust } {
    const watched = this.#hooks.find(hook);
    if (watched === undefined) return {};
    const { state, subject } = watched;
    const trust = { state: state.state, pin: subject.pin };
    return state.state === 'trusted' ? { trust } : { trust, distrust: distrustOf(state) };
  }

  /**
   * Checks changed and refused hooks again, because their files may have been changed back, or may have another owner now. Does nothing if
   * there are none.
   */
  refresh(): void {
    this.#hooks.lookAtChanged();
  }

  /** Checks the files and the store again, right before a run. */
  beforeRun(hook: HookDefinition, cwd: string): Distrust | TrustedRun {
    const watched = this.#hooks.find(hook);
    if (watched === undefined) return runOf(undefined);
    if (this.#decisions.look()) this.#hooks.decideAgain();
    if (isElsewhere(watched, cwd)) return this.#inDirectory(watched, cwd);
    this.#hooks.look(watched);
    // With its files, a hook may have begun to depend on its directory.
    if (isElsewhere(watched, cwd)) return this.#inDirectory(watched, cwd);
    const state = this.#hooks.stateOf(watched);
    return state.state === 'trusted' ? runOf(watched.found) : distrustOf(state);
  }

  /**
   * Returns the command that runs a private copy of the hook's files. Returns `command` itself if copies are off, or if this kind of
   * command cannot be copied. Called before `beforeRun`, which decides whether the command starts.
   */
  commandOf(hook: HookDefinition, command: HookCommand, cwd: string): HookCommand | Distrust {
    const { copies, rules } = this.#options;
    const watched = this.#hooks.find(hook);
    if (copies === undefined || watched?.found === undefined) return command;
    const known = watched.loaded.command;
    if (known === undefined || canonicalJson(known.command) !== canonicalJson(command)) return command;
    if (isElsewhere(watched, cwd)) return command;
    this.#hooks.look(watched);
    const state = this.#hooks.stateOf(watched);
    // `command` must not be returned here. An attacker could restore the original files before `beforeRun` checks them, so that
    // `beforeRun` would allow the run. The hook would then run from the project, where its files can be changed once more, and not from a
    // private copy.
    if (state.state !== 'trusted') return distrustOf(state);
    try {
      const copy = copies.commandOf(watched.subject.pin, watched.found);
      if (copy === 'impossible') return command;
      return copy === 'changed' ? { reason: 'its files changed while they were copied.', ...objectionOf(hook, rules) } : copy;
    } catch (error) {
      return { reason: `no private copy of its files could be written: ${describeThrown(error)}`, ...objectionOf(hook, rules) };
    }
  }

  /** Returns the hooks that wait for a decision, because they are new or have changed. */
  requests(): TrustRequest[] {
    return this.#entriesOf((state) => state === 'new' || state === 'changed').map(
      ({ decided, hook: _, ...entry }) => entry as TrustRequest,
    );
  }

  /** Returns every hook that comes with the repository or may run its files, with the decision about the hook. */
  entries(): TrustEntry[] {
    return this.#entriesOf(() => true);
  }

  #entriesOf(isAsked: (state: TrustState['state']) => boolean): TrustEntry[] {
    const byPin = new Map<string, WatchedHook[]>();
    this.#hooks.lookAtAll();
    for (const watched of this.#hooks.all) {
      if (isAsked(watched.state.state)) byPin.set(watched.subject.pin, [...(byPin.get(watched.subject.pin) ?? []), watched]);
    }
    const { subjects } = this.#hooks;
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
   * Returns the contents that a pin includes, by their SHA-256: files of up to 256 KiB, and for folders the list of their entries. Empty if
   * no hook has the pin.
   */
  contents(pin: string): ReadonlyMap<string, Uint8Array> {
    return this.#hooks.all.find(({ subject }) => subject.pin === pin)?.found?.contents?.() ?? new Map();
  }

  /**
   * Trusts the hooks with this pin, and stores the decision. Throws a TrustStoreError if the decision cannot be stored. Throws a
   * TypeError if no hook has the pin, for example because a file has changed since the user saw the pin.
   */
  accept(pin: string, by: TrustRecord['by'], now: Date): void {
    const watched = this.#find(pin);
    this.#options.store.accept(recordOf(watched.subject, by, now), watched.found?.contents?.());
    this.#reread();
  }

  /** Stores that the hooks with this pin do not run. The user is not asked about them again. Throws like `accept`. */
  deny(pin: string, by: TrustRecord['by'], now: Date): void {
    this.#options.store.deny(recordOf(this.#find(pin).subject, by, now));
    this.#reread();
  }

  /** Removes the decision about a pin. Returns whether there was a decision. Throws a TrustStoreError if the decision cannot be removed. */
  revoke(pin: string): boolean {
    const removed = this.#options.store.revoke(pin);
    this.#reread();
    return removed;
  }

  /** Returns the state of a hook by its id. Undefined for a hook that needs no decision. */
  stateOf(hookId: string): TrustState | undefined {
    return this.#hooks.all.find(({ loaded }) => loaded.hook.id === hookId)?.state;
  }

  /**
   * Reports the trusted hooks that are no longer in the settings. Also reports the problems of the store, but only if a hook needs a
   * decision.
   */
  get diagnostics(): readonly Diagnostic[] {
    const gone = recordsGone(this.#hooks.subjects, this.#decisions.all).filter(({ hook }) => this.#options.isDiscovered(hook.dialect));
    return [...(this.#hooks.all.length === 0 ? [] : this.#decisions.problems), ...gone.map(goneDiagnostic)];
  }

  /** Checks a hook whose working directory is not the one for which its pin was computed. */
  #inDirectory(watched: WatchedHook, cwd: string): Distrust | TrustedRun {
    const { loaded, subject } = watched;
    const command = loaded.command as StartedCommand;
    const state = this.#hooks.stateOf(watched);
    if (state.state !== 'trusted') return distrustOf(state);
    const found = this.#options.findReach(command, cwd);
    const there = this.#hooks.subjectOf(loaded, found.reach, subject.origin);
    if (there.pin === subject.pin) return runOf(found);
    const [decided] = this.#hooks.statesOf([there]) as [TrustState];
    if (decided.state === 'trusted') return runOf(found);
    const reason = `it was trusted in ${command.cwd}, and ${cwd} is another directory. Relative paths in its command name other files there. Use absolute paths in its command.`;
    return { ...distrustOf(decided), reason };
  }

  #reread(): void {
    this.#decisions.read();
    this.#hooks.decideAgain();
  }

  #find(pin: string): WatchedHook {
    for (const watched of this.#hooks.all) if (watched.subject.pin === pin) this.#hooks.look(watched);
    const found = this.#hooks.all.find(({ subject }) => subject.pin === pin);
    if (found !== undefined) return found;
    throw new TypeError(`No hook of the project has the pin ${pin}. A file of the hook may have changed. Call requests() again.`);
  }
}

/** Tests whether the directory decides which files a hook uses, and is not the one for which its pin was computed. */
function isElsewhere({ loaded, subject }: WatchedHook, cwd: string): boolean {
  return loaded.command !== undefined && subject.reach.dependsOnDirectory && cwd !== loaded.command.cwd;
}

function goneDiagnostic({ hook, at }: TrustRecord): Diagnostic {
  return {
    code: 'trusted_hook_gone',
    severity: 'warning',
    message: `A hook that was trusted on ${at.slice(0, 10)} is no longer in the settings of the project: ${hook.label}.`,
    remedy: 'If another branch is checked out, do nothing: the decision is kept.',
    dialect: hook.dialect,
  };
}
