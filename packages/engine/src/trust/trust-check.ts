import type { Changes, HookDefinition, HookTrust, Invocation, LoadSkip } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { describeNoBoolean } from '@tenterhook/runtime/text';
import { isUnrunGuard } from '../registry/unrun-guard.js';

const log = createLog('trust');

/**
 * Decides whether a hook of a source may run. Must return true or false, not a promise. If it returns anything else while the system is
 * created, a TypeError is thrown. If it does so later, the hook is not trusted. The function is called once per hook when the set of hooks
 * is built. If a hook runs code of another source, such as a script of the project, the function is called again with that source.
 */
export type TrustCheck = (source: string, hook: HookDefinition) => boolean;

/** Why a hook does not run, and whether it denies or asks nevertheless. */
export interface Distrust extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  /** The cause and what to do. Begins in lower case, because the name of the hook is written before it. */
  readonly reason: string;
}

/** A run that may start. */
export interface TrustedRun {
  /** Called after the run. Returns false if a file that the hook runs or reads may have changed since `beforeRun`. */
  isUntouched(): boolean;
}

/** What was decided about a hook. */
export interface Admission {
  /** Absent if the hook is trusted because of the place of its settings, and runs no file that may change with a repository. */
  readonly trust?: HookTrust;
  /** Absent if the hook may run. */
  readonly distrust?: Distrust;
}

/**
 * Decides which hooks may run, when they are loaded and before each run. All methods are synchronous, so that no other code runs between
 * the check of a file and the start of the process that reads the file. If a method throws, the hook is not trusted.
 */
export interface TrustGate {
  /** Called for each hook when a set of hooks is built. */
  admit(hook: HookDefinition): Admission;
  /**
   * Called before `beforeRun`, for each run of a command. Returns the command to start, e.g. one that runs a private copy of the file, or
   * why the hook does not run. @default the command itself
   */
  commandOf?(hook: HookDefinition, command: HookCommand, cwd: string): HookCommand | Distrust;
  /** Called right before each run of a hook for which `admit` returned `trust`. `cwd` is the working directory of the run. */
  beforeRun(hook: HookDefinition, cwd: string): Distrust | TrustedRun;
  /**
   * Called before the hooks of an event are selected. Checks changed hooks again, because their files may have been restored.
   * @default hooks that are not trusted stay so until `changes$` reports a change
   */
  refresh?(): void;
  /** Calls its observers when hooks must be admitted again. */
  readonly changes$: Changes;
}

/** Combines both ways in which a host decides about trust: `isTrusted` and `trust`. A hook runs only if both allow it. */
export class TrustChecks {
  readonly #isTrusted: TrustCheck;
  readonly #gate: TrustGate | undefined;

  constructor(isTrusted: TrustCheck = () => true, gate?: TrustGate) {
    this.#isTrusted = isTrusted;
    this.#gate = gate;
  }

  /**
   * Returns the hook, with a `skip` if it is not trusted. `isFirst` is true while the system is being created. In that time an invalid
   * answer of `isTrusted` throws.
   */
  apply(hook: HookDefinition, isFirst: boolean): HookDefinition {
    // A skipped hook needs no check, unless it denies or asks without running. Such a hook is checked, because a hook that is not trusted
    // must not deny.
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

  /** Returns the check of one run for an event in the directory `cwd`, or undefined if the trust of the hook cannot change. */
  forRun(hook: HookDefinition, cwd: string): RunTrust | undefined {
    return hook.trust === undefined || this.#gate === undefined ? undefined : new RunTrust(this.#gate, hook, hook.cwd ?? cwd);
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
   * Returns why `isTrusted` of the host refuses a hook, or undefined. Two sources may be asked about: a hook in the user's settings may
   * run a script of the project, and trusting the settings does not mean trusting the script.
   */
  #refusalOf(hook: HookDefinition, isFirst: boolean): Distrust | undefined {
    const { source, codeSource = source } = hook;
    if (!this.#trusts(source, hook, isFirst)) return { reason: `its source "${source}" is not trusted.` };
    if (codeSource === source || this.#trusts(codeSource, hook, isFirst)) return undefined;
    return { reason: `the code that it runs belongs to the source "${codeSource}", which is not trusted.` };
  }

  /**
   * Calls `isTrusted` of the host. If `isTrusted` throws, the hook is not trusted. If it returns anything but a boolean while the first
   * set is built, this method throws.
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

/** Checks whether one run of a hook may start, and whether its files stayed the same until its end. The methods never throw. */
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

  /**
   * Returns the command to start in place of the given one. After a refusal it returns the given command, whose start `look` then
   * refuses.
   */
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

  /** Checks the files. Returns why the run must not start, or undefined if it may start. A refusal is final. */
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
   * Must be called at the end of the run. Returns whether a file that the hook runs or reads may have changed since the last check.
   * Returns false if nothing was checked.
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
