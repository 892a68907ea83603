import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../support/sources.js';

/** An agent in a process of its own, so that it takes nothing from the inspector in the process of the test. */
export interface BusyAgent {
  /** Fires events whose hook ends at once. Resolves when all were answered. */
  fire(plan: { readonly total: number; readonly perSecond: number }): Promise<Fired>;
  end(): Promise<void>;
}

/** What came of the events. Times are in milliseconds. */
export interface Fired {
  readonly answered: number;
  readonly firedMs: number;
  /** The median of the times between request and response. */
  readonly medianMs: number;
}

/** Starts an agent whose bus is at the socket `path`. */
export async function startBusyAgent(path: string): Promise<BusyAgent> {
  const child = fork(join(root, 'test/inspector/fixtures/busy-agent.mjs'), [path], { execArgv: [] });
  await once(child, 'message');
  return {
    fire: async (plan) => {
      const answered = once(child, 'message');
      child.send(plan);
      const [fired] = (await answered) as [Fired];
      return fired;
    },
    end: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
