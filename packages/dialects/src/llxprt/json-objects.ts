/** How deep an output may be nested. Deeper JSON is no answer a person would write, and later code recurses over it. */
export const maxDepth = 256;

/**
 * The balanced JSON objects that start a line, in order, the outer one of nested ones (decision 6). Objects on one line are
 * found in linear time; for those over several lines the work is bounded, from the last one back, because a hook's own answer
 * comes after what it merely echoed.
 */
export function findJsonObjects(text: string): Record<string, unknown>[] {
  const found: { start: number; end: number; value: Record<string, unknown> }[] = [];
  let budget = 4 * text.length + 10_000;
  for (const { start, lineEnd } of openingLines(text).reverse()) {
    let end = balancedEnd(text, start, lineEnd);
    if (end === undefined) {
      const limit = Math.min(text.length, start + budget);
      end = balancedEnd(text, start, limit);
      budget -= (end ?? limit) - start;
    }
    if (end === undefined) continue;
    const value = parseObject(text.slice(start, end));
    if (value === undefined) continue;
    while (found.length > 0 && (found.at(-1) as { start: number }).start < end) found.pop();
    found.push({ start, end, value });
  }
  return found.reverse().map((entry) => entry.value);
}

/** Whether text that looks like JSON is nested deeper than `maxDepth`; brackets inside strings do not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function openingLines(text: string): { start: number; lineEnd: number }[] {
  const lines: { start: number; lineEnd: number }[] = [];
  let position = 0;
  while (position < text.length) {
    const newline = text.indexOf('\n', position);
    const lineEnd = newline === -1 ? text.length : newline;
    let start = position;
    while (start < lineEnd && (text[start] === ' ' || text[start] === '\t')) start += 1;
    if (text[start] === '{') lines.push({ start, lineEnd });
    position = lineEnd + 1;
  }
  return lines;
}

/** The end of the object that starts at `start`, if it is balanced before `limit`. A JSON text has no line break inside a string. */
function balancedEnd(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < limit; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
      else if (char === '\n') return undefined;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > maxDepth) return undefined;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  const isObject = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value);
  return isObject ? (parsed.value as Record<string, unknown>) : undefined;
}
