import { join } from 'node:path';
import type { Bench, Variant } from '../../bench.js';
import { callOf } from '../contenders/contender.js';
import { startContenders } from '../contenders/start-contenders.js';
import { tenterhook, tenterhookResident } from '../contenders/tenterhook.js';
import { atMostTimes } from '../marks.js';
import type { Case } from './case.js';

const hooks = join(import.meta.dirname, '../../../hooks');
const why = 'An event still has its request on the bus, its plan and its verdict, and two processes must wake up.';

/** The same hook with a process for each event, and with one process for all. Not guarded: the start of a language hides the rest. */
export const residentCases: readonly Case[] = (
  [
    ['Python', `python3 '${join(hooks, 'empty-answer.py')}'`],
    ['Node', `node '${join(hooks, 'empty-answer.mjs')}'`],
  ] as const
).map(([language, command]) => {
  const name = `one ${language} hook, cold and resident`;
  return {
    name,
    guarded: false,
    make: async () => {
      const { variants, absent, dispose } = await startContenders(
        [tenterhook, tenterhookResident],
        { command, prints: '{}' },
        callOf(1000),
      );
      return {
        name,
        unit: 'ms',
        warmup: 5,
        rounds: 40,
        variants: variants as [Variant, ...Variant[]],
        absent,
        marks: [atMostTimes(1 / 100, `a resident ${language} hook`, tenterhookResident.name, tenterhook.name, why)],
        dispose,
      } satisfies Bench;
    },
  };
});
