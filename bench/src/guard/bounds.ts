import { existsSync, readFileSync } from 'node:fs';

/** The largest ratio that each variant may have, by benchmark. Written by `--update`. */
export interface Bounds {
  /** Where the ratios were measured. Not compared, only printed. */
  readonly machine: Readonly<Record<string, string>>;
  readonly atMost: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const update = 'Run npm run bench:guard -- --update, which measures and writes it.';

/** Reads and checks the file of bounds. Throws an error with the file, the value and what to do. */
export function readBounds(file: string): Bounds {
  if (!existsSync(file)) throw new Error(`${file} does not exist. ${update}`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}. ${update}`);
  }
  const { machine, atMost } = (isObject(read) ? read : {}) as Partial<Bounds>;
  if (!isObject(machine) || !isObject(atMost)) throw new Error(`${file}: "machine" and "atMost" must be objects. ${update}`);
  for (const [bench, ratios] of Object.entries(atMost)) {
    if (!isObject(ratios)) throw new Error(`${file}: the bounds of "${bench}" must be an object. ${update}`);
    for (const [variant, bound] of Object.entries(ratios)) {
      if (typeof bound === 'number' && bound > 0) continue;
      throw new Error(`${file}: the bound of "${bench}", "${variant}" is ${JSON.stringify(bound)}. It must be a number above 0. ${update}`);
    }
  }
  return { machine, atMost } as Bounds;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
