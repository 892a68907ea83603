/** How many events are remembered, and how many of them may be sent twice. More would double the load of workers that are all slow. */
const remembered = 100;
const mostHedged = 10;

/** The smallest number of answers whose 95th percentile is used. */
const leastAnswers = 20;

/** How long the last answers to one event took, in milliseconds. */
export class AnswerTimes {
  readonly #answers: { readonly ms: number; readonly isHedged: boolean }[] = [];

  add(ms: number, isHedged: boolean): void {
    this.#answers.push({ ms, isHedged });
    if (this.#answers.length > remembered) this.#answers.shift();
  }

  /** Whether another event may be sent to two workers. */
  get mayHedge(): boolean {
    return this.#answers.filter(({ isHedged }) => isHedged).length < mostHedged;
  }

  /** The 95th percentile by nearest rank, but at least 1 ms. Undefined if there are too few answers. */
  get percentile95(): number | undefined {
    if (this.#answers.length < leastAnswers) return undefined;
    const sorted = this.#answers.map(({ ms }) => ms).sort((a, b) => a - b);
    return Math.max(1, sorted[Math.ceil(0.95 * sorted.length) - 1] as number);
  }
}
