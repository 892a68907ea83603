export { RecordingError } from './format/recording-error.js';
export { compareRecordings } from './compare/compare-recordings.js';
export { explainRequests } from './replay/explain-requests.js';
export { formatDiff } from './compare/format-diff.js';
export { formatMinimal } from './normalise/minimal-form.js';
export { readRecording } from './read/read-recording.js';
export { readRecordingStream } from './read/read-recording-stream.js';
export { recordBus } from './record/record-bus.js';
export { replayRequests } from './replay/replay-requests.js';
export { formatReport } from './report/format-report.js';
export { reportHtml } from './report/report-html.js';
export { reportOf } from './report/report-of.js';
export { reportSvg } from './report/report-svg.js';
export { writeMinimal } from './write/write-minimal.js';
export { writeRecording } from './write/write-recording.js';
export { replayResponses } from './replay/replay-responses.js';

export type { CompareOptions, ExchangeDifference, RecordingDiff } from './compare/compare-recordings.js';
export type { TimeDifference } from './compare/time-differences.js';
export type { ValueDifference } from './compare/value-differences.js';
export type { RecordingLimits } from './format/limits.js';
export type {
  RecordedExchange,
  RecordedMessage,
  Recording,
  RecordingHeader,
  RecordingNote,
  RecordingProblem,
} from './format/recording.js';
export type { RecordingErrorCode } from './format/recording-error.js';
export type { RecordingChunk, RecordingStream, StoredChunk } from './format/recording-stream.js';
export type { Roots, Secrets } from './mask/placeholders.js';
export type { MinimalOptions } from './normalise/minimal-form.js';
export type { NormaliseRules } from './normalise/normalise-value.js';
export type { ReadOptions } from './read/read-recording.js';
export type { BusRecorder } from './record/record-bus.js';
export type { RecordOptions } from './record/record-options.js';
export type { ExplainedReplay, Explains } from './replay/explain-requests.js';
export type { FillOptions, MissingValue } from './replay/fill-in.js';
export type { MaskedRequest } from './replay/masked-requests.js';
export type { NearestRequest } from './replay/nearest-request.js';
export type { ReplayRequestsOptions, ReplayResult, SkippedRequest } from './replay/replay-requests.js';
export type { Miss, ReplayResponsesOptions, ResponseReplay, UnusedExchange } from './replay/replay-responses.js';
export type { MatchedRequest, MatchMode } from './replay/request-matcher.js';
export type { RecordingReport, ReportOptions, ReportRow } from './report/recording-report.js';
