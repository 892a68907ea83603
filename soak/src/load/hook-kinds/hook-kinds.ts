import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookKind } from './hook-kind.js';
import { processKinds, streamKinds } from './hostile-kinds.js';
import { wellBehavedKinds } from './well-behaved-kinds.js';

export const hookKinds: readonly HookKind[] = [...wellBehavedKinds, ...processKinds, ...streamKinds];

/** Writes the script of every kind below the directory of the project. */
export function writeScripts(projectDir: string): void {
  mkdirSync(join(projectDir, 'hooks'));
  for (const kind of hookKinds) {
    const file = join(projectDir, 'hooks', kind.name);
    writeFileSync(file, `#!/usr/bin/env ${kind.interpreter ?? 'bash'}\n${kind.script}\n`);
    chmodSync(file, 0o700);
  }
}

export function commandOf(kind: HookKind): string {
  const interpreter = kind.interpreter === undefined ? 'bash' : `'${findPython()}'`;
  return kind.command ?? `exec ${interpreter} "$LLXPRT_PROJECT_DIR"/hooks/${kind.name}`;
}

/**
 * Finds Python itself. The `python3` of a manager of versions (pyenv, asdf) is a script that takes five times as long as the start of
 * Python, so that it would take most of the soak's processor time.
 */
function findPython(): string {
  python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  return python;
}

let python: string | undefined;
