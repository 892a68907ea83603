import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHeader, writerVersion } from '../../src/format/header.js';
import { formatMessage, formatNote } from '../../src/format/parse-line.js';
import { readRecording, recordBus, writeMinimal } from '../../src/index.js';
import { RecordingTail } from '../../src/read/recording-tail.js';
import { fireTool, inDirectory, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

const header = createHeader({ form: 'full', masked: true, placeholders: ['project'] });

function textOf(lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

test('record-replay case 3: a newer version is refused with both versions named', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    writeFileSync(file, textOf([{ ...header, version: 2 }]));
    await expect(readRecording(file)).rejects.toMatchObject({
      code: 'newer_recording',
      message: `${file}: written by a newer Tenterhook, version 2; this one reads 1. Update Tenterhook to read the file.`,
    });
  }));

test('record-replay case 3: unknown fields and notes are kept, and written again', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const later = { n: 1, t: 2, type: 'LATER_CHANNEL', payload: { correlationId: 'a' }, later: [1] };
    const note = { t: 3, note: 'later', more: { deep: true } };
    writeFileSync(file, textOf([{ ...header, later: 'x' }, later, note, { t: 4, note: 'end', messages: 1 }]));
    const recording = await readRecording(file);
    expect(recording.header).toEqual({ ...header, later: 'x' });
    expect(recording.messages.map((message) => JSON.parse(formatMessage(message)))).toEqual([later]);
    expect(recording.notes.map((one) => JSON.parse(formatNote(one)))).toEqual([note, { t: 4, note: 'end', messages: 1 }]);
    expect(recording.problems).toEqual([]);
  }));

test.each([
  ['an empty file', '', 'not_a_recording'],
  ['a text', 'hello\n', 'not_a_recording'],
  ['other JSON', '{"format":"har"}\n', 'not_a_recording'],
  ['a header without a version', textOf([{ ...header, version: 'x' }]), 'not_a_recording'],
  ['a header without an end', JSON.stringify(header), 'not_a_recording'],
])('%s is not read', (_, text, code) =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    writeFileSync(file, text);
    await expect(readRecording(file)).rejects.toMatchObject({ code, message: expect.stringContaining(file) });
  }),
);

test('a file that is missing, a directory, a FIFO and a file that is too large are refused', () =>
  inDirectory(async (directory) => {
    await expect(readRecording(join(directory, 'none'))).rejects.toMatchObject({ code: 'unreadable' });
    await expect(readRecording(directory)).rejects.toMatchObject({ code: 'unreadable' });
    const fifo = join(directory, 'fifo');
    spawnSync('mkfifo', [fifo]);
    await expect(readRecording(fifo)).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('not a regular file') });
    const file = join(directory, 'x.bus.jsonl');
    writeFileSync(file, textOf([header]));
    await expect(readRecording(file, { maxBytes: 10 })).rejects.toMatchObject({ code: 'too_large' });
  }));

test('lines that cannot be read are reported with their place, and the rest is read', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const message = (n: number) => ({
      n,
      t: n,
      type: 'HOOK_EXECUTION_REQUEST',
      payload: { correlationId: `a-${n}`, eventName: 'X', input: {} },
    });
    writeFileSync(file, textOf([header, message(1), '{', '[]', {}, message(4), 'x'.repeat(5_000), message(5)]));
    const { messages, problems, exchanges } = await readRecording(file, { maxLineBytes: 4_096 });
    expect(messages.map(({ n }) => n)).toEqual([1, 4, 5]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['invalid_line', 3],
      ['invalid_line', 4],
      ['invalid_line', 5],
      ['long_line', 7],
      ['missing_messages', 6],
      ['interrupted', undefined],
    ]);
    expect(exchanges.map(({ state, ordinal }) => [state, ordinal])).toEqual([
      ['unanswered', 1],
      ['unanswered', 2],
      ['unanswered', 3],
    ]);
  }));

test('record-replay case 8: a recording in several files is read as one, also without the removed ones and by any name', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x'.repeat(2_000) })]));
    const recorder = recordBus(bus, { file, maxLineBytes: 8_192, maxFileBytes: 16_384, maxFiles: 3, thread: false });
    for (let event = 0; event < 40; event += 1) await fireTool(bus);
    await recorder.close();
    const recording = await readRecording(file);
    expect(recording.files).toHaveLength(3);
    expect(recording.files[0]).toMatch(/run\.part\d+\.bus\.jsonl$/);
    expect(recording.problems).toEqual([]);
    expect(recording.messages.map(({ n }) => n)).toEqual(recording.messages.map((_, index) => 201 - recording.messages.length + index));
    expect(recording.notes.map(({ note }) => note)).toEqual(['part', 'part', 'end']);
    // A new recording would mix with the files of the old one.
    expect(() => recordBus(bus, { file })).toThrow(expect.objectContaining({ code: 'file_exists' }));
    await bus.close();
  }));

