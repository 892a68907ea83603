import { describeValue, requireOptions } from '@tenterhook/runtime/text';
import type { Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import type { RecordingReport, ReportOptions } from './recording-report.js';
import { ReportBuilder } from './report-builder.js';

const optionNames = Object.keys({ by: true, sort: true } satisfies Record<keyof ReportOptions, true>);

/**
 * Adds up the figures of recordings. Durations of rows by hook are those of its runs, and of other rows the time that an event took. Throws a
 * TypeError for unknown and invalid options.
 */
export function reportOf(recordings: readonly Recording[], options: ReportOptions = {}): RecordingReport {
  requireOptions('reportOf', options, optionNames);
  if (!Array.isArray(recordings)) throw new TypeError(`reportOf: the recordings must be an array, and are ${describeValue(recordings)}.`);
  for (const recording of recordings) requireRecording('reportOf', recording);
  const builder = new ReportBuilder(options);
  for (const { exchanges } of recordings) for (const exchange of exchanges) builder.add(exchange);
  return builder.report(recordings.some(({ header }) => header.form === 'full'));
}
