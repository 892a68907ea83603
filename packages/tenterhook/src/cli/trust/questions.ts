import type { TrustEntry } from '@tenterhook/trust';
import { paragraph } from '../../output/reports/report-style.js';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { renderTrustHook } from '../../output/trust/trust-hook.js';
import { changesOf } from './changes.js';
import { type Decisions, isOpen } from './open-decisions.js';
import type { Screen } from './screen.js';
import { viewFile } from './view.js';

/** What became of the hooks, by their pins. */
export interface Answered {
  readonly accepted: Map<string, TrustEntry>;
  readonly denied: Map<string, TrustEntry>;
  readonly skipped: Map<string, TrustEntry>;
}

const keys = 'y yes · n never · d what changed · v <file> view · s skip · a all · q quit · ? help';

const help: readonly (readonly [string, string])[] = [
  ['y', 'yes: it runs from now on, until it or one of its files changes'],
  ['n', 'never: it does not run, and is not asked about until it changes'],
  ['d', 'show what changed since it was trusted'],
  ['v <file>', 'show a file that it reaches; v alone lists these files'],
  ['s', 'skip: it does not run for now, and is asked about the next time'],
  ['a', 'yes to this one, to those that were skipped, and to the rest, which is shown first'],
  ['q', 'quit: what is not decided does not run'],
];

/**
 * Asks about each hook that is new or has changed. An answer is about the pin that was shown: if the hook is another one by then, nothing is
 * stored about it and it is asked about again.
 */
export class Questions {
  readonly #decisions: Decisions;
  readonly #isMeant: (request: TrustEntry) => boolean;
  readonly #screen: Screen;
  readonly answered: Answered = { accepted: new Map(), denied: new Map(), skipped: new Map() };

  /** `isMeant` selects the hooks that are asked about. */
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

  /** Asks until there is an answer. Returns whether to go on. */
  async #askAbout(request: TrustEntry, rest: readonly TrustEntry[]): Promise<boolean> {
    const { print, ask, style } = this.#screen;
    for (;;) {
      const answer = await ask([
        '',
        ...paragraph('Does it run from now on?', { indent: 0, look: 'bold' }, style),
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

  /** Shows the hooks that were not shown yet, and asks about all of them once. Returns whether there was a yes. */
  async #askAboutAll(shown: readonly TrustEntry[], rest: readonly TrustEntry[]): Promise<boolean> {
    const { style } = this.#screen;
    for (const [index, request] of rest.entries()) this.#show(request, 2 + index, 1 + rest.length);
    const all = [...shown, ...rest];
    if (rest.length > 0) {
      const question = paragraph(`Do these ${all.length} hooks run from now on?`, { indent: 0, look: 'bold' }, style);
      const answer = await this.#screen.ask([
        '',
        ...question,
        ...paragraph('y yes · anything else: each is asked about', { indent: 0, look: 'dim' }, style),
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
        const text = `${this.#nameOf(request)} has changed since it was shown, or a file that it reaches has. Nothing was stored about it. It is asked about again.`;
        this.#screen.print(['', ...paragraph(text, { indent: 0, look: 'yellow' }, this.#screen.style)]);
      }
    }
  }

  /** The hooks that are left to ask about, as they are now: their settings and files may have changed since the last question. */
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
