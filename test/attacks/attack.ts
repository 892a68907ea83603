/** One attack as `docs/security.md` lists it. The table is generated from these literals, so write them as plain strings. */
export interface Attack {
  /** The id, which is short, unique and in kebab-case: `rewrite-beside-guard`. */
  id: string;
  /** Who attacks: the model, a hook of the repository, the settings of the repository, another user of the machine, … */
  attacker: string;
  /** What the attacker tries. */
  attempt: string;
  /** What happens instead. */
  result: string;
}

/** Why the test of an attack cannot run on this machine. */
export interface Skip {
  readonly skippedBecause?: string;
}

/** Declares the test of one attack. It passes if the attack fails. A test that cannot run is skipped under a title that says why. */
export function attack({ id, attempt }: Attack, run: () => Promise<void>, { skippedBecause }: Skip = {}): void {
  if (skippedBecause === undefined) test(`attack ${id}: ${attempt}`, run);
  else test.skip(`attack ${id}: ${attempt} [not run: ${skippedBecause}]`, run);
}
