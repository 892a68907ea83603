import type { Changes, HookDefinition, HookTrust, Invocation, LoadSkip } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { describeNoBoolean } from '@tenterhook/runtime/text';
import { isUnrunGuard } from '../registry/unrun-guard.js';

const log = createLog('trust');

/**
 * Decides whether a hook of a source may run. Must return true or false, synchronously. Any other answer, such as a promise, is a TypeError
 * when the system is created; later it means that the hook is not trusted. Called once per hook when the set is built. If a hook runs code
 * that belongs to another source, such as a script of the project, it is called a second time with that source.
 */
export type TrustCheck = (source: string, hook: HookDefinition) => boolean;

/** Why a hook does not run, and what its absence means on events to which it could have objected. */
export interface Distrust extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  /** A sentence that says why, with what to do. It begins in lower case, because the name of the hook precedes it. */
  readonly reason: string;
}

/** A run that may start. */
export interface TrustedRun {
  /** Called after the run. Returns false if a file that the hook runs or reads may have changed since `beforeRun`. */
  isUntouched(): boolean;
}

/** What was decided about a hook. */
export interface Admission {
  /** Absent if the hook is trusted because of the place of its settings, and if it runs no file that may change with a repository. */
  readonly trust?: HookTrust;
  /** Absent if the hook may run. */
  readonly distrust?: Distrust;
}

/**
 * Decides which hooks may run, when they are loaded and again before each run. All methods are synchronous, so that nothing else can happen
 * between the check of a file and the start of the process that reads it. An error that a method throws means that the hook is not trusted.
 */
export interface TrustGate {
  /** Called for each hook when a set of hooks is built. */
  admit(hook: HookDefinition): Admission;
  /**
   * Called for each run of a command of such a hook, before `beforeRun`. Returns the command that is started in its place, such as a private
   * copy, or why the hook does not run. @default the command itself
   */
  commandOf?(hook: HookDefinition, command: HookCommand, cwd: string): HookCommand | Distrust;
  /** Called right before each run of a hook for which `admit` returned a `trust`. `cwd` is the working directory of this run. */
  beforeRun(hook: HookDefinition, cwd: string): Distrust | TrustedRun;
  /**
   * Called before the hooks of an event are selected. Looks again at hooks that are not trusted because they have changed: they may have been
   * changed back. @default hooks that are not trusted stay so until `changes$` reports a change
   */
  refresh?(): void;
  /** Calls its observers when hooks must be admitted again. */
  readonly changes$: Changes;
}

/** Both ways in which a host decides about trust. A hook runs only if both agree. */
export class TrustChecks {
  readonly #isTrusted: TrustCheck;
  readonly #gate: TrustGate | undefined;

  constructor(isTrusted: TrustCheck = () => true, gate?: TrustGate) {
    this.#isTrusted = isTrusted;
    this.#gate = gate;
  }

  /**
   * Returns the hook unchanged if it is trusted, and otherwise with a `skip`. `isFirst` is true while the system is being created; wrong
   * use of the callback then throws.
   */
  apply(hook: HookDefinition, isFirst: boolean): HookDefinition {
    // Skipped hooks need no check, except those that object nevertheless, because a hook that is not trusted must not deny.
    if (hook.skip !== undefined && !isUnrunGuard(hook)) return hook;
    const { trust, distrust } = this.#admit(hook);
    const marked = trust === undefined ? hook : { ...hook, trust };
    const refusal = distrust ?? this.#refusalOf(marked, isFirst);
    if (refusal === undefined) return marked;
    const reason = `${hook.id}${hook.file === undefined ? '' : ` of ${hook.file}`} does not run: ${refusal.reason}`;
    const { reason: _, ...objection } = refusal;
    return { ...marked, skip: { skipReason: 'untrusted', reason, ...objection } };
  }

