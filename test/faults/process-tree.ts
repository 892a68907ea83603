import type { HookRun } from '@tenterhook/testing';

/** All processes of one remote-controlled hook. */
export interface ProcessTree {
  readonly pids: readonly number[];
  /** Resolves when none of them is left. */
  readonly ended: Promise<void>;
}

/** Gives a hook a child and a daemon, which is in a session of its own; none of the three cares for SIGTERM. */
export async function growTree(run: HookRun): Promise<ProcessTree> {
  const others = await Promise.all([run.fork({ label: 'child' }), run.fork({ label: 'daemon', detached: true, stdio: 'ignore' })]);
  const all = [run, ...others];
  await Promise.all(all.map((one) => one.ignoreSignals('SIGTERM')));
  return { pids: all.map(({ pid }) => pid), ended: Promise.all(all.map(({ ended }) => ended)).then(() => {}) };
}
