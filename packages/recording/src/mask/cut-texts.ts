interface Place {
  readonly path: string;
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly bytes: number;
}

/** What is left of a text at least. Shorter texts, such as ids and codes, are never cut. */
const leastText = 256;

/** Fields that decide. A reason is not one of them, but the reason of the verdict is cut after all other texts. */
const decisions = new Set(['hookId', 'kind', 'decision', 'permissionDecision', 'status', 'code', 'eventName', 'correlationId', 'type']);

/**
 * Shortens the texts of a payload, the longest first, so that its JSON loses at least `excess` bytes. Never cuts a key or a decision. The
 * payload is changed in place. Returns the paths of the shortened texts, even if too little could be cut.
 */
export function cutTexts(payload: unknown, excess: number): string[] {
  const places: Place[] = [];
  collect({ payload }, '', places);
  places.sort((a, b) => Number(isVerdict(a)) - Number(isVerdict(b)) || b.bytes - a.bytes);
  const paths: string[] = [];
  let left = excess;
  for (const { path, holder, key, bytes } of places) {
    if (left <= 0) break;
    const text = holder[key] as string;
    // Escaped characters have more bytes than one, so a share of the text is kept, and not a number of bytes.
    const share = Math.max(0, 1 - (left + 64) / bytes);
    const shown = `${text.slice(0, Math.max(leastText, Math.floor(text.length * share)))}…`;
    const saved = bytes - bytesOf(shown);
    if (saved <= 0) continue;
    holder[key] = saved < left && share > 0 ? `${text.slice(0, leastText)}…` : shown;
    left -= bytes - bytesOf(holder[key] as string);
    paths.push(path);
  }
  return paths;
}

/** Collects the texts that may be cut. */
function collect(holder: Record<string, unknown>, path: string, places: Place[]): void {
  for (const [key, value] of Object.entries(holder)) {
    const at = path === '' && key === 'payload' ? '' : path === '' ? key : `${path}.${key}`;
    if (typeof value === 'object' && value !== null) collect(value as Record<string, unknown>, at, places);
    else if (typeof value === 'string' && value.length > leastText && !decisions.has(key)) {
      places.push({ path: at, holder, key, bytes: bytesOf(value) });
    }
  }
}

function isVerdict({ path }: Place): boolean {
  return /(?:^|\.)verdict\./.test(path);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
