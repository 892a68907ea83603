import type { TrustEntry } from '@tenterhook/trust';
import { paragraph } from '../../output/reports/report-style.js';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { renderTrustHook } from '../../output/trust/trust-hook.js';
import { changesOf } from './changes.js';
import { type Decisions, isOpen } from './open-decisions.js';
import type { Screen } from './screen.js';
import { viewFile } from './view.js';

/** The answers about the hooks, by pin. */
export interface Answered {
  readonly accepted: Map<string, TrustEntry>;
  readonly denied: Map<string, TrustEntry>;
  readonly skipped: Map<string, TrustEntry>;
}

const keys = 'y yes · n never · d what changed · v <file> view · s skip · a all · q quit · ? help';

const help: readonly (readonly [string, string])[] = [
  ['y', 'yes: the hook runs, until it or one of its files changes'],
  ['n', 'never: the hook does not run; you are asked again if it changes'],
  ['d', 'show what changed since the hook was trusted'],
  ['v <file>', 'show a file of the hook; v alone lists the files'],
  ['s', 'skip: the hook does not run now; you are asked again next time'],
  ['a', 'yes to this hook, the skipped hooks and the rest, which is shown first'],
  ['q', 'quit: hooks without a decision do not run'],
];

/**
 * Asks about each hook that is new or has changed. An answer applies to the pin that was shown, which is a hash of the hook and its
 * files. If the hook has changed since it was shown, nothing is stored, and the user is asked about the hook again.
 */
export class Questions {
  readonly #decisions: Decisions;
  readonly #isMeant: (request: TrustEntry) => boolean;
  readonly #screen: Screen;
  readonly answered: Answered = { accepted: new Map(), denied: new Map(), skipped: new Map() };

  constructor(decisions: Decisions, isMeant: (request: TrustEntry) => boolean, screen: Screen) {
    this.#decisions = decisions;
    this.#isMeant = isMeant;
    this.#screen = screen;
  }

  /** Resolves when every hook was asked about, or the user has stopped. Rejects with a TrustStoreError if a decision cannot be stored. */
  async ask(): Promise<void> {
    for (;;) {
      const [next, ...rest] = await this.#left();
      if (next === undefined) return;
      this.#show(next, 1, 1 + rest.length);
      if (!(await this.#askAbout(next, rest))) return;
    }
  }

  /** Repeats the question until it is answered. Returns whether to ask about further hooks. */
  async #askAbout(request: TrustEntry, rest: readonly TrustEntry[]): Promise<boolean> {
    const { print, ask, style } = this.#screen;
    for (;;) {
      const answer = await ask([
        '',
        ...paragraph('May it run from now on?', { indent: 0, look: 'bold' }, style),
        ...paragraph(keys, { indent: 0, look: 'dim' }, style),
      ]);
      const [word = '', file = ''] = (answer ?? 'q').split(/\s+(.*)/s);
      switch (word.toLowerCase()) {
        case 'y':
        case 'yes':
          await this.#accept([request]);
          return true;
        case 'n':
        case 'no':
        case 'never':
          await this.#deny(request);
          return true;
        case 's':
        case 'skip':
          this.answered.skipped.set(request.pin, request);
          return true;
        case 'a':
        case 'all':
          if (await this.#askAboutAll([...this.answered.skipped.values(), request], rest)) return true;
          break;
        case 'q':
        case 'quit':
          return false;
        case 'd':
        case 'diff':
          print(['', ...(await changesOf(request, this.#decisions, style))]);
          break;
        case 'v':
        case 'view':
          await viewFile(file, request, this.#decisions.project, this.#screen);
          break;
        default:
          print(help.flatMap(([key, meaning]) => paragraph(`${key.padEnd(10)}${meaning}`, { indent: 2, hanging: 12 }, style)));
      }
    }
  }

  /** Shows the hooks that were not shown yet, and asks one question about all of them. Resolves to whether the answer was yes. */
  async #askAboutAll(shown: readonly TrustEntry[], rest: readonly TrustEntry[]): Promise<boolean> {
    const { style } = this.#screen;
    for (const [index, request] of rest.entries()) this.#show(request, 2 + index, 1 + rest.length);
    const all = [...shown, ...rest];
    if (rest.length > 0) {
      const question = paragraph(`May these ${all.length} hooks run from now on?`, { indent: 0, look: 'bold' }, style);
      const answer = await this.#screen.ask([
        '',
        ...question,
        ...paragraph('y yes · any other key: you are asked about each', { indent: 0, look: 'dim' }, style),
      ]);
      if (!['y', 'yes'].includes(answer?.toLowerCase() ?? '')) return false;
    }
    await this.#accept(all);
    return true;
  }

  async #accept(requests: readonly TrustEntry[]): Promise<void> {
    await this.#decide(requests, (pin) => this.#decisions.gate.accept(pin, 'terminal', new Date()), this.answered.accepted);
  }

  async #deny(request: TrustEntry): Promise<void> {
    await this.#decide([request], (pin) => this.#decisions.gate.deny(pin, 'terminal', new Date()), this.answered.denied);
  }

  async #decide(requests: readonly TrustEntry[], store: (pin: string) => void, answered: Map<string, TrustEntry>): Promise<void> {
    await this.#decisions.hooks.reload();
    for (const request of requests) {
      this.answered.skipped.delete(request.pin);
      try {
        store(request.pin);
        answered.set(request.pin, request);
      } catch (error) {
        // A TypeError means that no hook has this pin any more.
        if (!(error instanceof TypeError)) throw error;
        const text = `${this.#nameOf(request)} or one of its files changed after it was shown. No decision was stored. You are asked about the hook again.`;
        this.#screen.print(['', ...paragraph(text, { indent: 0, look: 'yellow' }, this.#screen.style)]);
      }
    }
  }

  /** Returns the hooks that are left to ask about. Reads the settings again, because they may have changed since the last question. */
  async #left(): Promise<TrustEntry[]> {
    await this.#decisions.hooks.reload();
    const { accepted, denied, skipped } = this.answered;
    return this.#decisions
      .entries()
      .filter((request) => isOpen(request) && this.#isMeant(request) && ![accepted, denied, skipped].some((some) => some.has(request.pin)));
  }

  #show(request: TrustEntry, position: number, left: number): void {
    const { style, print } = this.#screen;
    const { accepted, denied, skipped } = this.answered;
    const done = accepted.size + denied.size + skipped.size;
    const title = `Hook ${done + position} of ${done + left}`;
    const name = this.#nameOf(request);
    const state = style.paint(request.state === 'new' ? 'cyan' : 'yellow', request.state);
    const isNarrow = title.length + name.length + request.state.length + 4 > style.width;
    print([
      '',
      `${style.paint('bold', title)}  ${isNarrow ? '' : `${name}  `}${state}`,
      ...(isNarrow ? paragraph(name, { indent: 2 }, style) : []),
      '',
    ]);
    print(renderTrustHook(request, style));
  }

  #nameOf({ hookIds }: TrustEntry): string {
    return escapeForTerminal(hookIds[0] ?? '', 400);
  }
}
