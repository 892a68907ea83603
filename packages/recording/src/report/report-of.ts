import type { Recording } from '../format/recording.js';
import type { RecordingReport, ReportOptions } from './recording-report.js';
import { ReportBuilder } from './report-builder.js';

/** Adds up the figures of recordings. Durations of rows by hook are those of its runs, and of other rows the time that an event took. */
export function reportOf(recordings: readonly Recording[], options: ReportOptions = {}): RecordingReport {
  const builder = new ReportBuilder(options);
  for (const { exchanges } of recordings) for (const exchange of exchanges) builder.add(exchange);
  return builder.report(recordings.some(({ header }) => header.form === 'full'));
}
