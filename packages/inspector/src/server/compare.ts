import type { ServerResponse } from 'node:http';
import { maskText } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import type { Comparison } from '../api/messages.js';
import type { Source } from '../source/source.js';
import type { TaskRunner } from '../threads/task-runner.js';
import { keepingOpen, sendJson, sendProblem } from './answers.js';

/** Sends the comparison of two of the recordings, by their numbers. */
export async function sendComparison(response: ServerResponse, source: Source, tasks: TaskRunner, query: URLSearchParams): Promise<void> {
  const { recordings, index, texts } = source;
  const numbers = ['before', 'now'].map((side, otherwise) => Number(query.get(side) ?? otherwise));
  const [before, now] = numbers.map((number) => recordings[number]);
  if (before === undefined || now === undefined) {
    const message = 'Two recordings are needed. Run tenterhook inspect --recording <file> --recording <file>.';
    return sendProblem(response, 409, 'cannot_compare', message);
  }
  try {
    const found = await keepingOpen(response, tasks.compare({ before, now, isMasked: texts.isMasked }));
    const different = found.different.map(({ ordinal, ...one }) => {
      const n = source.rowOfRequest((one.kind === 'added' ? numbers[1] : numbers[0]) as number, ordinal);
      return { ...one, ...(n === undefined || n < index.first ? {} : { n }) };
    });
    sendJson(response, { ...found, different } satisfies Comparison);
  } catch (error) {
    sendProblem(response, 409, 'cannot_compare', `The recordings cannot be compared here: ${maskText(describeThrown(error))}`);
  }
}
