import fc from 'fast-check';
import { type CompactFrame, compactBytes } from '../../src/wire/compact-frames.js';
import { FramePage } from '../../src/wire/frame-page.js';
import { encodeCompactFrame, encodeFrame, FrameDecoder } from '../../src/wire/frames.js';

const message = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'ä🦀' } };
const json = JSON.stringify(message);

function decode(bytes: Buffer): unknown[] {
  const decoder = new FrameDecoder(1_000_000);
  decoder.push(bytes);
  const decoded: unknown[] = [];
  for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
    decoded.push(frame);
    if ('problem' in frame) break;
  }
  return decoded;
}

const frames: readonly [CompactFrame, string][] = [
  [{ kind: 'publish', id: 1, taken: 0 }, json],
  [{ kind: 'publish', id: 2 ** 40, taken: 2 ** 41, unsolicited: true }, json],
  [{ kind: 'taken', turn: 3 }, ''],
  [{ kind: 'message', isNew: true, placed: 0 }, json],
  [{ kind: 'message', isNew: false, placed: 4, turn: 5, server: 6 }, json],
  [{ kind: 'message', isNew: true, placed: 4, turn: 5, server: 6, unsolicited: true }, json],
  [{ kind: 'own', isNew: true, id: 1, delivery: 'served' }, ''],
  [{ kind: 'own', isNew: false, id: 1, turn: 2, server: 3, delivery: 'unserved', unsolicited: true }, ''],
  [{ kind: 'delivered', id: 1, delivery: 'unserved' }, ''],
  [{ kind: 'placed', id: 9 }, ''],
];

test.each(frames)('%j is read as it was written', (frame, text) => {
  const value = text === '' ? frame : { ...frame, message };
  expect(decode(encodeCompactFrame(frame, text))).toEqual([{ value, isChecked: true }]);
});

const withLength = (body: Buffer) => {
  const bytes = Buffer.alloc(4 + body.length);
  bytes.writeUInt32BE(body.length);
  body.copy(bytes, 4);
  return bytes;
};
const invalid = Buffer.alloc(compactBytes, 0xff);
invalid[0] = 4;

test.each([
  ['a short one', withLength(Buffer.from([4, 0, 0])), 'a compact frame that is too short'],
  ['one with an invalid number', withLength(invalid), 'an invalid compact frame'],
  ['one with a message that is not JSON', encodeCompactFrame({ kind: 'publish', id: 1 }, '{'), 'a frame that is not JSON'],
  ['an unknown kind', withLength(Buffer.alloc(compactBytes, 7)), 'a frame that is not JSON'],
])('%s is a problem', (_, bytes, problem) => {
  expect(decode(bytes)).toEqual([{ problem }]);
});

test('frames of all sizes leave a page in the order in which they were added, whether the system has the bytes at once or not', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          size: fc.oneof(fc.nat(50), fc.nat(90_000)),
          form: fc.constantFrom('compact', 'json', 'shared'),
          isTaken: fc.boolean(),
          isWritten: fc.boolean(),
        }),
      ),
      (steps) => {
        const page = new FramePage();
        const written: Buffer[] = [];
        let waiting: Buffer[] = [];
        const sent: unknown[] = [];
        const take = (isWritten: boolean) =>
          page.take((pieces) => {
            waiting.push(...pieces);
            // The bytes are read when the system has them, so a page must not be used again before.
            if (!isWritten) return false;
            written.push(...waiting.map((piece) => Buffer.from(piece)));
            waiting = [];
            return true;
          });
        for (const [index, { size, form, isTaken, isWritten }] of steps.entries()) {
          const value = `${index} ${'ä'.repeat(size)}`;
          const text = JSON.stringify(value);
          const before = page.length;
          const added =
            form === 'compact'
              ? page.addCompact({ kind: 'publish', id: index, taken: 0 }, text)
              : page.addBytes(encodeFrame(text), form === 'shared');
          expect(page.length).toBe(before + added);
          sent.push(form === 'compact' ? { kind: 'publish', id: index, taken: 0, message: value } : value);
          if (isTaken) take(isWritten);
        }
        take(true);
        written.push(...waiting);
        expect(decode(Buffer.concat(written)).map((frame) => (frame as { value: unknown }).value)).toEqual(sent);
      },
    ),
  );
});
