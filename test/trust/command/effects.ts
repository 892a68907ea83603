import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Places } from '../../support/places.js';
import { bin } from '../../support/run-cli.js';
import { formatNames, writeGuard } from '../repository.js';
import { environmentOf } from './terminal.js';

/** An untrusted repository with hooks of every format on the first event of a session and on tools, one of which sends requests. */
export function writeRepository(places: Places): void {
  for (const name of formatNames) writeGuard(places, name, `touch ${name}; exit 2`);
  const hooks = [
    { type: 'http', url: 'http://127.0.0.1:9/' },
    { type: 'command', command: './guard.sh' },
  ];
  places.write('project/.claude/settings.local.json', {
    hooks: { SessionStart: [{ hooks }], PreToolUse: [{ hooks }], PostToolUse: [{ hooks }] },
  });
  places.write('project/guard.sh', '#!/bin/sh\ntouch guard\n', 0o755);
}

/** The processes that a command starts and the connections that it opens, as Node sees them. */
export function effectsOf(args: readonly string[], places: Places, env: Readonly<Record<string, string>> = {}) {
  const effects = places.write('effects', '');
  const recorder = join(import.meta.dirname, 'record-effects.cjs');
  const { status, stderr } = spawnSync(process.execPath, ['--require', recorder, bin, ...args], {
    cwd: places.project,
    env: { ...environmentOf(places), EFFECTS: effects, ...env },
    encoding: 'utf8',
  });
  return { status, stderr, effects: [...new Set(places.read('effects')?.trimEnd().split('\n'))].sort() };
}
