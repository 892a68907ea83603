import { KeptResults, LentValues, Turns } from '@tenterhook/relay';
import { placeOfPolicy } from '@tenterhook/trust';
import { getStampNow } from '../../../../settings/watch/file-stamps.js';
import type { LentSystem, RelaySystems } from '../answer/answer-call.js';
import { openSystem, type RelaySystem, type SystemRequest } from '../answer/open-system.js';

/** The number of projects whose hooks stay loaded. */
const maxSystems = 16;

/** The systems of a daemon. They stay open between events, and read their settings again when a file has changed. */
export class ResidentSystems implements RelaySystems {
  readonly #systems = new LentValues<RelaySystem>(maxSystems, ({ hooks }) => hooks.dispose());
  readonly #turns = new Turns();
  readonly kept = new KeptResults();
  readonly #control = new AbortController();

  /** The number of systems that are open. */
  get size(): number {
    return this.#systems.size;
  }

  async lend(request: SystemRequest): Promise<LentSystem> {
    const { value: system, giveBack } = await this.#systems.lend(keyOf(request), () => openSystem(request));
    try {
      await system.refresh();
    } catch (error) {
      giveBack();
      throw error;
    }
    return { system, signal: this.#control.signal, giveBack: async () => giveBack() };
  }

  inTurn<Result>(key: string | undefined, waitMs: number, task: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(key, waitMs, task);
  }

  /** Stops the hooks that run. Their events are answered nevertheless. */
  abort(): void {
    this.#control.abort();
  }

  close(): Promise<void> {
    return this.#systems.close();
  }
}

/**
 * Everything that a system is made of, besides the files that it watches itself. Hooks must see the environment and the directory of their
 * event, so events with another environment have another system.
 */
function keyOf({ agent, place, environment, found, settings, dialect }: SystemRequest): string {
  const { guards, settings: list, problems } = found;
  return JSON.stringify([
    agent.name,
    place.projectDir,
    place.cwd,
    settings,
    dialect,
    list.discover,
    list.claudeFiles,
    guards,
    problems,
    getStampNow(placeOfPolicy()),
    Object.entries(environment).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
