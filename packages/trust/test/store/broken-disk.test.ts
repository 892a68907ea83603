import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/pin/canonical-json.js';
import { makeReadOnly, mountDisk, unmountDisk } from './mounted.js';
import { makeScene, recordOf } from './scene.js';

const probe = mkdtempSync(join(tmpdir(), 'mount-'));
const canMount = mountDisk(probe, 64 * 1024);
if (canMount) unmountDisk(probe);
rmSync(probe, { recursive: true });
const title = (text: string) => (canMount ? text : `${text} (needs the right to mount a disk)`);
const onDisk = canMount ? test : test.skip;

/** A scene whose home is a disk of its own. */
function withDisk(bytes: number, use: (scene: ReturnType<typeof makeScene>) => void): void {
  const scene = makeScene('disk');
  expect(mountDisk(scene.home, bytes)).toBe(true);
  try {
    use(scene);
  } finally {
    unmountDisk(scene.home);
    scene.dispose();
  }
}

/** The paths and contents of everything that decides: all but empty folders. */
function decisionsIn(directory: string): string[] {
  return (readdirSync(directory, { recursive: true, withFileTypes: true }) as { name: string; parentPath: string; isFile(): boolean }[])
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('content'))
    .map((entry) => `${entry.name} ${sha256(readFileSync(join(entry.parentPath, entry.name)))}`)
    .sort();
}

function fill(home: string): void {
  const { bsize, bavail } = statfsSync(home);
  writeFileSync(join(home, 'ballast'), Buffer.alloc(bsize * bavail));
}

onDisk(title('case 27: on a full disk a decision is an error with path and remedy, and nothing is half done'), () => {
  withDisk(256 * 1024, ({ home, project, directory, open }) => {
    const [first, second] = [recordOf(project), recordOf(project, './second.sh')];
    const contents = new Map([[sha256('exit 0'), Buffer.from('exit 0')]]);
    const store = open();
    store.accept(first);
    store.deny(second);
    const before = decisionsIn(directory);
    fill(home);
    const full = { code: 'trust_store', path: expect.stringContaining(directory), remedy: expect.stringContaining('Free space') };
    expect(() => store.accept(second, contents)).toThrow(expect.objectContaining(full));
    expect(() => store.deny(first)).toThrow(expect.objectContaining(full));
    expect(() => store.allowOwner(4711)).toThrow(expect.objectContaining(full));
    expect(decisionsIn(directory)).toEqual(before);
    expect([[...store.read().trusted.keys()], [...store.read().denied.keys()]]).toEqual([[first.pin], [second.pin]]);
    expect(store.read().problems).toEqual([]);
    // To take back a decision needs no space.
    expect(store.revoke(first.pin)).toBe(true);
    rmSync(join(home, 'ballast'));
    store.accept(second, contents);
    expect([...store.read().trusted.keys()]).toEqual([second.pin]);
    expect(store.content(sha256('exit 0'))).toEqual(Buffer.from('exit 0'));
  });
});

// On the larger disk both contents fit, and the record then does not.
onDisk.each([400, 512])(
  title('case 27: a disk of %s KiB, with room for the record but not for the contents, keeps the decision'),
  (size) => {
    withDisk(size * 1024, ({ project, open }) => {
      const large = Buffer.alloc(256 * 1024, 7);
      const larger = Buffer.alloc(256 * 1024, 8);
      open().accept(recordOf(project), new Map([large, larger].map((bytes) => [sha256(bytes), bytes])));
      expect(open().read().trusted.size).toBe(1);
      expect([open().content(sha256(large)), open().content(sha256(larger))]).toEqual([undefined, undefined]);
    });
  },
);

onDisk(title('case 27: a read-only home: what was decided counts, and a decision is an error'), () => {
  withDisk(1024 * 1024, ({ home, project, directory, open }) => {
    const [first, second] = [recordOf(project), recordOf(project, './second.sh')];
    open().accept(first);
    const before = decisionsIn(directory);
    makeReadOnly(home);
    const store = open();
    const readOnly = { code: 'trust_store', path: expect.stringContaining(directory), remedy: expect.stringContaining('read-only') };
    for (const change of [() => store.accept(second), () => store.deny(first), () => store.revoke(first.pin), () => store.revokeAll()]) {
      expect(change).toThrow(expect.objectContaining(readOnly));
    }
    expect(decisionsIn(directory)).toEqual(before);
    expect([...store.read().trusted.keys()]).toEqual([first.pin]);
  });
});

test('case 27: a home in which no directory can be made: nothing is trusted, and a decision is an error', () => {
  const { root, home, project, open, dispose } = makeScene('no-home');
  const isRoot = process.geteuid?.() === 0;
  // Root may write everywhere, so for root the directory cannot be made because a file has its name.
  if (isRoot) writeFileSync(join(home, '.local'), '');
  else chmodSync(home, 0o500);
  const store = open();
  expect(store.read().trusted.size).toBe(0);
  expect(() => store.accept(recordOf(project))).toThrow(
    expect.objectContaining({
      code: 'trust_store',
      path: expect.stringContaining(home),
      remedy: expect.stringContaining('XDG_STATE_HOME'),
    }),
  );
  expect(store.read().trusted.size).toBe(0);
  chmodSync(home, 0o700);
  mkdirSync(join(root, 'state'));
  open(project, { XDG_STATE_HOME: join(root, 'state') }).accept(recordOf(project));
  dispose();
});
