import { join } from 'node:path';
import {
  compareRecordings,
  explainRequests,
  formatMinimal,
  type Recording,
  readRecording,
  recordBus,
  replayRequests,
  replayResponses,
  reportOf,
  writeMinimal,
  writeRecording,
} from '../src/index.js';
import { fireTool, inDirectory, servedBus } from './recording-rig.js';

async function recorded() {
  const bus = servedBus();
  const recorder = recordBus(bus);
  await fireTool(bus);
  await bus.close();
  return recorder.recording();
}

test.each([
  [{ maxBites: 5 }, 'readRecording has no option "maxBites". Did you mean "maxBytes"?'],
  [{ texts: true }, 'readRecording has no option "texts". Its options are maxLineBytes, maxBytes.'],
  [{ maxBytes: '5' }, 'readRecording: maxBytes must be a whole number from 1, and is "5".'],
  [{ maxLineBytes: 0 }, 'readRecording: maxLineBytes must be a whole number from 1, and is 0.'],
  [null, 'The options of readRecording must be an object such as { maxLineBytes }, and are null.'],
])('readRecording refuses the options %j', (options, message) =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    await recordBus(servedBus(), { file, thread: false }).close();
    await expect(readRecording(file, options as never)).rejects.toThrow(new TypeError(message));
    expect((await readRecording(file, { maxBytes: undefined })).problems).toEqual([]);
  }),
);

test.each([
  [{ sorts: 'p95' }, 'reportOf has no option "sorts". Did you mean "sort"?'],
  [{ json: true }, 'reportOf has no option "json". Its options are by, sort.'],
  [{ sort: 'p59' }, 'sort must be "p95", "total" or "failures", and is "p59".'],
  [{ by: 'hooks' }, 'by must be "hook", "event" or "session", and is "hooks".'],
  ['hook', 'The options of reportOf must be an object such as { by }, and are "hook".'],
])('reportOf refuses the options %j', async (options, message) => {
  const recording = await recorded();
  expect(() => reportOf([recording], options as never)).toThrow(new TypeError(message));
});

test('formatMinimal refuses unknown options', async () => {
  const recording = await recorded();
  expect(() => formatMinimal(recording, { text: true } as never)).toThrow(
    new TypeError('formatMinimal has no option "text". Did you mean "texts"?'),
  );
  expect(() => formatMinimal(recording, { texts: 'yes' } as never)).toThrow('texts must be true or false, and is "yes"');
});

test.each<[string, (recording: Recording) => unknown]>([
  ['compareRecordings', (recording) => compareRecordings(recording, recording)],
  ['explainRequests', (recording) => explainRequests(recording, { explain: () => ({ hooks: [] }) })],
  ['formatMinimal', (recording) => formatMinimal(recording)],
  ['replayRequests', (recording) => replayRequests(recording, servedBus())],
  ['replayResponses', (recording) => replayResponses(servedBus(), recording)],
  ['reportOf', (recording) => reportOf([recording])],
  ['writeMinimal', (recording) => writeMinimal('/dev/null/x', recording)],
  ['writeRecording', (recording) => writeRecording('/dev/null/x', recording)],
])('%s refuses what is not a recording, and says what it is', async (name, use) => {
  const bus = servedBus();
  const recorder = recordBus(bus);
  const rule = `${name}: the recording must be what readRecording(file) or recorder.recording() resolves to, and is `;
  for (const [value, what] of [
    ['run.bus.jsonl', '"run.bus.jsonl".'],
    [undefined, 'undefined.'],
    [recorder, 'an object.'],
    [recorder.recording(), 'a promise: await it.'],
  ] as const) {
    await expect(async () => use(value as never)).rejects.toThrow(new TypeError(`${rule}${what}`));
  }
  await bus.close();
});

test.each([undefined, '', 5])('readRecording refuses the path %j', (file) =>
  expect(readRecording(file as never)).rejects.toThrow('readRecording: the file must be a path, and is '),
);
