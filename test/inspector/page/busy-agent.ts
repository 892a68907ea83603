import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../support/sources.js';
import { pathOf } from './browser.js';

/** An agent in a process of its own, so that it takes nothing from the inspector in the process of the test. */
export interface BusyAgent {
  readonly path: string;
  readonly pid: number;
  /** Fires events whose hook ends at once. Resolves to the milliseconds until all were answered. */
  fire(plan: { readonly total: number; readonly perSecond: number }): Promise<number>;
  end(): Promise<void>;
}

let agents = 0;

export async function startBusyAgent(): Promise<BusyAgent> {
  agents += 1;
  const path = pathOf(`busy-${agents}.sock`);
  const child = fork(join(root, 'test/inspector/fixtures/busy-agent.mjs'), [path], { execArgv: [] });
  await once(child, 'message');
  return {
    path,
    pid: child.pid as number,
    fire: async (plan) => {
      const answered = once(child, 'message');
      child.send(plan);
      const [{ firedMs }] = (await answered) as [{ firedMs: number }];
      return firedMs;
    },
    end: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
