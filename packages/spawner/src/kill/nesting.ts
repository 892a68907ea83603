/**
 * The environment variable with the ids of the jobs that a process belongs to, outermost first. It has two uses:
 * - On Linux it identifies processes of a job that have left its process group (`setsid`, a daemon).
 * - It shows how deeply jobs are nested, because an agent that runs in a hook may have hooks too.
 */
export const jobVariable = 'TENTERHOOK_JOB';

/** The jobs that our own process runs in. */
export interface Nesting {
  /** The number of jobs around our process. 0 if no job started it. */
  readonly depth: number;
  /** Whether one of these jobs is of this kind. */
  isWithin(kind: string): boolean;
}

export function readNesting(chain = process.env[jobVariable]): Nesting {
  const ids = chain ? chain.split('/') : [];
  return { depth: ids.length, isWithin: (kind) => ids.some((id) => id.endsWith(`.${shortenKind(kind)}`)) };
}

/**
 * Returns a hash of 53 bits (cyrb53) in letters and digits. The kind itself may be long, and nested jobs repeat the kinds of all outer
 * jobs.
 */
export function shortenKind(text: string): string {
  const known = shortened.get(text);
  if (known !== undefined) return known;
  const hash = hashOf(text);
  if (text.length > longestRemembered) return hash;
  if (shortened.size >= mostShortened) shortened.clear();
  shortened.set(text, hash);
  return hash;
}

/** The hashes of kinds. An agent has a few hooks, and each job needs the hash of its kind. */
const shortened = new Map<string, string>();
const mostShortened = 256;

/** The maximum number of characters of a kind that is remembered. */
const longestRemembered = 4096;

function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