  /** Called before the hooks of an event are selected. */
  refresh(): void {
    if (this.#gate?.refresh === undefined) return;
    try {
      this.#gate.refresh();
    } catch (error) {
      log('hooks that have changed could not be looked at again: %O', error);
    }
  }

  /** The check of one run. Undefined for a hook whose trust cannot change. `cwd` is the working directory of the run. */
  forRun(hook: HookDefinition, cwd: string): RunTrust | undefined {
    return hook.trust === undefined || this.#gate === undefined ? undefined : new RunTrust(this.#gate, hook, cwd);
  }

  #admit(hook: HookDefinition): Admission {
    try {
      return this.#gate?.admit(hook) ?? {};
    } catch (error) {
      log('%s could not be checked, and is not trusted: %O', hook.id, error);
      return { distrust: { reason: 'the check of its trust failed.' } };
    }
  }

  /**
   * Returns why the callback does not trust a hook; undefined if it does. A hook of the user may run a script of the project, and trust in
   * the user's settings does not imply trust in this script. So both sources are checked.
   */
  #refusalOf(hook: HookDefinition, isFirst: boolean): Distrust | undefined {
    const { source, codeSource = source } = hook;
    if (!this.#trusts(source, hook, isFirst)) return { reason: `its source "${source}" is not trusted.` };
    if (codeSource === source || this.#trusts(codeSource, hook, isFirst)) return undefined;
    return { reason: `the code it runs belongs to the source "${codeSource}", which is not trusted.` };
  }

  /**
   * Calls the callback. If it throws, the hook is not trusted. An answer that is not a boolean is a mistake in the program, and throws
   * when the first set is built.
   */
  #trusts(source: string, hook: HookDefinition, isFirst: boolean): boolean {
    let answer: unknown;
    try {
      answer = this.#isTrusted(source, hook);
    } catch {
      return false;
    }
    if (typeof answer === 'boolean') return answer;
    const problem = new TypeError(`"isTrusted" ${describeNoBoolean(answer)} (for ${hook.id}).`);
    if (isFirst) throw problem;
    log('%O', problem);
    return false;
  }
}

/** A command as an executor starts it. */
export type HookCommand = Extract<Invocation, { kind: 'command' }>['command'];

/** Whether one run of a hook may start, and whether its files stayed the same until its end. Never throws. */
export class RunTrust {
  readonly #gate: TrustGate;
  readonly #hook: HookDefinition;
  readonly #cwd: string;
  #decided: Distrust | TrustedRun | undefined;

  constructor(gate: TrustGate, hook: HookDefinition, cwd: string) {
    this.#gate = gate;
    this.#hook = hook;
    this.#cwd = cwd;
  }

  /** Returns the command that is started in place of the given one. After a refusal, the given one, which `look` refuses. */
  replace(command: HookCommand): HookCommand {
    try {
      const started = this.#gate.commandOf?.(this.#hook, command, this.#cwd) ?? command;
      if (!('reason' in started)) return started;
      this.#decided = started;
    } catch (error) {
      this.#decided = failedCheck(this.#hook, error);
    }
    return command;
  }

  /** Looks at the files. Returns why the run must not start; undefined if it may. A refusal is final. */
  look(): Distrust | undefined {
    if (this.refusal === undefined) this.#decided = this.#decide();
    return this.refusal;
  }

  get hasLooked(): boolean {
    return this.#decided !== undefined;
  }

  /** The refusal of the last look. */
  get refusal(): Distrust | undefined {
    return this.#decided !== undefined && 'reason' in this.#decided ? this.#decided : undefined;
  }

  /**
   * Called at the end of the run. Whether a file that the hook runs or reads may have changed since the last look. False if nothing was
   * started.
   */
  isTouched(): boolean {
    try {
      return this.#decided !== undefined && ('reason' in this.#decided || !this.#decided.isUntouched());
    } catch (error) {
      log('%s could not be checked after its run: %O', this.#hook.id, error);
      return true;
    }
  }

  #decide(): Distrust | TrustedRun {
    try {
      return this.#gate.beforeRun(this.#hook, this.#cwd);
    } catch (error) {
      return failedCheck(this.#hook, error);
    }
  }
}

function failedCheck(hook: HookDefinition, error: unknown): Distrust {
  log('%s could not be checked, and does not run: %O', hook.id, error);
  return { reason: 'the check of its trust failed.', ...(hook.async ? {} : { objects: 'ask' }) };
}
