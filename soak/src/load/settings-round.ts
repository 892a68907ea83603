import type { HookKind } from './hook-kinds/hook-kind.js';
import { commandOf, hookKinds } from './hook-kinds/hook-kinds.js';
import { type Random, randomFor } from './random.js';
import { type SoakEvent, soakEvents } from './soak-event.js';

/** One hook of the settings, and what is expected of it. */
export interface ConfiguredHook {
  /** The kind, the round and a number. It identifies the settings to which an outcome belongs. */
  readonly name: string;
  readonly kind: HookKind;
  readonly onError: 'continue' | 'block';
  readonly timeoutMs: number;
  readonly hasMatcher: boolean;
  readonly isDisabled: boolean;
  /** True if no executor runs its type. */
  readonly isInvalid: boolean;
  /** How often the settings contain the identical hook. */
  readonly copies: number;
}

/** One set of settings. */
export interface Round {
  readonly number: number;
  /** The settings, as the file contains them. */
  readonly settings: object;
  readonly hooks: Readonly<Record<SoakEvent, readonly ConfiguredHook[]>>;
}

const matchers: Partial<Record<SoakEvent, readonly [string, ...string[]]>> = {
  BeforeTool: ['*', 'write_*', '^(read|write)_file$', 'run_shell_command|read_*'],
  AfterTool: ['*', 'write_*', '^(read|write)_file$', 'run_shell_command|read_*'],
  SessionStart: ['startup|resume', '*'],
  SessionEnd: ['exit', 'c*r'],
  PreCompress: ['auto', '*'],
  Notification: ['Tool*', '*'],
};

/** Makes the settings of a round: every kind of hook occurs about equally often, on random events, in random groups. */
export function makeRound(seed: number, number: number, kinds: readonly HookKind[] = hookKinds): Round {
  const random = randomFor(seed, 'settings', number);
  const deck = new Deck(kinds, random);
  const disabled: string[] = [];
  const hooks = {} as Record<SoakEvent, ConfiguredHook[]>;
  const groupsOf: Record<string, object[]> = {};
  let count = 0;
  for (const eventName of soakEvents) {
    const own: ConfiguredHook[] = [];
    hooks[eventName] = own;
    groupsOf[eventName] = Array.from({ length: Number(random.weighted({ 0: 2, 1: 6, 2: 4, 3: 1 })) }, () => {
      const matcher = random.chance(0.4) && matchers[eventName] !== undefined ? random.pick(matchers[eventName]) : undefined;
      const group = Array.from({ length: random.integer(1, 3) }, () => {
        count += 1;
        const hook = configure(deck.deal(), `${number}.${count}`, matcher !== undefined, random);
        own.push(hook);
        if (hook.isDisabled) disabled.push(hook.name);
        return hook;
      });
      return {
        ...(matcher === undefined ? {} : { matcher }),
        ...(random.chance(0.3) ? { sequential: true } : {}),
        hooks: group.flatMap((hook) => Array.from({ length: hook.copies }, () => written(hook))),
      };
    });
  }
  return { number, settings: { hooksConfig: { disabled }, hooks: groupsOf }, hooks };
}

/** Returns the kind of a hook, by its name. */
export function kindNameOf(name: string | undefined): string {
  return /^(.+)@\d+\.\d+$/.exec(name ?? '')?.[1] ?? 'unknown';
}

function configure(kind: HookKind, place: string, hasMatcher: boolean, random: Random): ConfiguredHook {
  const timeoutMs = timeoutOf(kind, random);
  return {
    name: `${kind.name}@${place}`,
    kind,
    onError: random.chance(0.3) ? 'block' : 'continue',
    timeoutMs,
    hasMatcher,
    isDisabled: random.chance(0.03),
    isInvalid: random.chance(0.02),
    copies: random.chance(0.05) ? 2 : 1,
  };
}

function timeoutOf({ timeout }: HookKind, random: Random): number {
  if (timeout === 'ample') return random.integer(20_000, 40_000);
  // Sometimes longer than a cancel may take, so that a cancel without effect is noticed.
  if (timeout === 'short') return random.chance(0.08) ? random.integer(4000, 5000) : random.integer(100, 1000);
  return timeout;
}

function written({ name, kind, onError, timeoutMs, isInvalid }: ConfiguredHook): object {
  return { type: isInvalid ? 'plugin' : 'command', name, command: commandOf(kind), timeout: timeoutMs, onError };
}

/** Returns kinds in a random order, each as often as its weight says, again and again. */
class Deck {
  readonly #kinds: readonly HookKind[];
  readonly #random: Random;
  #rest: HookKind[] = [];

  constructor(kinds: readonly HookKind[], random: Random) {
    this.#kinds = kinds;
    this.#random = random;
  }

  deal(): HookKind {
    if (this.#rest.length === 0) {
      const cards = this.#kinds.flatMap((kind) => {
        const { weight = 1 } = kind;
        const times = Math.floor(weight) + (this.#random.chance(weight % 1) ? 1 : 0);
        return Array.from({ length: times }, () => kind);
      });
      this.#rest = this.#random.shuffled(cards);
    }
    return this.#rest.pop() ?? this.deal();
  }
}
