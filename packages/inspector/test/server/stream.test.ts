import type { EventRow, StreamLine } from '../../src/api/messages.js';
import { eventLines, inspecting } from '../inspector-rig.js';

const many = (count: number) => Array.from({ length: count }, (_, index) => eventLines(index)).flat();
const isStats = (line: StreamLine) => line.kind === 'stats';
const rowsOf = (lines: readonly StreamLine[]): EventRow[] => lines.flatMap((line) => (line.kind === 'rows' ? line.rows : []));

test('the stream has every row once, in order, and then the figures', async () => {
  await inspecting(many(1_000), async (inspector) => {
    const lines = await inspector.lines('/api/stream', isStats);
    expect(lines.slice(0, 2)).toEqual([
      { kind: 'begin', isMasked: true, recordings: [expect.stringMatching(/run\.bus\.jsonl$/)] },
      { kind: 'connection', state: 'recording' },
    ]);
    expect(rowsOf(lines).map(({ n }) => n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(lines.at(-1)).toEqual({ kind: 'stats', total: 1_000, forgotten: 0, dropped: 0, revision: 5_000 });
  });
});

test('36. a reader that comes back with its cursor gets the rest, without a row missing or doubled', async () => {
  await inspecting(many(500), async (inspector) => {
    const lines = await inspector.lines('/api/stream?after=322&revision=5000', isStats);
    expect(rowsOf(lines).map(({ n }) => n)).toEqual(Array.from({ length: 177 }, (_, index) => 323 + index));
    expect(lines.some(({ kind }) => kind === 'row-changed')).toBe(false);
    const changed = await inspector.lines('/api/stream?after=499&revision=2490', isStats);
    expect(changed.flatMap((line) => (line.kind === 'row-changed' ? [line.row.n] : []))).toEqual([498, 499]);
    const beyond = await inspector.lines('/api/stream?after=99999&revision=99999', isStats);
    expect(rowsOf(beyond)).toEqual([]);
    expect(rowsOf(await inspector.lines('/api/stream?after=-5&revision=x', isStats))).toHaveLength(500);
  });
});

test('36. six readers at once get the same rows', async () => {
  await inspecting(many(2_000), async (inspector) => {
    const seen = await Promise.all(Array.from({ length: 6 }, () => inspector.lines('/api/stream', isStats)));
    for (const lines of seen) expect(rowsOf(lines)).toEqual(rowsOf(seen[0] as StreamLine[]));
    expect(rowsOf(seen[0] as StreamLine[])).toHaveLength(2_000);
  });
});

test('rows beyond the limit are forgotten, and their number is reported', async () => {
  await inspecting(
    many(50),
    async (inspector) => {
      const lines = await inspector.lines('/api/stream', isStats);
      expect(lines).toContainEqual({ kind: 'gap', from: 0, next: 40, why: 'forgotten' });
      expect(rowsOf(lines).map(({ n }) => n)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
      expect(lines.at(-1)).toMatchObject({ total: 50, forgotten: 40 });
      expect((await inspector.get('/api/events/39')).status).toBe(404);
      expect((await inspector.json('/api/events/40')).row.n).toBe(40);
    },
    { maxEvents: 10 },
  );
});
