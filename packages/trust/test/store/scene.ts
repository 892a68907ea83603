import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/pin/canonical-json.js';
import { pinOf } from '../../src/pin/pin.js';
import { openTrustStore } from '../../src/store/open-store.js';
import { pinnedHookOf, type TrustRecord } from '../../src/store/record.js';

/** A home, a project beside it, and ways to open the store. All of it is removed when `dispose` is called. */
export function makeScene(name: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  const home = join(root, 'home');
  const project = join(root, 'shop');
  for (const folder of [home, project]) mkdirSync(folder, { mode: 0o755 });
  const directory = join(home, '.local/state/tenterhook/trust');
  return {
    root,
    home,
    project,
    directory,
    folderOf: (projectDir: string) => join(directory, sha256(projectDir)),
    open: (projectDir = project, environment: Record<string, string> = {}) =>
      openTrustStore({ projectDir, home, environment, platform: process.platform }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A record of a hook that runs a command, with the right pin. */
export function recordOf(project: string, command = './guard.sh', change: Partial<TrustRecord> = {}): TrustRecord {
  const record: TrustRecord = {
    v: 1,
    pin: '',
    project,
    hook: { label: command, dialect: 'claude-code', event: 'PreToolUse', command },
    definition: { event: 'PreToolUse', command, timeoutMs: 60_000 },
    environment: { LEVEL: 'strict' },
    reach: { entries: [{ path: 'guard.sh', kind: 'file', executable: true, sha256: 'ab'.repeat(32) }], open: [] },
    at: '2026-11-23T12:00:00.000Z',
    by: 'terminal',
    ...change,
  };
  return { ...record, pin: pinOf(pinnedHookOf(record)) };
}
