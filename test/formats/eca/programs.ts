import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../support/places.js';
import { programFile } from '../../support/program.js';

/** What the examples need of a machine beside the desktop. */
export const tools = ['bash', 'date', 'jq'] as const;

/** A directory that is the whole PATH of the hooks: these programs of the machine and no others, a desktop's least of all. */
export function pathOf(places: Places): { readonly PATH: string } {
  const directory = places.at('bin');
  mkdirSync(directory, { recursive: true });
  for (const tool of tools) {
    const file = programFile(tool);
    if (file !== undefined) symlinkSync(file, join(directory, tool));
  }
  return { PATH: directory };
}

/**
 * Puts a program of this name on that PATH which writes its arguments to a file, a line each. Programs of a desktop can do nothing on a machine
 * without one, so this replaces them: it is a process like theirs, found and started in the same way.
 */
export function recordCalls(places: Places, program: string): { calls(): string | undefined } {
  places.write(`bin/${program}`, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${places.at(`project/${program}.called`)}'\n`, 0o755);
  return { calls: () => places.read(`project/${program}.called`) };
}
