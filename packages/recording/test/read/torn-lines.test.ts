import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHeader } from '../../src/format/header.js';
import { readRecording, recordBus } from '../../src/index.js';
import { RecordingTail } from '../../src/read/recording-tail.js';
import { completeRecording } from '../../src/write/entry-writer.js';
import { openToAppend } from '../../src/write/open-file.js';
import { fireTool, inDirectory, linesOf, servedBus } from '../recording-rig.js';

const limits = { maxLineBytes: 2 ** 20, maxBytes: 2 ** 30 };
const header = createHeader({ form: 'full', masked: true, placeholders: [] });
const noRoots = { roots: { home: undefined, tmp: undefined } };

/** Records one event, five messages, to a file, with a thread that is the caller's. */
async function record(file: string, append = false) {
  const bus = servedBus();
  const recorder = recordBus(bus, { file, append, thread: false, ...noRoots });
  await fireTool(bus);
  await recorder.close();
  await bus.close();
}

/** Removes the note `end`, as if the recorder had been killed. */
function withoutEnd(file: string) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\{"t":[\d.]+,"note":"end".*\n$/, ''));
}

test('what appending removes is noted in the file, and reading reports it with its line', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    await record(file);
    withoutEnd(file);
    appendFileSync(file, '{"n":6,"t":1,"type":"HOOK_EXEC');
    await record(file, true);
    const torn = { code: 'torn', line: 7, message: expect.stringMatching(/run\.bus\.jsonl:7: .*30 bytes .*removed/) };
    const recording = await readRecording(file);
    expect(recording.problems).toEqual([torn]);
    expect(recording.notes).toContainEqual(expect.objectContaining({ note: 'torn', file: 'run.bus.jsonl', at: 7, bytes: 30 }));
    expect(recording.messages.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const tail = await RecordingTail.open(file, limits);
    await tail.read(() => {});
    expect(tail.problems).toEqual([torn]);
    await tail.close();
  }));

test('completing the recording of a recorder that was killed notes what it removes', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    await record(file);
    withoutEnd(file);
    appendFileSync(file, '{"n":6,"t');
    completeRecording(file, await readRecording(file));
    const { problems, notes } = await readRecording(file);
    expect([problems.map(({ code, line }) => [code, line]), notes.map(({ note }) => note)]).toEqual([[['torn', 7]], ['torn', 'end']]);
  }));

test('a torn header of a later file is reported with its line, by both readers and after appending', () =>
  inDirectory(async (directory) => {
    const [file, next] = [join(directory, 'run.bus.jsonl'), join(directory, 'run.part2.bus.jsonl')];
    await record(file);
    withoutEnd(file);
    appendFileSync(file, '{"t":9,"note":"part","next":"run.part2.bus.jsonl"}\n');
    writeFileSync(next, JSON.stringify(header).slice(0, 60));
    const torn = { code: 'torn', line: 1, message: expect.stringContaining(`${next}:1: the header has no end`) };
    expect((await readRecording(file)).problems[0]).toEqual(torn);
    const tail = await RecordingTail.open(file, limits);
    await tail.read(() => {});
    expect(tail.problems).toEqual([torn]);
    await tail.close();
    await record(file, true);
    const { problems, notes } = await readRecording(file);
    expect(problems).toEqual([{ code: 'torn', line: 1, message: expect.stringMatching(/run\.part2\.bus\.jsonl:1: .*60 bytes/) }]);
    expect(notes).toContainEqual(expect.objectContaining({ note: 'torn', file: 'run.part2.bus.jsonl', at: 1, bytes: 60 }));
  }));

test('numbers continue if the last file has only its header', () =>
  inDirectory(async (directory) => {
    const [file, next] = [join(directory, 'run.bus.jsonl'), join(directory, 'run.part2.bus.jsonl')];
    await record(file);
    withoutEnd(file);
    appendFileSync(file, '{"t":9999999,"note":"part","next":"run.part2.bus.jsonl"}\n');
    const { id } = (await readRecording(file)).header;
    writeFileSync(next, `${JSON.stringify({ ...header, id, part: 2 })}\n`);
    await record(file, true);
    const { messages, problems } = await readRecording(file);
    expect([messages.map(({ n }) => n), problems]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], []]);
    expect(messages[5]?.t).toBeGreaterThanOrEqual(9_999_999);
  }));

test('a line that another recorder is writing is not removed', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    writeFileSync(file, `${JSON.stringify(header)}\n`);
    const writer = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/write-long-lines.mjs'), file]);
    await once(writer.stdout, 'data');
    const removed: unknown[] = [];
    while (removed.length === 0 && statSync(file).size < 100 * 2 ** 20) {
      const open = openToAppend(file, header);
      closeSync(open.descriptor);
      removed.push(...open.removed);
    }
    await once(writer, 'close');
    expect(removed).toEqual([]);
    expect((await readRecording(file)).problems.map(({ code }) => code)).toEqual(['interrupted']);
  }));

test('a line that was cut within a character, or is not UTF-8, is not read as another text', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const line = (text: string) => Buffer.from(`{"n":1,"t":1,"type":"X","payload":{"text":"${text}"}}\n`);
    const broken = Buffer.from(line('ä').filter((byte) => byte !== 0xa4));
    writeFileSync(file, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), broken, line('ö'), line('ü').subarray(0, -6)]));
    const expected = [
      { code: 'invalid_line', line: 2, message: `${file}:2: the line is not valid UTF-8, and is ignored.` },
      { code: 'torn', line: 4, message: expect.any(String) },
    ];
    const { messages, problems } = await readRecording(file);
    expect([messages.map(({ payload }) => payload), problems.slice(0, 2)]).toEqual([[{ text: 'ö' }], expected]);
    const tail = await RecordingTail.open(file, limits);
    await tail.read(() => {});
    expect(tail.problems).toEqual(expected);
    await tail.close();
  }));

test('a file that an editor has saved with a byte order mark and CRLF is read and continued', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    await record(file);
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`);
    expect(await readRecording(file)).toMatchObject({ problems: [], exchanges: [{ state: 'answered' }] });
    const tail = await RecordingTail.open(file, limits);
    await tail.read(() => {});
    expect(tail.problems).toEqual([]);
    await tail.close();
    await record(file, true);
    expect(await readRecording(file)).toMatchObject({ problems: [], exchanges: [{}, { state: 'answered' }] });
  }));

test('a file with a long line is continued without reading it many times', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const long = JSON.stringify({ t: 5, note: 'later', text: 'x'.repeat(3 * 2 ** 20) });
    writeFileSync(file, `${JSON.stringify(header)}\n{"n":41,"t":7,"type":"X"}\n${long}\n${long}\n{"n"`);
    await record(file, true);
    expect(linesOf(file)[4]).toMatchObject({ note: 'torn', at: 5, bytes: 4 });
    expect(linesOf(file)[5]).toMatchObject({ n: 42 });
  }));
