/**
 * Returns a test whether a whole text fits a pattern in which `*` is any text. Case does not count. It takes linear time for each `*`; a
 * regular expression was rejected, because one of many `*` can take for ever.
 */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.toLowerCase().split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return (text) => text.toLowerCase() === first;
  const last = rest.pop() as string;
  return (text) => {
    const lower = text.toLowerCase();
    if (lower.length < first.length + last.length || !lower.startsWith(first) || !lower.endsWith(last)) return false;
    const end = lower.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = lower.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
