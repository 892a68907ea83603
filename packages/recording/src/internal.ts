/** Names for the other packages of this repository, and for the thread of a recorder. They change without notice. */

export { completeRecording } from './write/entry-writer.js';
export { runWriterThread } from './record/writer-thread.js';
export { countLost } from './format/count-lost.js';
export { hasMoreLevels, mostLevels } from './format/depth.js';
export { RecordingTail } from './read/recording-tail.js';
export { ReportBuilder } from './report/report-builder.js';
export { createDecoder } from './mask/placeholders.js';
export { mapTexts } from './mask/map-texts.js';
export { maskRecorded } from './mask/masker.js';
