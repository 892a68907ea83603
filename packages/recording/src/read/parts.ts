import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const extension = '.bus.jsonl';

/** Returns the path of a part: `run.bus.jsonl`, `run.part2.bus.jsonl` … */
export function partPath(file: string, part: number): string {
  if (part === 1) return file;
  const name = basename(file);
  const stem = name.endsWith(extension) ? name.slice(0, -extension.length) : name;
  return join(dirname(file), `${stem}.part${part}${name.endsWith(extension) ? extension : ''}`);
}

/** Returns the existing parts of a recording by their names, in order. The first ones may be missing, because the oldest are removed. */
export async function findParts(file: string): Promise<string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  return partNames(basename(file), names).map((name) => join(dirname(file), name));
}

/** Selects the names of the parts of a recording from the names in its directory, in order. */
export function partNames(name: string, names: readonly string[]): string[] {
  const stem = name.endsWith(extension) ? name.slice(0, -extension.length) : name;
  const end = name.endsWith(extension) ? extension : '';
  const numberOf = (other: string) => {
    if (other === name) return 1;
    if (!other.startsWith(`${stem}.part`) || !other.endsWith(end)) return 0;
    const digits = other.slice(stem.length + '.part'.length, other.length - end.length);
    return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0;
  };
  return names.filter((other) => numberOf(other) > 0).sort((a, b) => numberOf(a) - numberOf(b));
}
