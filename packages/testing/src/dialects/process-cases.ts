import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import { fireRows } from './fire-rows.js';
import { printedAnswers } from './printed-answers.js';
import { printedJunk, usualJunk } from './printed-junk.js';
import { type ProcessRow, printsRow } from './process-row.js';
import { exitRows, fewRows, floodRows, signalRows, streamRows, timeoutRows } from './process-rows.js';
import { allFieldsWrong, wrongFields } from './wrong-fields.js';

/** More than a pipe holds, so that who does not read it is noticed. */
const longText = 'x'.repeat(1024 * 1024);

/** What real hooks do, and that a hook beside them is heard. */
export const processCases: readonly DialectCase[] = [
  onTheAnswersEvent('whatever hooks print, each has one outcome that fits, and a deny behind them counts', ({ options: { answers } }) =>
    [...printedAnswers(answers), ...printedJunk].map(printsRow),
  ),
  onTheAnswersEvent('an output field of a wrong type harms no other hook and decides nothing', ({ options: { answers, outputFields } }) =>
    wrongFields(answers.eventName, outputFields).map(printsRow),
  ),
  onTheAnswersEvent(
    'each of the 256 exit codes is one outcome that fits, and none allows but those with which answers count',
    ({ options }) => exitRows(options),
  ),
  onTheAnswersEvent('a hook that a signal ends has failed, whatever it printed', ({ options }) => signalRows(options.answers)),
  onTheAnswersEvent('a hook may leave, close or mix up its streams', ({ options }) => streamRows(options), longText),
  onTheAnswersEvent('a hook that runs into its timeout has timed out, and what it printed does not count', ({ options }) =>
    timeoutRows(options.answers),
  ),
  onTheAnswersEvent('of a hook that prints more than is kept the answer is not read, and the rest is bounded', ({ options }) =>
    floodRows(options.answers),
  ),
];

/** The same in short, for one of the events on which the answers are none. */
export function processCaseOf(event: DialectEvent): DialectCase {
  return {
    title: `on ${event.dialectEvent}, whatever hooks do, each has one outcome that fits, and the one behind them runs`,
    run: (scene) => {
      const { outputFields } = scene.options;
      const printed = [...usualJunk, ...allFieldsWrong(event.eventName, outputFields)];
      return fireRows(scene, event, [...fewRows(scene.options), ...printed.map(printsRow)]);
    },
  };
}

function onTheAnswersEvent(title: string, rows: (scene: DialectScene) => readonly ProcessRow[], text?: string): DialectCase {
  return {
    title,
    run: async (scene) => {
      if (scene.answersEvent !== undefined) await fireRows(scene, scene.answersEvent, rows(scene), text);
    },
  };
}
