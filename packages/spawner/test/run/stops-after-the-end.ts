import { readFileSync } from 'node:fs';
import type { Rig } from '../process-rig.js';

/** Blocks this process until that one has ended; its parent is blocked, so it stays a zombie. */
function blockUntilEnded(pid: number): void {
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
}

/** Stops that come as a process has ended, so many times each. */
export function testStopsAfterTheEnd(rigOf: () => Rig, rounds: number): void {
  test.each(['in the turn in which it ended', 'a turn later', 'some turns later'])(
    'a stop %s does not cut the answer of an ended process off',
    async (when) => {
      const printed = 'x'.repeat(60_000);
      for (let round = 0; round < rounds; round += 1) {
        const control = new AbortController();
        const onStart = ({ pid }: { pid: number }) => {
          blockUntilEnded(pid);
          const turns = { 'in the turn in which it ended': 0, 'a turn later': 1, 'some turns later': 1 + (round % 5) }[when] ?? 0;
          void (async () => {
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
            control.abort();
          })();
        };
        const exit = await rigOf().sh('cat; exit 0', { stdin: printed, signal: control.signal, onStart });
        if (exit.kind === 'exited') expect(exit.stdout.length).toBe(printed.length);
        else expect(exit.kind).toBe('cancelled');
      }
    },
  );
}
