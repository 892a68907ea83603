import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';

/** Makes hooks of this process use a place for their private directories that no other process uses. */
export async function withRuntimeDirectory<Result>(use: (place: string) => Promise<Result>): Promise<Result> {
  const place = freshDirectory('runtime');
  const before = process.env['XDG_RUNTIME_DIR'];
  process.env['XDG_RUNTIME_DIR'] = place;
  try {
    return await use(place);
  } finally {
    if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = before;
    rmSync(place, { recursive: true, force: true });
  }
}

/** The absolute paths of the private directories in a place. */
export function privateDirectories(place: string): string[] {
  return readdirSync(place)
    .filter((name) => name.startsWith('tenterhook-'))
    .map((name) => join(place, name));
}
