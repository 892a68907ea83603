import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../support/places.js';
import { programFile } from '../../support/program.js';

/** Programs that the examples need, besides those of a desktop. */
export const tools = ['bash', 'date', 'jq'] as const;

/**
 * Creates a directory that is the only entry of the hooks' PATH. It contains these programs and no others, in particular none of a desktop.
 */
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
 * Adds a program to that PATH which writes its arguments to a file, one a line. It replaces a program of a desktop, which could do nothing
 * on a machine without one. It is found and started in the same way.
 */
export function recordCalls(places: Places, program: string): { calls(): string | undefined } {
  places.write(`bin/${program}`, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${places.at(`project/${program}.called`)}'\n`, 0o755);
  return { calls: () => places.read(`project/${program}.called`) };
}
