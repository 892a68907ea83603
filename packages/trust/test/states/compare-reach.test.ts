import { canonicalJson, sha256 } from '../../src/pin/canonical-json.js';
import type { ReachedEntry } from '../../src/reach/reach.js';
import { compareReach } from '../../src/states/compare-reach.js';

/** A reached folder with these entries, and what is known of its content. */
function folderOf(path: string, below: readonly ReachedEntry[]) {
  const listing = canonicalJson(below);
  const hash = sha256(listing);
  const entry: ReachedEntry = { path, kind: 'folder', sha256: hash };
  return { entry, content: (asked: string) => (asked === hash ? Buffer.from(listing) : undefined) };
}

const unknown = () => undefined;
const file = (path: string, content: string, more: Partial<ReachedEntry> = {}): ReachedEntry => ({
  path,
  kind: 'file',
  sha256: sha256(content),
  ...more,
});

test('files below a folder are compared one by one', () => {
  const before = folderOf('.hooks', [file('a.sh', '1'), file('b.sh', '1'), { path: 'lib', kind: 'folder' }, file('lib/c.sh', '1')]);
  const now = folderOf('.hooks', [
    file('a.sh', '1'),
    file('b.sh', '2'),
    { path: 'lib', kind: 'folder' },
    { path: 'lib/c.sh', kind: 'link', target: 'x' },
    file('new.sh', '1'),
  ]);
  const changes = compareReach({ entries: [before.entry], content: before.content }, { entries: [now.entry], content: now.content });
  expect(changes).toEqual([
    { path: '.hooks/b.sh', before: file('.hooks/b.sh', '1'), now: file('.hooks/b.sh', '2') },
    { path: '.hooks/lib/c.sh', before: file('.hooks/lib/c.sh', '1'), now: { path: '.hooks/lib/c.sh', kind: 'link', target: 'x' } },
    { path: '.hooks/new.sh', before: undefined, now: file('.hooks/new.sh', '1') },
  ]);
});

test('a folder whose earlier list was not kept is itself the change', () => {
  const [before, now] = [folderOf('.hooks', [file('a.sh', '1')]), folderOf('.hooks', [file('a.sh', '2')])];
  const changes = compareReach({ entries: [before.entry], content: unknown }, { entries: [now.entry], content: now.content });
  expect(changes.map(({ path }) => path)).toEqual(['.hooks', '.hooks/a.sh']);
});

test('the x bit, and a name that appears or is gone', () => {
  const before = [file('a.sh', '1', { executable: true }), { path: 'json.py', kind: 'absent' } as const, file('gone.sh', '1')];
  const now = [file('a.sh', '1'), file('json.py', '1'), { path: 'gone.sh', kind: 'absent' } as const];
  expect(compareReach({ entries: before, content: unknown }, { entries: now, content: unknown })).toEqual([
    { path: 'a.sh', before: before[0], now: now[0] },
    { path: 'gone.sh', before: before[2], now: undefined },
    { path: 'json.py', before: undefined, now: now[1] },
  ]);
});

test('what is the same is not a change', () => {
  const { entry, content } = folderOf('.hooks', [file('a.sh', '1')]);
  const reach = { entries: [entry, file('.hooks/a.sh', '1')], content };
  expect(compareReach(reach, reach)).toEqual([]);
  expect(compareReach({ ...reach, content: unknown }, reach)).toEqual([]);
});
