import type { HookRun } from '@tenterhook/testing';

/** All processes of one remote-controlled hook. */
export interface ProcessTree {
  readonly pids: readonly number[];
  /** Resolves when none of them is left. */
  readonly ended: Promise<void>;
}

/** Starts a child of a hook, and a daemon in its own session. All three processes ignore SIGTERM. */
export async function growTree(run: HookRun): Promise<ProcessTree> {
  const others = await Promise.all([run.fork({ label: 'child' }), run.fork({ label: 'daemon', detached: true, stdio: 'ignore' })]);
  const all = [run, ...others];
  await Promise.all(all.map((one) => one.ignoreSignals('SIGTERM')));
  return { pids: all.map(({ pid }) => pid), ended: Promise.all(all.map(({ ended }) => ended)).then(() => {}) };
}
