import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { createHeader } from '../../src/format/header.js';
import type { RecordedMessage } from '../../src/index.js';
import { recordBus } from '../../src/index.js';
import { RecordingTail } from '../../src/read/recording-tail.js';
import { fireTool, inDirectory, serve } from '../recording-rig.js';

const limits = { maxLineBytes: 10_000, maxBytes: 100_000_000 };
const header = `${JSON.stringify(createHeader({ form: 'full', masked: true, placeholders: [] }))}\n`;
const line = (n: number, text = '') => JSON.stringify({ n, t: n, type: 'X', payload: { text } });

async function read(tail: RecordingTail): Promise<[RecordedMessage, number][]> {
  const found: [RecordedMessage, number][] = [];
  await tail.read((parsed, place) => {
    if ('message' in parsed) found.push([parsed.message, place]);
  });
  return found;
}

test('a line is read when it is whole, once, and again at its place', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    writeFileSync(file, `${header}${line(1, 'ä')}\n${line(2)}`);
    const tail = await RecordingTail.open(file, limits);
    const [[first, place] = []] = await read(tail);
    expect([first?.n, tail.problems.map(({ code }) => code)]).toEqual([1, ['torn']]);
    expect(await read(tail)).toEqual([]);
    appendFileSync(file, `\n${line(3).slice(0, 10)}`);
    expect((await read(tail)).map(([{ n }]) => n)).toEqual([2]);
    appendFileSync(file, `${line(3).slice(10)}\n`);
    const [[third, other] = []] = await read(tail);
    expect([third?.n, tail.problems]).toEqual([3, []]);
    expect(await tail.readAt(place as number)).toMatchObject({
      parsed: { message: { n: 1, payload: { text: 'ä' } } },
      bytes: line(1, 'ä').length + 1,
    });
    expect(await tail.readAt(other as number)).toMatchObject({ parsed: { message: { n: 3 } } });
    await tail.close();
  });
});

test('a line that is too long is left out, also if it comes in pieces, and the next ones are read', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    writeFileSync(file, header);
    const tail = await RecordingTail.open(file, limits);
    for (const piece of [line(1, 'x'.repeat(700_000)).slice(0, -5), 'y'.repeat(400_000), `\n${line(2, 'z'.repeat(9_000))}\n${line(3)}\n`]) {
      appendFileSync(file, piece);
      await read(tail).then((found) => piece.startsWith('\n') && expect(found.map(([{ n }]) => n)).toEqual([2, 3]));
    }
    expect(tail.problems).toEqual([
      { code: 'long_line', line: 2, message: `${file}:2: the line has more than 10000 bytes and is ignored.` },
    ]);
    await tail.close();
  });
});

test('a recorder that begins new files is followed, and lines in files that it has removed are gone', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = new MessageBus();
    serve(bus, () => ({
      success: true,
      verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
      changes: [],
      allOutputs: [],
      outcomes: [],
      errors: [],
      totalDuration: 1,
    }));
    const recorder = recordBus(bus, { file, thread: false, maxLineBytes: 4_096, maxFileBytes: 10_000, maxFiles: 2 });
    const tail = await RecordingTail.open(file, { ...limits, maxFiles: 2 });
    const found: [RecordedMessage, number][] = [];
    for (let index = 0; index < 40; index += 1) {
      await fireTool(bus, { text: 'x'.repeat(500) });
      found.push(...(await read(tail)));
    }
    expect(found.map(([{ n }]) => n)).toEqual(Array.from({ length: found.length }, (_, index) => index + 1));
    const places = found.map(([, place]) => place);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(tail.firstPlace).toBeGreaterThan(0);
    expect(await tail.readAt(places[0] as number)).toBeUndefined();
    const kept = found.filter(([, place]) => place >= tail.firstPlace);
    for (const [message, place] of [kept[0], kept.at(-1)] as [RecordedMessage, number][]) {
      expect(await tail.readAt(place)).toMatchObject({ parsed: { message: { ...message, line: 0 } } });
    }
    await recorder.close();
    await bus.close();
    await tail.close();
  });
});

test('a recording with more bytes than allowed, and a file that is not a recording, are refused', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    writeFileSync(file, `${header}${line(1)}\n`);
    await expect(RecordingTail.open(file, { ...limits, maxBytes: 10 })).rejects.toMatchObject({ code: 'too_large' });
    writeFileSync(file, 'x\n');
    await expect(RecordingTail.open(file, limits)).rejects.toMatchObject({ code: 'not_a_recording' });
    await expect(RecordingTail.open(directory, limits)).rejects.toMatchObject({ code: 'unreadable' });
  });
});