test.each(['', '{"for', JSON.stringify(header).slice(0, 60)])(
  'record-replay case 4: a recorder that was killed before it wrote the header of a file leaves the others readable: %j',
  (begin) =>
    inDirectory(async (directory) => {
      const [file, next] = [join(directory, 'run.bus.jsonl'), join(directory, 'run.part2.bus.jsonl')];
      const bus = servedBus();
      const recorder = recordBus(bus, { file, thread: false });
      await fireTool(bus);
      await recorder.close();
      const whole = readFileSync(file, 'utf8');
      const rotated = whole.replace(/\{"t":[\d.]+,"note":"end".*\n/, '{"t":9,"note":"part","next":"run.part2.bus.jsonl"}\n');
      writeFileSync(file, rotated);
      writeFileSync(next, begin);
      const { messages, problems } = await readRecording(file);
      expect(messages).toHaveLength(5);
      expect(problems.map(({ code }) => code)).toEqual(['torn', 'interrupted']);
      expect(problems[0]?.message).toContain(`${next}:1: the header has no end`);
      const tail = await RecordingTail.open(file, { maxLineBytes: 2 ** 20, maxBytes: 2 ** 30 });
      const lines: unknown[] = [];
      await tail.read((parsed) => lines.push(parsed));
      expect(lines).toHaveLength(6);
      // The header arrives later.
      writeFileSync(next, `${JSON.stringify({ ...JSON.parse(whole.split('\n')[0] as string), part: 2 })}\n{"t":10,"note":"end"}\n`);
      await tail.read((parsed) => lines.push(parsed));
      expect([lines.length, tail.problems]).toEqual([7, []]);
      await tail.close();

      writeFileSync(next, begin);
      const again = recordBus(bus, { file, append: true, thread: false });
      await fireTool(bus);
      await again.close();
      const appended = await readRecording(file);
      expect([appended.files, appended.problems, appended.messages.length]).toEqual([
        [file],
        begin === '' ? [] : [expect.objectContaining({ code: 'torn', line: 1 })],
        10,
      ]);
      // A file that is not of a recorder stays as it was.
      writeFileSync(next, 'mine');
      expect(() => recordBus(bus, { file, append: true, thread: false })).toThrow(expect.objectContaining({ code: 'not_a_recording' }));
      expect(readFileSync(next, 'utf8')).toBe('mine');
      await bus.close();
    }),
);

test('the minimal form is one file: files whose names look like further parts are not read', () =>
  inDirectory(async (directory) => {
    const bus = servedBus();
    const recorder = recordBus(bus);
    await fireTool(bus);
    const recording = await recorder.recording();
    for (const name of ['run.bus.jsonl', 'run.part2.bus.jsonl']) await writeMinimal(join(directory, name), recording);
    const file = join(directory, 'run.bus.jsonl');
    expect(await readRecording(file)).toMatchObject({ files: [file], exchanges: [{ ordinal: 1 }], problems: [] });
    expect((await readRecording(file)).exchanges).toHaveLength(1);
    await bus.close();
  }));

test('a response without its request is an orphan, and an id can be used again', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const line = (type: string, correlationId: string, more = {}) => ({
      type: `HOOK_EXECUTION_${type}`,
      payload: { correlationId, ...more },
    });
    const late = { kind: 'hook-finished', late: true };
    writeFileSync(
      file,
      textOf([
        header,
        line('RESPONSE', 'lost', { success: true }),
        line('REQUEST', 'a', { eventName: 'X' }),
        line('CANCEL', 'a'),
        line('RESPONSE', 'a', { success: true }),
        line('PROGRESS', 'a', late),
        line('REQUEST', 'a', { eventName: 'Y' }),
        line('PROGRESS', 'call', late),
      ]),
    );
    const { exchanges } = await readRecording(file);
    expect(
      exchanges.map(({ ordinal, eventName, state, cancels, late: ends }) => [ordinal, eventName, state, cancels.length, ends.length]),
    ).toEqual([
      [1, 'X', 'answered', 1, 1],
      [2, 'Y', 'unanswered', 0, 0],
      [0, undefined, 'orphan', 0, 0],
    ]);
  }));

test('the version of the writer is that of the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string };
  expect(writerVersion).toBe(manifest.version);
});
