import fc from 'fast-check';
import { encodeFrame, FrameDecoder } from '../../src/wire/frames.js';

function decode(pieces: readonly Buffer[], maxFrameBytes = 1_000_000): unknown[] {
  const decoder = new FrameDecoder(maxFrameBytes);
  const frames: unknown[] = [];
  for (const piece of pieces) {
    decoder.push(piece);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      frames.push(frame);
      if ('problem' in frame) return frames;
    }
  }
  return frames;
}

test('frames that are cut anywhere are the frames that were sent', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (values, sizes) => {
      const bytes = Buffer.concat(values.map((value) => encodeFrame(JSON.stringify(value))));
      const pieces: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        if (at >= bytes.length) break;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(decode(pieces)).toEqual(values.map((value) => ({ value: JSON.parse(JSON.stringify(value)) })));
    }),
  );
});

test('a length above the most is a problem before anything of it has come', () => {
  expect(decode([Buffer.from([0, 0, 4, 1])], 1024)).toEqual([{ problem: 'a frame of 1025 bytes; the limit is 1024' }]);
});

test.each([
  ['nothing', encodeFrame(''), 'a frame that is not JSON'],
  ['half an object', encodeFrame('{'), 'a frame that is not JSON'],
  ['bytes that are not UTF-8', Buffer.from([0, 0, 0, 1, 0xc3]), 'a frame that is not UTF-8'],
  ['a text with such a byte', Buffer.from([0, 0, 0, 3, 0x22, 0xff, 0x22]), 'a frame that is not UTF-8'],
])('%s is a problem', (_, bytes, problem) => {
  expect(decode([bytes])).toEqual([{ problem }]);
});

test('the character that replaces invalid bytes may be in a text', () => {
  expect(decode([encodeFrame('"a\ufffdb"')])).toEqual([{ value: 'a\ufffdb' }]);
});

test('large frames in many pieces are joined once', () => {
  const text = 'x'.repeat(20_000_000);
  const bytes = encodeFrame(JSON.stringify(text));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, index) => bytes.subarray(index * 1000, (index + 1) * 1000));
  expect(decode(pieces, 30_000_000)).toEqual([{ value: text }]);
});
